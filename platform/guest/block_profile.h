// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/cpu/block_table.h"
#include "platform/guest/shared_memory.h"
#include "sw/linux/longhaul_abi.h"

namespace longhaul::guest {

/// The block table of one guest: what the basic blocks of its kernel and modules cost on its core,
/// how often they ran in the measured window, and the stacks that were sampled there.
class BlockProfile {
 public:
  /// Fills the table that the guest's kernel reads when it starts; throws ConfigError for more
  /// blocks than it has room for.
  BlockProfile(const cpu::BlockTable& blocks, const cpu::PipelineParams& pipeline);

  SharedMemory& table() { return table_; }
  std::uint64_t base() const { return base_; }
  std::uint64_t count() const { return addresses_.size(); }

  /// Takes the blocks of a module that the guest's kernel loads. Returns the index of the first in
  /// the table, or LH_NO_ROOM if they do not all fit, and then takes none.
  std::uint64_t add_module(const lh_module_block* blocks, std::size_t count);
  /// Takes the names of a module's functions, a line each: "ADDRESS NAME".
  void add_symbols(const std::string& lines) { symbols_ += lines; }

  /// The measured window begins (again): counts start from here, samples so far are dropped.
  void begin_window();
  /// The measured window ends: later counts and samples do not show.
  void end_window();
  /// Takes the samples in the page and empties it.
  void take_samples(lh_page& page);

  /// Blocks that ran in the window, a line each: "ADDRESS RUNS CYCLES FETCH_CYCLES", the address in
  /// hexadecimal; the latter are those that the core waited for the instruction cache.
  std::string blocks_text() const;
  /// Stacks of the window, a line each: "KIND STATE WEIGHT ADDRESS...", innermost first; of enum
  /// lh_sample_kind, lh_state. Of more than 2048 distinct stacks the later ones have no addresses.
  std::string stacks_text() const;
  /// Functions of all modules that were loaded, a line each: "ADDRESS NAME".
  const std::string& symbols_text() const { return symbols_; }

 private:
  using Stack = std::vector<std::uint64_t>;  // kind, state, addresses
  struct StackHash {
    std::size_t operator()(const Stack& stack) const;
  };
  struct Count {
    std::uint64_t runs = 0;
    std::uint64_t misses = 0;
  };
  const lh_block_table& counted() const {
    return *reinterpret_cast<const lh_block_table*>(table_.data());
  }
  /// Appends a block whose site is at `address`, and which would begin at `place` if nothing
  /// counted it.
  void append(std::uint64_t address, std::uint64_t place, const cpu::OpCounts& ops);
  /// How often each block has run, and missed the instruction cache, until now.
  void count(std::vector<Count>& counts) const;

  std::uint64_t base_;
  cpu::PipelineParams pipeline_;
  SharedMemory table_;
  std::vector<std::uint64_t> addresses_;  // of the blocks' sites
  std::string symbols_;
  bool open_ = true;
  std::vector<Count> at_begin_;
  std::vector<Count> at_end_;
  Stack sampled_;
  std::unordered_map<Stack, std::uint64_t, StackHash> stacks_;  // and their weights
};

}  // namespace longhaul::guest
