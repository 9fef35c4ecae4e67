// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/packet_fifo.h"
#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/net/mac/pause_watermark.h"
#include "models/nic/terminator/espi_lane.h"
#include "models/nic/terminator/mac_params.h"
#include "models/nic/terminator/pm3393_filter.h"
#include "models/nic/terminator/pm3393_flx.h"
#include "models/nic/terminator/pm3393_parts.h"

namespace longhaul::nic::terminator {

/// The far end of SPI-4.2 for received frames.
class IngressReceiver {
 public:
  virtual ~IngressReceiver() = default;
  /// Bytes that it takes now, beyond those that have arrived. `burst` is the size of a burst.
  virtual std::uint32_t credit(std::uint32_t burst) = 0;
  virtual void moved(std::uint32_t bytes) = 0;
  /// A frame is complete. `began` is the time of its first bit on the fibre.
  virtual void arrived(const FrameRef& frame, const sc_core::sc_time& began) = 0;
  /// The frame that was on its way does not come to its end.
  virtual void aborted() = 0;
};

/// The receiving half of the PM3393: RXXG's checks and filter, the ingress FIFO with its PAUSE, and
/// PL4MOS, which sends frames over SPI-4.2.
///
/// A frame enters the FIFO when its last bit has arrived. With RXXG's cut-through it may leave as
/// it arrives: the first burst goes as soon as it is there, the last one after the last bit. A
/// frame that finds no room is lost, counted in MSTAT's counter 11, and raises IFLX's overflow.
class Pm3393Ingress final : public sc_core::sc_module, public FrameSink {
 public:
  /// `carrier_changed` is called when the MAC reports that light came or went.
  Pm3393Ingress(const sc_core::sc_module_name& name, const Pm3393Parts& parts,
                IngressReceiver& receiver, std::function<void()> carrier_changed);

  /// The receiver may have credit again.
  void kick() { lane_.kick(); }
  bool receives() const { return config1_.has(pm::kRxxgConfig1Fields.rxen); }
  /// The time of PAUSE, its interval and whether it is sent, or sent now (TXXG).
  void set_pause(std::uint16_t quanta, std::uint16_t interval, bool send, bool force);
  void reset();

  void frame_received(const FrameRef& frame) override;
  void frame_refused(const FrameRef& frame, RxFault fault) override;
  void carrier_changed(bool) override { carrier_changed_(); }

 private:
  struct Item {
    FrameRef frame;
    std::uint32_t bytes = 0;
    std::uint64_t began_ps = 0;       // its first bit on the fibre
    std::uint64_t from_ps = 0;        // its first burst may go
    std::uint64_t not_before_ps = 0;  // its last byte arrives then, or later
  };
  void config_written();
  void flx_changed();
  void pause_changed();
  void update_pause();
  bool wanted(const FrameRef& frame, bool tagged);
  void take_in(FrameRef frame);
  void refuse(const FrameRef& frame, observe::Counter& counter, const char* why);
  void send_next();
  void moved(std::uint32_t bytes);
  void sent();
  void flush();

  const Pm3393Parts parts_;
  IngressReceiver& receiver_;
  std::function<void()> carrier_changed_;
  Pm3393Filter filter_;
  Pm3393Flx flx_;
  PacketFifo<Item> fifo_;
  EspiLane lane_;
  PauseWatermark pause_;
  std::uint32_t gone_ = 0;  // bytes of the front that have left
  std::uint16_t pause_quanta_ = 0;
  std::uint16_t pause_interval_ = 0;
  bool send_pause_ = false;
  bool force_pause_ = false;
  Reg32 config1_;
  Reg32 max_length_;
  Reg32 fifo_threshold_;
  Reg32 mos_config_;
  Reg32 transfer_size_;
  Reg32 odp_config_;
};

}  // namespace longhaul::nic::terminator
