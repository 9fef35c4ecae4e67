// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <utility>

#include "models/common/event_queue.h"
#include "models/net/frame/frame_tap.h"
#include "models/net/mac/eth_mac.h"
#include "mynic_ring.h"

namespace mynic {

/// Reads the fragments of frames, gives their last descriptor back, and sends them: one fragment
/// after the other, where the RTL has 16 bursts under way.
class Tx final : public longhaul::FrameSource, private longhaul::pcix::DmaClient {
 public:
  Tx(const Parts& parts, longhaul::EthMac& mac) : parts_(parts), mac_(mac) {}

  void enable(bool on);
  /// No frame waits, and none is on the line.
  bool idle() const { return whole_.empty() && line_is_free(); }
  bool line_is_free() const { return !left_.is_set(); }
  void reset();
  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return ring_.memory(); }

  longhaul::observe::FrameTap taps{"tx_frames", "frames given to the MAC"};

 private:
  std::uint64_t ready_ps() const override { return whole_.empty() || !enabled_ ? kNoFrame : 0; }
  longhaul::FrameRef take_frame() override;
  void dma_done(std::uint64_t tag, longhaul::pcix::DmaStatus status) override;
  void next();
  void end_frame();

  const Parts& parts_;
  longhaul::EthMac& mac_;
  bool enabled_ = false;
  bool busy_ = false;  // with a fragment, or with giving back a descriptor
  Descriptor now_{};
  longhaul::FrameRef frame_;
  std::uint32_t filled_ = 0;
  std::uint32_t buffered_ = 0;
  std::deque<longhaul::FrameRef> whole_;
  longhaul::Timer left_{[this] { parts_.count(regs::kTxGood); }};
  Ring ring_{parts_, regs::kTxRing, [this] { next(); }};
};

}  // namespace mynic
