// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>
#include <utility>

#include "models/common/engine.h"
#include "models/common/ring_buffer.h"
#include "models/net/mac/eth_mac.h"
#include "models/net/mac/pause_watermark.h"
#include "models/nic/dp83820/descriptor_list.h"
#include "models/nic/dp83820/mib.h"
#include "models/nic/dp83820/parts.h"
#include "models/nic/dp83820/rx_filter.h"

namespace longhaul::nic::dp83820 {

/// The receive unit: MAC -> filter -> FIFO -> list in host memory.
///
/// A frame that passes the checks enters the FIFO when its last bit has arrived; without room it is
/// missed. Its data may leave the FIFO `rx_latency` later. The engine spends rx_packet_clocks a
/// packet and rx_descriptor_clocks a descriptor, and has one burst of at most RXCFG.MXDMA bytes on
/// the bus at a time. The descriptor's status is written after the data.
class Dp83820Rx final : public sc_core::sc_module,
                        public FrameSink,
                        private ListUser,
                        private pcix::DmaClient {
 public:
  Dp83820Rx(const sc_core::sc_module_name& name, const Dp83820Parts& parts,
            std::function<void(bool up)> carrier_changed);

  /// CR.RXE and CR.RXD: enable() accepts frames and starts the list. disable() stops after the
  /// present frame.
  void enable();
  void disable();
  /// The value of CR.RXE.
  bool active() const { return !list_.rests(); }
  void reset();
  /// Called after the bank has reset the registers.
  void settings_changed();
  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return list_.memory(); }
  RxFilter& filter() { return filter_; }

  void frame_received(const FrameRef& frame) override;
  void frame_refused(const FrameRef& frame, RxFault fault) override;
  void carrier_changed(bool up) override { carrier_changed_(up); }

  const Engine& engine() const { return engine_; }

  observe::Counter frames{"frames", "frame", "frames written to host memory"};
  observe::Counter bytes{"bytes", "B", "bytes of them, as written"};
  observe::Counter missed{"missed", "frame", "frames lost because the FIFO was full"};
  observe::Counter filtered{"filtered", "frame", "frames for other stations, or of other kinds"};
  observe::Counter refused{"refused", "frame", "frames with a wrong FCS, length or checksum"};
  observe::Counter discarded{"discarded", "frame", "frames lost to resets and errors on the bus"};
  observe::FrameTap taps{"taps", "frames taken into the FIFO, and those dropped, with the reason"};
  observe::SpanTap starved{
      "starved", "frames wait and no receive descriptor is there; arg0 bytes in the FIFO"};
  observe::Level fifo_fill{"fifo_fill", "B", "bytes in the FIFO"};

 private:
  struct Item {
    FrameRef frame;
    std::uint32_t skip = 0;     // bytes at the front that are not written: a stripped tag
    std::uint32_t command = 0;  // status bits
    std::uint32_t extended = 0;
    std::uint32_t reserved = 0;  // bytes of the FIFO
    std::uint64_t ready_ps = 0;
    std::uint32_t length() const { return frame->size() - skip; }
  };

  void descriptor_arrived() override;
  bool descriptor_returned() override;
  void list_ended() override;
  void list_failed(pcix::DmaStatus status) override;
  void dma_done(std::uint64_t tag, pcix::DmaStatus status) override;

  void take_in(const FrameRef& frame, Destination destination, std::uint32_t status);
  bool wanted_tag(bool tagged) const;
  std::uint32_t check_sums(const Frame& frame) const;
  void strip(Item& item) const;
  Step step();
  Step next_burst();
  void end_descriptor(bool last);
  void note_starving(bool starving);
  void release(std::uint32_t reserved);
  void lose_front(const char* why);
  void drop(const FrameRef& frame, observe::Counter& counter, const char* why);
  std::uint32_t footprint(std::uint32_t octets) const;
  void lengths_changed();
  void update_pause();

  Dp83820Parts parts_;
  std::function<void(bool)> carrier_changed_;
  RxFilter filter_;
  Mib mib_;
  DescriptorList list_;
  Engine engine_;
  PauseWatermark pause_;
  bool enabled_ = false;

  RingBuffer<Item> items_;
  bool open_ = false;            // the front item is being written
  bool taken_ = false;           // the present descriptor belongs to it
  bool writing_ = false;         // a burst is on the bus
  bool ended_well_ = false;      // the descriptor that is being given back ends a good frame
  bool ends_ = false;            // that descriptor ends a frame
  std::uint32_t written_ = 0;    // bytes of the front item
  std::uint32_t in_buffer_ = 0;  // of these, bytes in the present descriptor's buffer
  std::uint32_t burst_ = 0;
  bool starving_ = false;
  std::uint64_t starving_since_ps_ = 0;

  Reg32 rxcfg_{parts_.bank, regs::kRxcfg, this, &Dp83820Rx::lengths_changed};
  Reg32 vrcr_{parts_.bank, regs::kVrcr, this, &Dp83820Rx::lengths_changed};
  Reg32 pcr_{parts_.bank, regs::kPcr, this, &Dp83820Rx::update_pause};
};

}  // namespace longhaul::nic::dp83820
