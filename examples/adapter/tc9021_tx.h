// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>
#include <utility>

#include "list_pointer.h"
#include "models/common/engine.h"
#include "models/common/event_queue.h"
#include "models/common/ring_buffer.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/blank_ranges.h"
#include "models/nic/blocks/delay_timer.h"
#include "parts.h"
#include "regs.h"

namespace tc9021 {

/// The transmit unit: list in host memory -> FIFO -> MAC.
///
/// It reads the descriptor at TFDListPtr. A descriptor that is done ends the list for now: it is
/// read again after TxDMAPollPeriod, at TxDMAPollNow, or when the pointer is written. Otherwise the
/// fragments are read, each when the FIFO has room for it, the descriptor is marked as done, and
/// the pointer follows its link. A frame may start `tx_latency` after it is whole in the FIFO. Its
/// room is free again when its last bit has left.
class Tc9021Tx final : public sc_core::sc_module,
                       public longhaul::FrameSource,
                       private longhaul::pcix::DmaClient {
 public:
  Tc9021Tx(const sc_core::sc_module_name& name, const Tc9021Parts& parts);

  /// TxDMAPollNow, or the pointer was written.
  void poll();
  /// DMACtrl's TxDMAInProg.
  bool in_progress() const { return state_ != State::kRest; }
  void reset();
  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return list_.memory(); }

  std::uint64_t ready_ps() const override;
  longhaul::FrameRef take_frame() override;

  longhaul::observe::Counter frames{"frames", "frame", "frames given to the MAC"};
  longhaul::observe::Counter bytes{"bytes", "B", "bytes of them, FCS included"};
  longhaul::observe::Counter discarded{
      "discarded", "frame", "packets lost to resets, errors on the bus, or a small FIFO"};
  longhaul::observe::Counter idle_reads{"idle_reads", "1", "descriptors read that were done"};
  longhaul::observe::FrameTap taps{"taps",
                                   "frames given to the MAC, and those dropped, with the reason"};
  longhaul::observe::Level fifo_fill{"fifo_fill", "B", "bytes in the FIFO"};

 private:
  enum class State { kRest, kReading, kReadingMore, kLoaded, kFetching, kReturning };
  struct Packet {
    longhaul::FrameRef frame;
    std::uint32_t control = 0;
    std::uint32_t reserved = 0;  // bytes of the FIFO
    std::uint64_t ready_ps = 0;
  };
  static constexpr std::uint32_t kMostBytes =
      regs::descriptor::kFragments +
      regs::descriptor::kMostFragments * regs::descriptor::kFragmentBytes;
  static constexpr std::uint32_t kMostStatuses = 31;

  void dma_done(std::uint64_t tag, longhaul::pcix::DmaStatus status) override;
  void dma_blank(std::uint64_t tag, std::uint8_t* data, std::uint32_t length) override;

  void read();
  void descriptor_arrived();
  void rest();
  longhaul::Step step();
  longhaul::Step next_fragment();
  void open_packet();
  void close_packet();
  void descriptor_returned();
  void forget_packet(const char* why);
  void drop(const longhaul::FrameRef& frame, const char* why);
  void give_room(std::uint32_t reserved);
  void frame_left();
  std::uint64_t fragment(std::uint32_t index) const;
  std::uint32_t fragments() const;
  std::uint32_t take_status();

  Tc9021Parts parts_;
  longhaul::Engine engine_;
  longhaul::nic::DelayTimer poll_timer_;
  ListPointer list_;
  State state_ = State::kRest;
  std::array<std::uint8_t, kMostBytes> in_{};
  std::array<std::uint8_t, 4> out_{};
  std::uint32_t control_ = 0;  // of the descriptor in hand

  // The packet that is being read.
  longhaul::FrameRef frame_;
  std::uint8_t* data_ = nullptr;
  bool bad_ = false;
  bool reading_ = false;        // a fragment is on the bus
  std::uint32_t next_ = 0;      // fragment
  std::uint32_t fetching_ = 0;  // bytes of the fragment on the bus
  std::uint32_t filled_ = 0;    // bytes of the packet
  longhaul::nic::BlankRanges blanks_;

  longhaul::RingBuffer<Packet> whole_;  // in the FIFO, ready for the wire
  std::uint32_t leaving_ = 0;           // bytes of the FIFO that the frame on the wire has
  std::uint32_t leaving_control_ = 0;
  longhaul::Timer left_{[this] { frame_left(); }};
  longhaul::RingBuffer<std::uint32_t> statuses_;

  longhaul::Reg32 dma_{parts_.bank, regs::kTxDma};
  longhaul::Reg32 start_threshold_{parts_.bank, regs::kTxStartThresh};
  longhaul::Reg32 status_{parts_.bank, regs::kTxStatus, this, &Tc9021Tx::take_status};
};

}  // namespace tc9021
