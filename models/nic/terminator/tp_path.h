// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/terminator/cpl.h"
#include "models/nic/terminator/espi_client.h"
#include "models/nic/terminator/line.h"
#include "models/nic/terminator/offload/offload_part.h"
#include "models/nic/terminator/params.h"
#include "models/nic/terminator/tp.h"

namespace longhaul::nic::terminator {

class SgeTx;
class SgeRx;

/// TP's place between the SGE and ESPI. Every message of the driver's and every received frame
/// passes here.
///
/// CPL_TX_PKT becomes a frame, with checksums and VLAN tag, and a frame becomes CPL_RX_PKT, with
/// the sum of TCP or UDP. On a board with an offload engine that is enabled, frames pass through
/// its FIFOs, and all other messages go to it. Messages that nobody knows are counted.
class TpPath final : public sc_core::sc_module,
                     public FrameSource,
                     public EspiClient,
                     private OffloadPart::Path {
 public:
  TpPath(const sc_core::sc_module_name& name, const TerminatorParams& params, Tp& tp,
         const SgeControl& control, bool offload, const tcp::TcpParams& tcp);

  /// Joins the path to its neighbours. Called once, before the simulation.
  void attach(SgeTx& tx, SgeRx& rx, Line& line);
  /// A message of the driver's. It holds its room in the packet memory.
  void send(cpl::Message message);
  /// The SGE has room for received frames and messages.
  void kick_rx();
  /// The oldest CPL_RX_DATA in the SGE is in host memory.
  void data_written() { offload_->data_written(); }
  /// Null on a board without an offload engine.
  const OffloadPart* offload() const { return offload_.get(); }
  void reset();

  std::uint64_t ready_ps() const override;
  FrameRef take_frame() override;
  bool take_received(const FrameRef& frame, const sc_core::sc_time& began) override;
  void frame_sent(const FrameRef& frame) override;

  observe::Counter unhandled_messages{"unhandled_messages", "1",
                                      "messages of the driver's that the chip does not know"};

 private:
  struct Waiting {
    FrameRef frame;
    cpl::Room room;
    std::uint64_t ready_ps = 0;
  };

  // OffloadPart::Path.
  bool give_packet(const FrameRef& frame) override;
  bool give_message(RxMessage&& message) override;
  void give_room(const cpl::Room& room) override;
  void frame_ready() override { line_->kick_tx(); }
  void receive_room() override { line_->kick_rx(); }
  void send_room() override { pass_on(); }

  bool offloads() const { return offload_ && offload_->enabled(); }
  void send_packet(cpl::Message message);
  void pass_on();

  const TerminatorParams& params_;
  const Tp& tp_;
  const SgeControl& control_;
  SgeTx* tx_ = nullptr;
  SgeRx* rx_ = nullptr;
  Line* line_ = nullptr;
  RingBuffer<Waiting> waiting_;  // frames for ESPI, or for the engine's FIFO
  Timer pass_on_{[this] { pass_on(); }};
  std::unique_ptr<OffloadPart> offload_;
};

}  // namespace longhaul::nic::terminator
