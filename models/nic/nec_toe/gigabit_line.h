// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/common/packet_fifo.h"
#include "models/common/register_bank.h"
#include "models/net/frame/frame_tap.h"
#include "models/net/mac/eth_mac.h"
#include "models/net/mac/pause_watermark.h"
#include "models/nic/blocks/address_filter.h"
#include "models/nic/nec_toe/params.h"
#include "models/nic/nec_toe/regs.h"
#include "models/nic/terminator/espi_client.h"
#include "models/nic/terminator/line.h"

namespace longhaul::nic::nec_toe {

/// A gigabit MAC in front of a Terminator's core, with a receive FIFO, PAUSE by its fill, and the
/// registers of the line.
///
/// It receives frames for its station, and all group addresses. Frames that the core refuses wait
/// in the FIFO. A frame that the FIFO cannot hold is lost.
class GigabitLine final : public sc_core::sc_module,
                          public terminator::Line,
                          private FrameSource,
                          private FrameSink {
 public:
  /// `on_cause` is called when cause() has changed.
  GigabitLine(const sc_core::sc_module_name& name, RegisterBank& bank, EthMac& mac,
              const LineParams& params, const MacAddress& station, std::function<void()> on_cause);

  /// Sets the source of frames to send and the client. Call before the simulation starts.
  void attach(FrameSource& source, terminator::EspiClient& client);
  void kick_rx() override;
  void kick_tx() override { mac_.kick(); }
  /// Whether the link has changed since software read LINE_STATUS: PL_CAUSE.EXT.
  bool cause() const { return changed_; }
  /// Called after the bank has reset the registers.
  void reset();

  observe::Counter filtered{"filtered", "frame", "frames for other stations"};
  observe::Counter overflows{"overflows", "frame", "frames lost because the FIFO was full"};
  observe::FrameTap drops{"drops", "frames lost in the line, with the reason"};

 private:
  struct Waiting {
    FrameRef frame;
    sc_core::sc_time began;
  };
  std::uint64_t ready_ps() const override { return source_->ready_ps(); }
  FrameRef take_frame() override;
  void frame_received(const FrameRef& frame) override;
  void carrier_changed(bool up) override;
  void control_written(std::uint32_t value);
  std::uint32_t status_now();
  void max_frame_written(std::uint32_t value);

  EthMac& mac_;
  AddressFilter filter_{1};
  PacketFifo<Waiting> fifo_;
  PauseWatermark water_mark_{"water_mark", mac_};
  std::function<void()> on_cause_;
  bool changed_ = false;
  FrameSource* source_ = nullptr;
  terminator::EspiClient* client_ = nullptr;
  Reg32 control_;
  Reg32 status_;
  Reg32 max_frame_;
};

}  // namespace longhaul::nic::nec_toe
