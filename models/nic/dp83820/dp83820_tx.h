// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <utility>

#include "models/common/engine.h"
#include "models/common/event_queue.h"
#include "models/common/ring_buffer.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/blank_ranges.h"
#include "models/nic/blocks/tx_sums.h"
#include "models/nic/dp83820/descriptor_list.h"
#include "models/nic/dp83820/parts.h"

namespace longhaul::nic::dp83820 {

/// The transmit unit: list in host memory -> FIFO -> MAC.
///
/// The engine spends tx_descriptor_clocks a descriptor and tx_packet_clocks a packet. It has one
/// burst of at most TXCFG.MXDMA bytes on the bus at a time, for which the FIFO has room. A
/// descriptor is given back when its data are in the FIFO.
///
/// A frame may start `tx_latency` after it is complete in the FIFO, with checksums and tag. Its
/// room is free again when its last bit has left.
class Dp83820Tx final : public sc_core::sc_module,
                        public FrameSource,
                        private ListUser,
                        private pcix::DmaClient {
 public:
  Dp83820Tx(const sc_core::sc_module_name& name, const Dp83820Parts& parts);

  /// CR.TXE and CR.TXD: enable() starts the list. disable() stops it after the present descriptor.
  void enable();
  void disable() { enabled_ = false; }
  /// The value of CR.TXE.
  bool active() const { return !list_.rests(); }
  void reset();
  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return list_.memory(); }

  std::uint64_t ready_ps() const override;
  FrameRef take_frame() override;

  const Engine& engine() const { return engine_; }

  observe::Counter frames{"frames", "frame", "frames given to the MAC"};
  observe::Counter bytes{"bytes", "B", "bytes of them, FCS included"};
  observe::Counter discarded{"discarded", "frame",
                             "packets lost to resets, errors on the bus, or a small FIFO"};
  observe::FrameTap taps{"taps", "frames given to the MAC, and those dropped, with the reason"};
  observe::Level fifo_fill{"fifo_fill", "B", "bytes in the FIFO"};

 private:
  struct Packet {
    FrameRef frame;
    std::uint32_t reserved = 0;  // bytes of the FIFO
    std::uint64_t ready_ps = 0;
  };

  void descriptor_arrived() override;
  bool descriptor_returned() override;
  void list_ended() override;
  void list_failed(pcix::DmaStatus status) override;
  void dma_done(std::uint64_t tag, pcix::DmaStatus status) override;
  void dma_blank(std::uint64_t tag, std::uint8_t* data, std::uint32_t length) override;

  void txcfg_written(std::uint32_t value);
  Step step();
  void open_packet();
  Step next_burst();
  void end_descriptor();
  void close_packet();
  void forget_packet(const char* why);
  void drop(const FrameRef& frame, const char* why);
  void give_room(std::uint32_t reserved);
  TxSums sums() const;
  bool tagged() const;

  Dp83820Parts parts_;
  DescriptorList list_;
  Engine engine_;
  bool enabled_ = false;

  // The packet that is being read.
  FrameRef frame_;
  std::uint8_t* data_ = nullptr;
  bool open_ = false;
  bool bad_ = false;
  bool taken_ = false;        // the present descriptor is being read
  bool reading_ = false;      // a burst is on the bus
  std::uint32_t done_ = 0;    // bytes of the present descriptor
  std::uint32_t burst_ = 0;   // bytes of the burst on the bus
  std::uint32_t filled_ = 0;  // bytes of the packet
  BlankRanges blanks_;

  RingBuffer<Packet> whole_;   // complete in the FIFO, ready for the wire
  std::uint32_t leaving_ = 0;  // bytes of the FIFO that the frame on the wire occupies
  Timer left_{[this] { give_room(std::exchange(leaving_, 0)); }};

  Reg32 txcfg_{parts_.bank, regs::kTxcfg, this, &Dp83820Tx::txcfg_written};
  Reg32 vtcr_{parts_.bank, regs::kVtcr};
  Reg32 vdr_{parts_.bank, regs::kVdr};
};

}  // namespace longhaul::nic::dp83820
