// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/common/register_bank.h"
#include "models/common/units.h"
#include "models/net/frame/frame_tap.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/terminator/elmer0.h"
#include "models/nic/terminator/espi.h"
#include "models/nic/terminator/espi_client.h"
#include "models/nic/terminator/line.h"
#include "models/nic/terminator/mac_params.h"
#include "models/nic/terminator/mi1.h"
#include "models/nic/terminator/phy_board.h"
#include "models/nic/terminator/pm3393.h"
#include "models/nic/terminator/tpi.h"

namespace longhaul::nic::terminator {

/// All that lies between the Terminator's core and the fibre: TPI, ESPI with its SPI-4.2 bus,
/// Elmer0 with its MDIO station, the PM3393 around an EthMac, and the PHY.
///
/// Registers of TPI and ESPI are in the adapter's bank, at their offsets in cxgb's regs.h. Frames
/// carry no FCS, unless the PM3393 does not strip it. The chip's FrameSource is asked as an EthMac
/// would ask it: take_frame() comes when SPI-4.2 is free and the egress FIFO has credit.
class MacPart final : public sc_core::sc_module, public Line {
 public:
  /// `core_clock` is that of the Terminator (125 MHz). `on_cause` is called when external_cause()
  /// or espi_cause() has changed. `params` and `bank` must outlive this object.
  MacPart(const sc_core::sc_module_name& name, RegisterBank& bank, EthMac& mac,
          const MacPartParams& params, Board board, Frequency core_clock,
          std::function<void()> on_cause);

  /// Sets the source of frames to send and the client. Call before the simulation starts.
  void attach(FrameSource& source, EspiClient& client);
  void kick_rx() override { espi_.kick_rx(); }
  void kick_tx() override { espi_.kick_tx(); }

  /// Elmer0 asks for an interrupt: PL_CAUSE.EXT.
  bool external_cause() const { return elmer0_.interrupt(); }
  /// ESPI asks for an interrupt: PL_CAUSE.ESPI.
  bool espi_cause() const { return espi_.cause(); }
  bool interrupt() const { return external_cause() || espi_cause(); }
  bool link_up() const { return phy_.link(); }
  /// Reset of the Terminator. It empties ESPI, and resets TPI and Elmer0; Elmer0's outputs then
  /// hold the PM3393 and the PHY in reset. The caller resets the RegisterBank.
  void reset();

  Tpi& tpi() { return tpi_; }
  Elmer0& elmer0() { return elmer0_; }
  BoardPhy& phy() { return phy_; }
  Espi& espi() { return espi_; }
  Pm3393& pm3393() { return pm3393_; }

  observe::Counter rx_overflows{"rx_overflows", "frame",
                                "frames lost because the ingress FIFO was full"};
  observe::Counter rx_filtered{"rx_filtered", "frame", "frames for other stations"};
  observe::Counter rx_refused{"rx_refused", "frame",
                              "frames that RXXG refused for their length or length field"};
  observe::Counter tx_refused{"tx_refused", "frame", "frames lost in the PM3393 on their way out"};
  observe::Level link_led{"link_led", "1", "the link LED is lit"};
  observe::Level activity_led{"activity_led", "1", "the activity LED is lit"};
  observe::FrameTap drops{"drops", "frames lost in the PM3393 or ESPI, with the reason"};

 private:
  void outputs_changed(std::uint32_t outputs);
  void update();

  EthMac& mac_;
  std::function<void()> on_cause_;
  const Board board_;
  EspiClient* client_ = nullptr;
  bool was_up_ = false;
  bool lit_ = false;  // the last settings of the EthMac
  bool sends_ = false;
  bool built_ = false;
  Elmer0 elmer0_;
  BoardPhy phy_;
  Mi1 mi1_;
  Tpi tpi_;
  Espi espi_;
  Pm3393 pm3393_;
};

}  // namespace longhaul::nic::terminator
