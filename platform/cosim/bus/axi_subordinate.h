// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/common/ring_buffer.h"
#include "platform/cosim/bus/axi_bursts.h"
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

  void sample() override { sample_.take(handshakes_, pins_); }
  void clocked(std::uint64_t edge_ps) override;
  void deliver() override;
  const AxiChecker* checker() const { return checker_.get(); }
  /// Whether no access is in progress.
  bool idle() const { return writes_.order.empty() && reads_.order.empty() && ahead_.empty(); }

 private:
  using Slot = AxiSlot;
  using State = AxiSlot::State;
  struct Beat {
    std::uint64_t strb = 0;
    AxiSample::Data data{};
  };
  static constexpr std::uint32_t kNone = AxiBursts::kNone;

  void memory_done(std::uint64_t tag, BusStatus status) override;
  void reset();
  bool refuses(const char* channel, const AxiBurst& burst, std::uint64_t edge_ps);
  void take_address(AxiBursts& bursts, const char* channel, const AxiBurst& burst,
                    std::uint64_t edge_ps);
  void take_data();
  void take_beat(Slot& slot, std::uint64_t strb, const std::uint8_t* data);
  static void append(Slot& slot, std::uint64_t address, const std::uint8_t* data,
                     std::uint32_t count);
  void drive_write(std::uint64_t edge_ps);
  void drive_read(std::uint64_t edge_ps);
  void offer(AxiBursts& bursts, Pin& ready);
  void put_read_beat(const Slot& slot);
  bool waits_for_others() const;
  void count_waits(std::uint64_t edge_ps);
  void count_wait(std::uint32_t& clocks, bool waits, std::uint64_t edge_ps, const char* pin,
                  const char* what, const Slot* slot);
  bool is_write(std::uint32_t number) const { return number < writes_.slots.size(); }
  Slot& slot_of(std::uint32_t number) {
    return is_write(number) ? writes_.slots[number] : reads_.slots[number - writes_.slots.size()];
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
  const AxiHandshakes handshakes_;
  AxiSample sample_;
  AxiBursts writes_;
  AxiBursts reads_;
  RingBuffer<Beat> ahead_;          // write data without an address yet
  DelayedAsks asks_;                // by slots: writes, then reads
  AxiBursts::Order due_;            // slots whose access starts in the next deliver()
  std::uint32_t filling_ = kNone;   // the write whose data are coming
  std::uint32_t answered_ = kNone;  // the write whose response is on the pins
  std::uint32_t playing_ = kNone;   // the read whose data are on the pins
  bool w_ready_ = false;
  bool held_ = false;
  const std::uint32_t patience_;
  std::uint32_t b_waits_ = 0;  // clocks in which the block has not moved
  std::uint32_t r_waits_ = 0;
  std::uint32_t w_waits_ = 0;
};

}  // namespace longhaul::cosim
