// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>
#include <utility>

#include "list_pointer.h"
#include "models/common/engine.h"
#include "models/common/ring_buffer.h"
#include "models/net/mac/eth_mac.h"
#include "models/net/mac/pause_watermark.h"
#include "models/nic/blocks/delay_timer.h"
#include "parts.h"
#include "regs.h"

namespace tc9021 {

/// The receive unit: MAC -> address filter -> FIFO -> list in host memory.
///
/// A frame that waits makes it read the descriptor at RFDListPtr. A descriptor that is done, or has
/// no room, ends the list for now (RFDListEnd): it is looked at again after RxDMAPollPeriod, at
/// RxDMAPollNow, or when the pointer is written. A frame takes as many descriptors as it needs.
/// RxDMAComplete comes with RxFrameCount frames, or RxDMAWaitTime after the first of fewer.
class Tc9021Rx final : public sc_core::sc_module,
                       public longhaul::FrameSink,
                       private longhaul::pcix::DmaClient {
 public:
  /// `carrier_changed`: light came or went.
  Tc9021Rx(const sc_core::sc_module_name& name, const Tc9021Parts& parts,
           std::function<void(bool up)> carrier_changed);

  void enable(bool on);
  bool enabled() const { return enabled_; }
  /// MACCtrl's RcvFCS: the FCS goes to memory, too.
  void keep_fcs(bool on) { keeps_fcs_ = on; }
  /// MACCtrl's TxFlowControlEnable and RxFlowControlEnable.
  void set_flow_control(bool send, bool honour);
  /// The station address' registers have changed.
  void station_changed();
  /// RxDMAPollNow, or the pointer was written.
  void poll();
  void reset();
  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return list_.memory(); }

  void frame_received(const longhaul::FrameRef& frame) override;
  void frame_refused(const longhaul::FrameRef& frame, longhaul::RxFault fault) override;
  void carrier_changed(bool up) override { carrier_changed_(up); }

  longhaul::observe::Counter frames{"frames", "frame", "frames written to host memory"};
  longhaul::observe::Counter bytes{"bytes", "B", "bytes of them, as written"};
  longhaul::observe::Counter missed{"missed", "frame", "frames lost because the FIFO was full"};
  longhaul::observe::Counter filtered{"filtered", "frame", "frames for other stations"};
  longhaul::observe::Counter refused{"refused", "frame", "frames with a wrong FCS or length"};
  longhaul::observe::Counter discarded{"discarded", "frame",
                                       "frames lost to resets and errors on the bus"};
  longhaul::observe::FrameTap taps{
      "taps", "frames taken into the FIFO, and those dropped, with the reason"};
  longhaul::observe::SpanTap starved{
      "starved", "frames wait and no receive descriptor is there; arg0 bytes in the FIFO"};
  longhaul::observe::Level fifo_fill{"fifo_fill", "B", "bytes in the FIFO"};

 private:
  enum class State { kRest, kListEnd, kReading, kLoaded, kWriting, kReturning };
  struct Item {
    longhaul::FrameRef frame;
    std::uint32_t status = 0;
    std::uint32_t reserved = 0;  // bytes of the FIFO
    std::uint64_t ready_ps = 0;
  };

  void dma_done(std::uint64_t tag, longhaul::pcix::DmaStatus status) override;

  bool wanted(const longhaul::Frame& frame) const;
  bool in_hash(const longhaul::MacAddress& address) const;
  std::uint32_t check_sums(const longhaul::Frame& frame) const;
  longhaul::Step step();
  void descriptor_arrived();
  void end_list();
  void write_piece();
  void give_back();
  void descriptor_returned();
  void frame_told();
  void look_at_untold();
  void tell();
  void note_starving(bool starving);
  void marks_changed();
  void take_front();
  void drop(const longhaul::FrameRef& frame, longhaul::observe::Counter& counter, const char* why);

  Tc9021Parts parts_;
  std::function<void(bool)> carrier_changed_;
  longhaul::Engine engine_;
  longhaul::PauseWatermark pause_;
  longhaul::nic::DelayTimer poll_timer_;
  longhaul::nic::DelayTimer wait_timer_;
  ListPointer list_;
  bool enabled_ = false;
  bool keeps_fcs_ = false;
  bool sends_pause_ = false;
  State state_ = State::kRest;
  std::array<std::uint8_t, regs::descriptor::kBytes> in_{};
  std::array<std::uint8_t, 8> out_{};

  longhaul::RingBuffer<Item> items_;
  longhaul::MacAddress station_{};
  std::uint32_t written_ = 0;  // bytes of the front one
  std::uint32_t piece_ = 0;    // of them, those that the descriptor in hand takes
  std::uint32_t untold_ = 0;   // frames in memory since the last RxDMAComplete
  bool starving_ = false;
  std::uint64_t starving_since_ps_ = 0;

  longhaul::Reg32 dma_{parts_.bank, regs::kRxDma};
  longhaul::Reg32 int_ctrl_{parts_.bank, regs::kRxDmaIntCtrl, this, &Tc9021Rx::look_at_untold};
  longhaul::Reg32 flow_{parts_.bank, regs::kFlow, this, &Tc9021Rx::marks_changed};
  longhaul::Reg32 mode_{parts_.bank, regs::kReceiveMode};
  longhaul::Reg32 hash0_{parts_.bank, regs::kHashTable0};
  longhaul::Reg32 hash1_{parts_.bank, regs::kHashTable1};
  longhaul::Reg32 station01_{parts_.bank, regs::kStationAddress01, this,
                             &Tc9021Rx::station_changed};
  longhaul::Reg32 station2_{parts_.bank, regs::kStationAddress2, this, &Tc9021Rx::station_changed};
};

}  // namespace tc9021
