// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/common/ring_buffer.h"
#include "platform/cosim/bus/axi_checker.h"
#include "platform/cosim/bus/axi_pins.h"
#include "platform/cosim/bus/block_memory.h"
#include "platform/cosim/bus/delayed_asks.h"
#include "platform/cosim/bus/stalls.h"
#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim {

/// The rule that finds a block that masters a bus and hangs.
inline constexpr Rule kMemoryTaken{
    "memory.taken", "Longhaul",
    "A block takes the answers of memory, and sends the data of its writes, within the clocks that "
    "the port map allows."};

struct AxiSubordinateParams {
  std::string prefix;              ///< of the signals' names in messages: "m_axi_"
  std::uint32_t reads = 8;         ///< bursts that are accepted at once
  std::uint32_t writes = 8;        ///< bursts that are accepted at once
  std::uint32_t beats_ahead = 16;  ///< beats of data that are accepted before their address
  Stalls stalls{};                 ///< of every READY and VALID
  Delays delays{};                 ///< of a whole burst, before its memory access
  std::uint32_t patience = 0;      ///< clocks of kMemoryTaken; 0: no limit
};

/// Memory at a block's AXI4 or AXI4-Lite manager pins, of 8 to 512 bits.
///
/// Supports INCR and WRAP bursts, narrow and unaligned transfers. A burst that memory does not
/// support (FIXED, reserved types, a beat wider than the bus) is answered with SLVERR. Exclusive
/// accesses are answered with OKAY, as by memory that does not support them (A7.2.3).
///
/// A read is one access of memory. A write is one access for each run of enabled bytes, all started
/// at the edge of its last beat. Responses of one ID keep the order of their addresses. Between
/// IDs, the burst that is done first is answered first. The data of a read burst come without a gap
/// once memory has all of them. Delayed bursts overtake each other, except those of one ID and
/// direction.
class AxiSubordinate final : public Transactor, private MemoryClient {
 public:
  /// `sink` gets the checker's violations; nullptr: no checker. `memory` and `sink` must outlive
  /// this object.
  AxiSubordinate(RtlBlock& block, ClockDomain& clock, const AxiPins& pins, BlockMemory& memory,
                 const AxiSubordinateParams& params, CheckerSink* sink);

  void sample() override { sample_.take(pins_); }
  void clocked(std::uint64_t edge_ps) override;
  void deliver() override;
  const AxiChecker* checker() const { return checker_.get(); }
  /// Whether no access is in progress.
  bool idle() const { return write_order_.empty() && read_order_.empty() && ahead_.empty(); }

 private:
  enum class State : std::uint8_t { kFree, kData, kAsk, kMemory, kDone, kAbandoned };
  struct Run {
    std::uint64_t address = 0;
    std::uint32_t length = 0;
  };
  /// A burst in progress, of either direction.
  struct Slot {
    AxiBurst burst;
    State state = State::kFree;
    BusStatus status = BusStatus::kOk;
    bool refused = false;     // memory does not support such a burst
    std::uint32_t beats = 0;  // beats that were on the pins
    std::uint32_t bytes = 0;  // bytes of a write in its buffer
    std::uint32_t open = 0;   // accesses that memory has not completed
    std::uint64_t done_ps = 0;
    std::vector<Run> runs;
    std::unique_ptr<std::uint8_t[]> buffer;
  };
  struct Beat {
    std::uint64_t strb = 0;
    AxiSample::Data data{};
  };
  using Order = std::vector<std::uint32_t>;  // slots, in the order of their addresses
  static constexpr std::uint32_t kNone = ~0U;

  static std::vector<Slot> make_slots(std::uint32_t count, std::uint32_t bus_bytes);
  static std::uint32_t free_slot(const std::vector<Slot>& slots);
  static std::uint32_t next_done(const std::vector<Slot>& slots, const Order& order,
                                 std::uint64_t edge_ps);
  void memory_done(std::uint64_t tag, BusStatus status) override;
  void reset();
  static void abandon(std::vector<Slot>& slots, Order& order);
  bool refuses(const char* channel, const AxiBurst& burst, std::uint64_t edge_ps);
  void take_address(std::vector<Slot>& slots, Order& order, std::uint32_t slot, const char* channel,
                    const AxiBurst& burst, std::uint64_t edge_ps);
  void take_data();
  void take_beat(Slot& slot, std::uint64_t strb, const std::uint8_t* data);
  static void append(Slot& slot, std::uint64_t address, const std::uint8_t* data,
                     std::uint32_t count);
  void drive_write(std::uint64_t edge_ps);
  void drive_read(std::uint64_t edge_ps);
  void put_read_beat(Slot& slot);
  bool waits_for_others() const;
  void count_waits(std::uint64_t edge_ps);
  void count_wait(std::uint32_t& clocks, bool waits, std::uint64_t edge_ps, const char* pin,
                  const char* what, const Slot* slot);
  static void leave(std::vector<Slot>& slots, Order& order, std::uint32_t slot);
  Slot& slot_of(std::uint32_t number) {
    return number < writes_.size() ? writes_[number] : reads_[number - writes_.size()];
  }
  void await(std::uint32_t number);
  void ask(Slot& slot, std::uint32_t number);

  RtlBlock& block_;
  ClockDomain& clock_;
  Watcher& watcher_;
  AxiPins pins_;
  BlockMemory& memory_;
  const std::string prefix_;
  const std::uint32_t bus_bytes_;
  const std::uint32_t beats_ahead_;
  Stalls stalls_;
  Delays delays_;
  CheckerSink* const sink_;
  std::unique_ptr<AxiChecker> checker_;
  AxiSample sample_;
  std::vector<Slot> writes_;
  std::vector<Slot> reads_;
  Order write_order_;
  Order read_order_;
  RingBuffer<Beat> ahead_;         // write data without an address yet
  DelayedAsks asks_;               // by slots: writes, then reads + writes_.size()
  Order due_;                      // slots whose access starts in the next deliver()
  std::uint32_t filling_ = kNone;  // the write whose data are coming
  std::uint32_t aw_slot_ = kNone;  // slot for the next address; READY is high if there is one
  std::uint32_t ar_slot_ = kNone;
  std::uint32_t answered_ = kNone;  // the write whose response is on the pins
  std::uint32_t playing_ = kNone;   // the read whose data are on the pins
  AxiSample::Data lanes_{};
  bool held_ = false;
  const std::uint32_t patience_;
  std::uint32_t b_waits_ = 0;  // clocks in which the block has not moved
  std::uint32_t r_waits_ = 0;
  std::uint32_t w_waits_ = 0;
};

}  // namespace longhaul::cosim
