// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <utility>

#include "models/common/engine.h"
#include "models/common/ring_buffer.h"
#include "models/nic/genesis/bmu.h"
#include "models/nic/genesis/parts.h"
#include "models/nic/genesis/ram_buffer.h"

namespace longhaul::nic::genesis {

/// The receive unit of one port: XMAC FIFO -> MAC FIFO -> RAM buffer -> BMU -> host memory.
///
/// A frame leaves the XMAC's FIFO when the RAM buffer has taken all of it; until then it occupies
/// room in both. It may continue `rx_latency` later. The engine spends rx_packet_clocks a frame and
/// rx_descriptor_clocks a descriptor.
///
/// Data are read from the RAM in portions of the flag register's watermark, at most two at a time.
/// The descriptor is given back after the last portion.
class GenesisRx final : public sc_core::sc_module, public XmacReceiver, private BmuUser {
 public:
  GenesisRx(const sc_core::sc_module_name& name, const GenesisParts& parts);

  /// The unit's bits of ISRC: end of buffer, end of frame, check error.
  std::uint32_t causes() const { return bmu_.causes(); }
  /// Chip reset. Called after the DMA engine was told to abandon all transfers and the bank has
  /// reset the registers.
  void reset();
  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return bmu_.ring_memory(); }

  void frame_waits() override;
  void fifo_flushed() override;

  const Engine& engine() const { return engine_; }
  const Bmu& bmu() const { return bmu_; }
  const RamBuffer& ram() const { return ram_; }

  observe::Counter frames{"frames", "frame", "frames written to host memory"};
  observe::Counter bytes{"bytes", "B", "bytes of them, as written"};
  observe::Counter discarded{"discarded", "frame",
                             "frames lost to resets, errors on the bus, or a small RAM buffer"};
  observe::FrameTap taps{"taps",
                         "frames taken into the RAM buffer, and those dropped, with the reason"};
  observe::SpanTap starved{
      "starved",
      "frames wait and no receive descriptor is there; arg0 quadwords in the RAM buffer"};

 private:
  struct Item {
    FrameRef frame;
    std::uint32_t status = 0;
    std::uint32_t quadwords = 0;  // of the RAM buffer, status included
    std::uint64_t ready_ps = 0;
  };

  void bmu_ready() override { engine_.kick(); }
  void data_moved() override { engine_.kick(); }
  void data_blank(std::uint8_t*, std::uint32_t) override {}
  void descriptor_returned() override;
  void bmu_aborted(const char* why) override;

  void take_in();
  void taken_in();
  void let_go_incoming();
  void ram_emptied();
  void update_pause();
  Step step();
  void open_frame();
  Step next_portion();
  void portion_read();
  void end_buffer();
  void give_back_room(std::uint32_t quadwords);
  void note_starving(bool starving);
  void drop(const FrameRef& frame, const char* why);
  std::uint32_t footprint(std::uint32_t length) const;
  void report_front();
  void pop_front();
  void mff_ctrl1_written(std::uint32_t value);
  void mff_ctrl2_written(std::uint32_t value);
  bool passes() const { return mff_operates_ && !mff_held_ && ram_.enabled(); }

  GenesisParts parts_;
  RamBuffer ram_;
  Bmu bmu_;
  Engine engine_;
  RingBuffer<Item> items_;                // complete in the RAM buffer
  RingBuffer<std::uint64_t> arrived_ps_;  // of the frames in the XMAC's FIFO
  bool front_reported_ = false;           // the first of these frames was reported on the tap
  FrameRef incoming_;                     // on its way into the RAM buffer
  std::uint32_t incoming_status_ = 0;

  Item current_;  // being written to memory
  bool open_ = false;
  std::uint32_t done_ = 0;         // bytes of it that have left the RAM buffer
  std::uint32_t held_ = 0;         // quadwords of the RAM buffer that it still occupies
  std::uint32_t buffer_at_ = 0;    // value of done_ at the start of the present buffer
  std::uint32_t buffer_take_ = 0;  // bytes that go into that buffer
  std::uint32_t portion_ = 0;      // bytes being read

  bool mff_held_ = true;
  bool mff_operates_ = false;
  bool pause_on_ = false;
  bool starving_ = false;
  std::uint64_t starving_since_ps_ = 0;

  Reg32 mff_ctrl1_{parts_.bank, regs::kRxMffCtrl1, this, &GenesisRx::mff_ctrl1_written};
  Reg32 mff_ctrl2_{parts_.bank, regs::kRxMffCtrl2, this, &GenesisRx::mff_ctrl2_written};
};

}  // namespace longhaul::nic::genesis
