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
#include "models/nic/terminator/mac_params.h"

namespace longhaul::nic::terminator {

/// The board around the Terminator: its PHY, and the address of the PHY on the management bus.
enum class Board {
  kN110,       ///< 1425:0007, Marvell 88X2010 with optics, PHY address 0
  kT110Cx4,    ///< 1425:0008, MYSTICOM MY3126 with CX4, PHY address 1
  kT110Fibre,  ///< 1425:0006, XPAK module, PHY address 1
};

/// The Terminator's side of ESPI.
class EspiClient {
 public:
  virtual ~EspiClient() = default;
  /// A received frame is complete in ESPI's receive FIFO. `began` is the time at which its first
  /// bit was on the fibre. Returns whether it was taken; otherwise it stays, and is offered again
  /// after MacPart::kick_rx().
  virtual bool take_received(const FrameRef& frame, const sc_core::sc_time& began) = 0;
  /// The first bit of a sent frame is on the fibre now.
  virtual void frame_sent(const FrameRef& frame) {}
  /// link_up() has changed.
  virtual void link_changed(bool up) {}
};

/// All that lies between the Terminator's core and the fibre: TPI, ESPI with its SPI-4.2 bus,
/// Elmer0 with its MDIO station, the PM3393 around an EthMac, and the PHY.
///
/// Registers of TPI and ESPI are in the adapter's bank, at their offsets in cxgb's regs.h. Frames
/// carry no FCS, unless the PM3393 does not strip it. The chip's FrameSource is asked as an EthMac
/// would ask it: take_frame() comes when SPI-4.2 is free and the egress FIFO has credit.
class MacPart final : public sc_core::sc_module {
 public:
  /// `core_clock` is that of the Terminator (125 MHz). `on_cause` is called when external_cause()
  /// or espi_cause() has changed. `params` and `bank` must outlive this object.
  MacPart(const sc_core::sc_module_name& name, RegisterBank& bank, EthMac& mac,
          const MacPartParams& params, Board board, Frequency core_clock,
          std::function<void()> on_cause);
  ~MacPart() override;

  /// Sets the source of frames to send and the client. Call before the simulation starts.
  void attach(FrameSource& source, EspiClient& client);
  /// The client may take a frame that it refused.
  void kick_rx();
  /// The answer of FrameSource::ready_ps() may have become earlier.
  void kick_tx();

  /// Elmer0 asks for an interrupt: PL_CAUSE.EXT.
  bool external_cause() const;
  /// ESPI asks for an interrupt: PL_CAUSE.ESPI.
  bool espi_cause() const;
  bool interrupt() const { return external_cause() || espi_cause(); }
  bool link_up() const;
  /// Reset of the Terminator. It empties ESPI, and resets TPI and Elmer0; Elmer0's outputs then
  /// hold the PM3393 and the PHY in reset. The caller resets the RegisterBank.
  void reset();

  observe::Counter rx_overflows{"rx_overflows", "frame",
                                "frames lost because the ingress FIFO was full"};
  observe::Counter rx_filtered{"rx_filtered", "frame", "frames for other stations"};
  observe::Counter rx_refused{"rx_refused", "frame",
                              "frames that RXXG refused: length field or larger than a FIFO"};
  observe::Counter tx_refused{"tx_refused", "frame",
                              "frames that TXXG refused: longer than TXXG_MAX_FRAME_SIZE"};
  observe::FrameTap drops{"drops", "frames lost in the PM3393 or ESPI, with the reason"};
};

}  // namespace longhaul::nic::terminator
