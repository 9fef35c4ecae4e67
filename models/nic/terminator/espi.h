// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/common/packet_fifo.h"
#include "models/common/register_bank.h"
#include "models/common/units.h"
#include "models/net/frame/frame_tap.h"
#include "models/nic/terminator/espi_client.h"
#include "models/nic/terminator/espi_command.h"
#include "models/nic/terminator/espi_lane.h"
#include "models/nic/terminator/mac_params.h"
#include "models/nic/terminator/pm3393_egress.h"
#include "models/nic/terminator/pm3393_ingress.h"
#include "models/nic/terminator/regs_mac.h"

namespace longhaul::nic::terminator {

/// ESPI, the Terminator's end of SPI-4.2, as in revision T1B: registers, the receive FIFO, and the
/// lane to the egress FIFO of the PM3393.
///
/// Receiving: frames wait in the FIFO until the client takes them. At the almost-full watermark the
/// FIFO is satisfied, and the PM3393 waits. A frame that arrives while no whole frame waits drains
/// into the core as it arrives, whatever the watermark says. A frame that overruns the FIFO is lost
/// and counted in RX_DROP_COUNT0.
///
/// Sending: takes a frame of the source when the lane is free and the egress FIFO has credit. The
/// credit is MAXBURST1 blocks for a starving FIFO, and MAXBURST2 for a hungry one.
///
/// T1B's fault: with an interrupt enabled, the first frame sets RXDROP though nothing was lost, and
/// no write clears it.
class Espi final : public sc_core::sc_module, public IngressReceiver {
 public:
  struct Owner {
    std::function<void()> cause_changed;
    std::function<bool()> has_clock;       ///< the PM3393 drives SPI-4.2's clock
    std::function<void()> credit_changed;  ///< credit() may have grown
    Pm3393Egress* egress;                  ///< set before the first frame
  };
  Espi(const sc_core::sc_module_name& name, RegisterBank& bank, const MacPartParams& params,
       Frequency core_clock, observe::FrameTap& drops, Owner owner);

  void attach(Pm3393Egress& egress, FrameSource& source, EspiClient& client);
  /// Offers the frames that wait to the client.
  void kick_rx();
  /// The source may have a frame, or the egress FIFO may have credit.
  void kick_tx();
  bool cause() const { return cause_; }
  void reset();

  // ---- the PM3393's sender
  std::uint32_t credit(std::uint32_t burst) override;
  void moved(std::uint32_t bytes) override;
  void arrived(const FrameRef& frame, const sc_core::sc_time& began) override;
  void aborted() override;

  observe::Counter rx_drops{"rx_drops", "frame", "frames lost because ESPI's FIFO was full"};

 private:
  struct Item {
    FrameRef frame;
    sc_core::sc_time began;
  };
  std::uint64_t watermark() const;
  bool reports_status() const;
  void lose(const FrameRef& frame);
  std::uint32_t status_now() const;
  void status_written(std::uint32_t value);
  void train_written();
  void update_cause();
  std::uint32_t tx_credit();
  void tx_done();

  const MacPartParams& params_;
  observe::FrameTap& drops_;
  Owner owner_;
  FrameSource* source_ = nullptr;
  EspiClient* client_ = nullptr;
  PacketFifo<Item> fifo_;
  std::uint64_t coming_ = 0;  // bytes of the frame that is arriving
  bool overrun_ = false;      // it has overrun the FIFO
  bool delivering_ = false;
  bool taking_ = false;
  bool cause_ = false;
  bool false_drop_ = false;  // T1B's fault
  std::uint32_t status_ = 0;
  std::uint32_t drop_count_ = 0;
  FrameRef sending_;
  EspiLane lane_;
  Timer ready_{[this] { kick_tx(); }};
  EspiCommand command_;
  Reg32 almost_empty_;
  Reg32 almost_full_;
  Reg32 port_config_;
  Reg32 status_enable_;
  Reg32 max_burst_;
  Reg32 train_;
  Reg32 drop0_;
  Reg32 dip4_;
  Reg32 intr_status_;
  Reg32 intr_enable_;
  Reg32 rx_reset_;
  Reg32 misc_;
  std::deque<Reg32> plain_;
};

}  // namespace longhaul::nic::terminator
