// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "platform/cosim/gmii_tx.h"
#include "platform/cosim/rtl_block.h"
#include "platform/cosim/wire/wire_bytes.h"
#include "platform/cosim/wire/xgmii_checker.h"

namespace longhaul::cosim {

/// Makes frames from a block's XGMII transmitter, with the FCS that the block sent. A frame with an
/// error character, or without terminate, gets a wrong FCS. A frame is passed on at the edge of its
/// terminate. It sleeps while all lanes are idle.
class XgmiiTx final : public Transactor {
 public:
  /// `checker_sink` gets the checker's violations; nullptr: no checker. Throws
  /// std::invalid_argument for pins of wrong widths.
  XgmiiTx(RtlBlock& block, ClockDomain& clock, const XgmiiPins& pins, const std::string& name,
          GmiiSink& sink, CheckerSink* checker_sink);

  void clocked(std::uint64_t edge_ps) override;
  void deliver() override;
  const XgmiiChecker* checker() const { return checker_.get(); }

 private:
  void take(std::uint8_t character, bool control);
  void end();

  RtlBlock& block_;
  Watcher& watcher_;
  XgmiiPins pins_;
  GmiiSink& sink_;
  std::unique_ptr<XgmiiChecker> checker_;
  WireFrame frame_;
  bool active_ = false;     // start was seen
  bool delimited_ = false;  // the delimiter was seen
  FrameRef done_;
  bool fragment_ = false;
};

}  // namespace longhaul::cosim
