// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include "models/common/register_bank.h"
#include "models/net/frame/frame_tap.h"
#include "models/net/mac/eth_mac.h"
#include "mynic_ring.h"

namespace mynic {

/// Judges received frames, keeps the good ones until there are descriptors, and writes them to
/// memory.
class Rx final : public longhaul::FrameSink, private longhaul::pcix::DmaClient {
 public:
  Rx(const Parts& parts, const longhaul::Reg32& ctrl) : parts_(parts), ctrl_(ctrl) {}

  void enable(bool on) { ring_.enable(on); }
  void reset();
  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return ring_.memory(); }

  longhaul::observe::FrameTap taps{"rx_frames", "frames that were received and kept"};

 private:
  static constexpr std::size_t kMostFrames = 256;

  void frame_received(const longhaul::FrameRef& frame) override;
  void frame_refused(const longhaul::FrameRef& frame, longhaul::RxFault fault) override;
  bool is_for_us(const longhaul::Frame& frame) const;
  void lose(const longhaul::FrameRef& frame, regs::Count why, const char* text);
  void dma_done(std::uint64_t tag, longhaul::pcix::DmaStatus status) override;
  void next();

  const Parts& parts_;
  const longhaul::Reg32& ctrl_;
  bool busy_ = false;
  std::uint16_t index_ = 0;
  std::uint32_t buffered_ = 0;
  std::deque<longhaul::FrameRef> frames_;
  longhaul::Reg32 mac_low_{parts_.bank, regs::kMacLow};
  longhaul::Reg32 mac_high_{parts_.bank, regs::kMacHigh};
  longhaul::Reg32 hash_low_{parts_.bank, regs::kHashLow};
  longhaul::Reg32 hash_high_{parts_.bank, regs::kHashHigh};
  longhaul::Reg32 buf_size_{parts_.bank, regs::kRxBufSize};
  Ring ring_{parts_, regs::kRxRing, [this] { next(); }};
};

}  // namespace mynic
