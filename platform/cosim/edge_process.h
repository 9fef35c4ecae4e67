// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "platform/cosim/clock_source.h"

namespace longhaul::cosim {

class RtlBlock;

/// The process that takes the clock edges of all RTL blocks of the simulation, in order of time.
///
/// It runs ahead of SystemC's time up to the next instant at which any other process can act, since
/// nothing can reach the pins of a block before that. So the kernel is entered once for each event
/// outside of the blocks, not for each edge, whatever the number of blocks. Results are the same as
/// with an entry for each edge.
class EdgeProcess final {
 public:
  /// The edge process of the simulation. It is made with the first block and destroyed with the
  /// last.
  static std::shared_ptr<EdgeProcess> get();

  void add(RtlBlock& block) { blocks_.push_back({ClockSource::kNever, &block}); }
  void remove(const RtlBlock& block);
  /// Notified when a stopped clock starts.
  sc_core::sc_event& goes_on_event() { return goes_on_event_; }

 private:
  struct Entry {
    std::uint64_t next_ps;  // of its next edge, in SystemC's time; kNever if there is none
    RtlBlock* block;
  };

  EdgeProcess();
  void run();
  void tell(std::uint64_t now_ps);
  Entry* first();
  std::uint64_t limit_ps(std::uint64_t now_ps) const;
  void sleep_until(std::uint64_t next_ps, std::uint64_t now_ps);

  std::vector<Entry> blocks_;
  sc_core::sc_event goes_on_event_{sc_core::sc_gen_unique_name("clock_goes_on_event")};
};

}  // namespace longhaul::cosim
