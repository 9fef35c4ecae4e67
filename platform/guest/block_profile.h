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

/// The block table of one guest: the costs of the basic blocks of its kernel and modules on its
/// core, how often they ran in the measured window, and the stacks that were sampled in it.
class BlockProfile {
 public:
  /// Fills the table that the guest's kernel reads when it starts. Throws ConfigError if the table
  /// has no room for all blocks.
  BlockProfile(const cpu::BlockTable& blocks, const cpu::PipelineParams& pipeline);

  SharedMemory& table() { return table_; }
  std::uint64_t base() const { return base_; }
  std::uint64_t count() const { return addresses_.size(); }

  /// Adds the blocks of a module that the guest's kernel loads. Returns the index of the first in
  /// the table. If not all of them fit, adds none and returns LH_NO_ROOM.
  std::uint64_t add_module(const lh_module_block* blocks, std::size_t count);
  /// Adds the names of a module's functions, one a line: "ADDRESS NAME".
  void add_symbols(const std::string& lines) { symbols_ += lines; }

  /// The measured window begins. Counts start here, and earlier samples are dropped; so a second
  /// call restarts it.
  void begin_window();
  /// The measured window ends. Later counts and samples are ignored.
  void end_window();
  /// Takes the samples from the page and empties it.
  void take_samples(lh_page& page);

  /// Blocks that ran in the window, one a line: "ADDRESS RUNS CYCLES FETCH_CYCLES", with the
  /// address in hexadecimal. FETCH_CYCLES are those for which the core waited for the instruction
  /// cache.
  std::string blocks_text() const;
  /// Stacks of the window, one a line: "KIND STATE WEIGHT ADDRESS...", innermost first; see enum
  /// lh_sample_kind and lh_state. After 2048 distinct stacks, further ones have no addresses.
  std::string stacks_text() const;
  /// Functions of all loaded modules, one a line: "ADDRESS NAME".
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
  /// Appends a block whose site is at `address`. `place` is its address in a text without sites.
  void append(std::uint64_t address, std::uint64_t place, const cpu::OpCounts& ops);
  /// How often each block has run so far, and how often it missed the instruction cache.
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
  std::unordered_map<Stack, std::uint64_t, StackHash> stacks_;  // with their weights
};

}  // namespace longhaul::guest
