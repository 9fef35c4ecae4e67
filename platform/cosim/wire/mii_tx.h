// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "platform/cosim/gmii_tx.h"
#include "platform/cosim/rtl_block.h"
#include "platform/cosim/wire/mii_checker.h"
#include "platform/cosim/wire/mii_pins.h"
#include "platform/cosim/wire/wire_bytes.h"

namespace longhaul::cosim {

/// Makes frames from a block's MII transmitter, with the FCS that the block sent. A frame with
/// TX_ER, or with an odd number of nibbles, gets a wrong FCS.
class MiiTx final : public Transactor {
 public:
  /// `checker_sink` gets the checker's violations; nullptr: no checker. `name` is that of the pins
  /// in messages.
  MiiTx(RtlBlock& block, ClockDomain& clock, const MiiPins& pins, const std::string& name,
        GmiiSink& sink, CheckerSink* checker_sink);

  void clocked(std::uint64_t edge_ps) override;
  void deliver() override;

 private:
  void take(std::uint32_t nibble);

  RtlBlock& block_;
  MiiPins pins_;
  GmiiSink& sink_;
  std::unique_ptr<MiiChecker> checker_;
  WireFrame frame_;
  bool active_ = false;     // TX_EN was high
  bool delimited_ = false;  // the delimiter has been seen
  bool half_ = false;       // low_ waits for its high nibble
  std::uint32_t low_ = 0;
  FrameRef done_;
};

}  // namespace longhaul::cosim
