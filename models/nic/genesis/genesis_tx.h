// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <systemc>
#include <utility>

#include "models/common/engine.h"
#include "models/common/event_queue.h"
#include "models/common/ring_buffer.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/blank_ranges.h"
#include "models/nic/genesis/bmu.h"
#include "models/nic/genesis/parts.h"
#include "models/nic/genesis/ram_buffer.h"

namespace longhaul::nic::genesis {

/// The transmit unit of one port: host memory -> BMU (queue XA1) -> RAM buffer -> MAC FIFO -> XMAC
/// FIFO.
///
/// The engine spends tx_descriptor_clocks a descriptor and tx_packet_clocks a frame. Data go into
/// the RAM buffer as they come from the bus. A descriptor is given back when its data are there.
///
/// A frame leaves the RAM buffer when it is complete there (store and forward) and the XMAC's FIFO
/// has room. It may start on the wire `tx_latency` after TX_THR words, or all of it, are in that
/// FIFO. The synchronous queue XS1 has registers but no function.
class GenesisTx final : public sc_core::sc_module, public FrameSource, private BmuUser {
 public:
  GenesisTx(const sc_core::sc_module_name& name, const GenesisParts& parts);

  /// The unit's bits of ISRC: end of buffer, end of frame, check error.
  std::uint32_t causes() const { return bmu_.causes(); }
  /// Chip reset. Called after the DMA engine was told to abandon all transfers and the bank has
  /// reset the registers. Puts the XMAC into reset.
  void reset();
  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return bmu_.ring_memory(); }
  /// Empties the XMAC's transmit FIFO, for Xmac::attach().
  void flush_fifo();

  std::uint64_t ready_ps() const override;
  FrameRef take_frame() override;

  const Engine& engine() const { return engine_; }
  const Bmu& bmu() const { return bmu_; }
  const RamBuffer& ram() const { return ram_; }

  observe::Counter frames{"frames", "frame", "frames given to the XMAC"};
  observe::Counter bytes{"bytes", "B", "bytes of them, FCS included"};
  observe::Counter discarded{"discarded", "frame",
                             "frames lost to resets, errors on the bus, or bad descriptors"};
  observe::FrameTap taps{"taps", "frames given to the XMAC, and those dropped, with the reason"};
  observe::Level fifo_fill{"fifo_fill", "B", "bytes in the XMAC's transmit FIFO"};

 private:
  struct Packet {
    FrameRef frame;
    std::uint32_t size = 0;       // as the driver gave it
    std::uint32_t quadwords = 0;  // of the RAM buffer, that it still occupies
    std::uint64_t ready_ps = 0;
  };
  /// The first frame in the RAM buffer.
  struct Front {
    std::uint32_t moved = 0;    // bytes of it in the XMAC's FIFO
    std::uint32_t portion = 0;  // bytes of it on their way to that FIFO
    bool sent_on = false;       // it may start on the wire
    bool taken = false;         // it has started
  };
  /// The frame on the wire.
  struct Wire {
    std::uint32_t in = 0;       // bytes of it that have come into the XMAC's FIFO
    std::uint32_t drained = 0;  // of these, bytes that are known to have left
    std::uint64_t from_ps = 0;  // when its first byte leaves
  };

  void bmu_ready() override { engine_.kick(); }
  void data_moved() override { buffer_moved(); }
  void data_blank(std::uint8_t* data, std::uint32_t length) override;
  void bmu_aborted(const char* why) override;

  void add_synchronous_queue();
  void look_again();
  Step step();
  Step next_descriptor();
  Step next_buffer();
  void open_frame(std::uint32_t length, bool whole);
  void buffer_moved();
  void end_buffer();
  void close_frame();
  void forget_frame(const char* why);
  void drop(const FrameRef& frame, const char* why);
  void ram_emptied();

  // From the RAM buffer to the wire: genesis_tx_output.cc.
  void move_on();
  void portion_moved();
  bool room_for(std::uint32_t length);
  void settle_wire();
  std::uint32_t threshold() const;
  void lose_front(const char* why);
  std::uint32_t mff_ctrl1_now() const {
    return parts_.xmac.in_reset() ? regs::kTxMffCtrl1Fields.set_mac_rst : 0U;
  }
  void mff_ctrl1_written(std::uint32_t value);
  void mff_ctrl2_written(std::uint32_t value);
  bool passes() const {
    return mff_operates_ && !mff_held_ && ram_.enabled() && !parts_.xmac.in_reset();
  }

  GenesisParts parts_;
  RamBuffer ram_;
  Bmu bmu_;
  Engine engine_;

  // The frame that is being read from memory.
  bool open_ = false;
  bool bad_ = false;
  FrameRef frame_;
  std::uint8_t* data_ = nullptr;
  std::uint32_t filled_ = 0;  // bytes of it in the RAM buffer
  std::uint32_t asked_ = 0;   // bytes of it on their way to the RAM buffer
  std::uint32_t held_ = 0;    // quadwords of the RAM buffer that it occupies
  bool moving_buffer_ = false;
  BlankRanges blanks_;

  RingBuffer<Packet> stored_;  // complete in the RAM buffer, except for what has left of the front
  Front front_;
  RingBuffer<Packet> fifo_;  // in the XMAC's FIFO, ready for the wire
  Wire wire_;
  Timer room_timer_{[this] { move_on(); }};

  bool mff_held_ = true;
  bool mff_operates_ = false;

  Reg32 mff_ctrl1_{parts_.bank, regs::kTxMffCtrl1, this, &GenesisTx::mff_ctrl1_now,
                   &GenesisTx::mff_ctrl1_written};
  Reg32 mff_ctrl2_{parts_.bank, regs::kTxMffCtrl2, this, &GenesisTx::mff_ctrl2_written};
  std::deque<Reg32> unused_;  // XS1 and its RAM buffer
};

}  // namespace longhaul::nic::genesis
