// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/net/eth.h"
#include "models/net/mac/eth_mac.h"

namespace longhaul::wan::frame_injector {

/// A port without a MAC: everything that is a frame to the wire passes, whatever its size, FCS or
/// type, and leaves as it is.
///
/// It pulls from a FrameSource as EthMac does, when the wire is free. FrameSink::frame_received()
/// gets all that arrives. Errors: none; an unbound port is a port without carrier.
class CableEnd final : public sc_core::sc_module, private EthReceiver {
 public:
  explicit CableEnd(const sc_core::sc_module_name& name) : sc_module(name), port("port") {
    port.eth_rx.bind(*this);
  }

  EthPort port;  ///< what a link joins

  /// Both before the simulation starts.
  void attach(FrameSource& source, FrameSink& sink);
  /// Looks at the source again: call when its ready_ps() can have become earlier.
  void kick();
  void enable_laser(bool on);
  bool carrier() const { return bound() && port.eth_tx->carrier(); }
  /// Of the MAC that the wire is made for; there is one where there is a carrier.
  BitRate rate() const { return port.eth_tx->mac_rate(); }

 private:
  void receive(const FrameRef& frame) override { sink_->frame_received(frame); }
  void carrier_changed(bool up) override;
  void start_of_simulation() override { kick(); }
  bool bound() const { return port.eth_tx.size() != 0; }
  bool send_next();

  FrameSource* source_ = nullptr;
  FrameSink* sink_ = nullptr;
  std::uint64_t free_ps_ = 0;
  bool in_kick_ = false;
  Timer wake_{[this] { kick(); }};
};

}  // namespace longhaul::wan::frame_injector
