// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/net/frame/frame.h"
#include "platform/cosim/rtl_block.h"
#include "platform/cosim/wire/gmii_checker.h"
#include "platform/cosim/wire/wire_bytes.h"

namespace longhaul::cosim {

/// GMII from a block's transmitter (IEEE 802.3, clause 35): TXD<7:0>, TX_EN, TX_ER.
struct GmiiTxPins {
  const std::uint8_t* data = nullptr;
  BitPin enable;
  BitPin error;
};

/// Receives frames from GMII. Every call comes in SystemC's time of the end of the frame's last
/// byte.
class GmiiSink {
 public:
  virtual ~GmiiSink() = default;
  virtual void frame_sent(const FrameRef& frame) = 0;
  /// Carrier without a frame: no delimiter, or no byte except an FCS.
  virtual void fragment_sent() = 0;
};

/// Makes frames from a block's transmitter, with the FCS that the block sent. A frame with TX_ER
/// gets a wrong FCS.
class GmiiTx final : public Transactor {
 public:
  /// `name` is that of the pins in messages. `checker_sink` gets the checker's violations; nullptr:
  /// no checker.
  GmiiTx(RtlBlock& block, ClockDomain& clock, GmiiTxPins pins, const std::string& name,
         GmiiSink& sink, CheckerSink* checker_sink);

  void clocked(std::uint64_t edge_ps) override {
    const bool enable = pins_.enable.get();
    if (checker_) checker_->check(enable, pins_.error.get(), *pins_.data, edge_ps);
    if (enable) return take();
    if (active_) return end();
    if (!checker_ || checker_->rests()) watcher_.sleep();
  }
  void deliver() override;

 private:
  void take();
  void end();

  RtlBlock& block_;
  Watcher& watcher_;
  GmiiTxPins pins_;
  GmiiSink& sink_;
  std::unique_ptr<GmiiChecker> checker_;
  WireFrame frame_;
  bool active_ = false;     // TX_EN was high
  bool delimited_ = false;  // the delimiter has been seen
  FrameRef done_;
};

}  // namespace longhaul::cosim
