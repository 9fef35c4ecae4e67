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
  std::uint32_t requests = 8;  ///< pipelined: that are taken at once
  Stalls stalls{};             ///< of STALL, and of ACK
};

/// Memory at a block's Wishbone manager pins, classic or pipelined, of 8 to 64 bits.
///
/// Each request is an access of memory of its own (a write with gaps in SEL several); the burst
/// hints CTI and BTE are not used. A read takes the bytes from the lowest to the highest of SEL.
/// Memory's errors are ERR, or ACK where there is no ERR. Requests are answered in order. What the
/// block gives up by lowering CYC is not answered.
class WishboneTarget final : public Transactor, private MemoryClient {
 public:
  /// `sink`: of the checker; nullptr: no checker. `memory` and `sink` outlive this. Errors:
  /// std::invalid_argument for data of any other width.
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
  RingBuffer<std::uint32_t> order_;  // slots under way
  bool answering_ = false;           // the termination of the front is on the pins
  bool held_ = false;
};

}  // namespace longhaul::cosim
