// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/net/eth.h"
#include "models/net/mac/eth_mac.h"

namespace longhaul::wan::frame_injector {

/// A port without a MAC. It passes every frame of the wire without change, whatever its size, FCS
/// or type.
///
/// It takes frames from a FrameSource like EthMac, when the wire is free.
/// FrameSink::frame_received() gets all frames that arrive. Errors: none; an unbound port is a port
/// without carrier.
class CableEnd final : public sc_core::sc_module, private EthReceiver {
 public:
  explicit CableEnd(const sc_core::sc_module_name& name) : sc_module(name), port("port") {
    port.eth_rx.bind(*this);
  }

  EthPort port;  ///< joined by a link

  /// Sets source and sink, before the simulation starts.
  void attach(FrameSource& source, FrameSink& sink);
  /// Looks at the source again. Call it when its ready_ps() may have become earlier.
  void kick();
  void enable_laser(bool on);
  bool carrier() const { return bound() && port.eth_tx->carrier(); }
  /// Rate of the MAC for this wire. Only valid with a carrier.
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
