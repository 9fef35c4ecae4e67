// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/net/frame/frame.h"
#include "platform/cosim/rtl_block.h"
#include "platform/cosim/wire/wire_bytes.h"

namespace longhaul::cosim {

/// GMII from a block's transmitter (IEEE 802.3, clause 35): TXD<7:0>, TX_EN, TX_ER.
struct GmiiTxPins {
  const std::uint8_t* data = nullptr;
  BitPin enable;
  BitPin error;
};

/// Where frames from GMII go; every call comes in SystemC's time of the end of the frame's last
/// byte.
class GmiiSink {
 public:
  virtual ~GmiiSink() = default;
  virtual void frame_sent(const FrameRef& frame) = 0;
  /// Carrier that is no frame: no delimiter, or no byte but an FCS.
  virtual void fragment_sent() = 0;
};

/// Makes frames of what a block sends, with the FCS as it left; a frame with TX_ER has an FCS that
/// is wrong.
class GmiiTx final : public Transactor {
 public:
  GmiiTx(RtlBlock& block, GmiiTxPins pins, GmiiSink& sink)
      : block_(block), pins_(pins), sink_(sink) {}

  void clocked(std::uint64_t edge_ps) override {
    if (pins_.enable.get()) {
      take();
    } else if (active_) {
      end();
    }
  }
  void deliver() override;

 private:
  void take();
  void end();

  RtlBlock& block_;
  GmiiTxPins pins_;
  GmiiSink& sink_;
  WireFrame frame_;
  bool active_ = false;     // TX_EN was high
  bool delimited_ = false;  // and the delimiter has been seen
  FrameRef done_;
};

}  // namespace longhaul::cosim
