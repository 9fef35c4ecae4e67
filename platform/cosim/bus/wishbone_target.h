// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/common/ring_buffer.h"
#include "platform/cosim/bus/block_memory.h"
#include "platform/cosim/bus/stalls.h"
#include "platform/cosim/bus/wishbone_checker.h"
#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim {

struct WishboneTargetParams {
  std::string prefix;          ///< of the signals' names in messages
  std::uint32_t requests = 8;  ///< pipelined: requests that are accepted at once
  Stalls stalls{};             ///< of STALL, and of ACK
};

/// Memory at a block's Wishbone manager pins, classic or pipelined, of 8 to 64 bits.
///
/// Each request is an access of memory; a write with gaps in SEL is several. The burst hints CTI
/// and BTE are ignored. A read fetches the bytes from the lowest to the highest of SEL. Memory
/// errors give ERR, or ACK if there is no ERR. Requests are answered in order. Requests that the
/// block drops by lowering CYC are not answered.
class WishboneTarget final : public Transactor, private MemoryClient {
 public:
  /// `sink` gets the checker's violations; nullptr: no checker. `memory` and `sink` must outlive
  /// this object. Throws std::invalid_argument for another data width.
  WishboneTarget(RtlBlock& block, ClockDomain& clock, const WishbonePins& pins, BlockMemory& memory,
                 const WishboneTargetParams& params, CheckerSink* sink);

  void sample() override { sample_.take(pins_); }
  void clocked(std::uint64_t edge_ps) override;
  void deliver() override;
  const WishboneChecker* checker() const { return checker_.get(); }

 private:
  enum class State : std::uint8_t { kFree, kAsk, kMemory, kDone };
  struct Slot {
    WishboneSample::Request request;
    State state = State::kFree;
    bool given_up = false;
    BusStatus status = BusStatus::kOk;
    std::uint32_t open = 0;
    std::uint64_t done_ps = 0;
    std::array<std::uint8_t, 8> data{};
  };

  void memory_done(std::uint64_t tag, BusStatus status) override;
  void give_up();
  void take_request(std::uint64_t edge_ps);
  void answer(std::uint64_t edge_ps);
  void ask(std::uint32_t number);
  bool has_room() const;
  Slot& front() { return slots_[order_.front()]; }

  RtlBlock& block_;
  ClockDomain& clock_;
  WishbonePins pins_;
  BlockMemory& memory_;
  const std::uint32_t bus_bytes_;
  Stalls stalls_;
  std::unique_ptr<WishboneChecker> checker_;
  WishboneSample sample_;
  std::vector<Slot> slots_;
  RingBuffer<std::uint32_t> order_;  // slots in progress
  bool answering_ = false;           // the termination of the front is on the pins
  bool held_ = false;
};

}  // namespace longhaul::cosim
