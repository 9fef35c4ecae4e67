// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/terminator/cpl.h"
#include "models/nic/terminator/mac_part.h"
#include "models/nic/terminator/params.h"
#include "models/nic/terminator/tp.h"

namespace longhaul::nic::terminator {

class SgeTx;
class SgeRx;

/// TP's place between the SGE and ESPI. Every message of the driver's and every received frame
/// passes here, and an engine for TCP has its place here.
///
/// Without one, CPL_TX_PKT becomes a frame, with checksums and VLAN tag, and a frame becomes
/// CPL_RX_PKT, with the sum of TCP or UDP. Other messages go to unhandled().
class TpPath final : public sc_core::sc_module, public FrameSource, public EspiClient {
 public:
  TpPath(const sc_core::sc_module_name& name, const TerminatorParams& params, const Tp& tp,
         const SgeControl& control);

  /// Joins the path to its neighbours. Called once, before the simulation.
  void attach(SgeTx& tx, SgeRx& rx, MacPart& line);
  /// A message of the driver's, which holds `room` bytes of the packet memory.
  void send(cpl::Message message, std::uint32_t room);
  /// The SGE has room for received frames.
  void kick_rx();
  void reset();

  std::uint64_t ready_ps() const override;
  FrameRef take_frame() override;
  bool take_received(const FrameRef& frame, const sc_core::sc_time& began) override;
  void frame_sent(const FrameRef& frame) override;

  observe::Counter unhandled_messages{"unhandled_messages", "1",
                                      "messages of the driver's that only an offload engine knows"};

 private:
  struct Waiting {
    FrameRef frame;
    std::uint32_t room = 0;
    std::uint64_t ready_ps = 0;
  };

  void send_packet(cpl::Message message, std::uint32_t room);
  void unhandled(const cpl::Message& message, std::uint32_t room);

  const TerminatorParams& params_;
  const Tp& tp_;
  const SgeControl& control_;
  SgeTx* tx_ = nullptr;
  SgeRx* rx_ = nullptr;
  MacPart* line_ = nullptr;
  RingBuffer<Waiting> waiting_;  // frames for ESPI
};

}  // namespace longhaul::nic::terminator
