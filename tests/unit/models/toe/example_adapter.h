// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "models/net/mac/eth_mac.h"
#include "models/net/mac/pause_watermark.h"
#include "models/toe/offload_engine.h"

namespace longhaul::toe {

/// How an adapter contains an offload engine: the code of README.md#how-an-adapter-uses-it. Its
/// host is derived from it: a real adapter encodes messages for its rings there.
class ExampleAdapter : public sc_core::sc_module, public WireSide {
 public:
  ExampleAdapter(const sc_core::sc_module_name& name, const ToeParams& params, HostSide& host)
      : sc_module(name), engine("toe", params, t1_tcp_params(), T1Params{}, host, *this) {
    mac.attach(engine, engine);  // frames go both ways between MAC and engine
    mac.set_max_frame(9018);
    mac.set_flow_control(true, true);
    water_mark.set(units::KiB(48).count, units::KiB(32).count, 0xffff);
    engine.set_mtu(0, 1500);
    engine.set_separators(56, 0);  // what the driver writes to TP_TIMER_SEPARATOR
  }

  // WireSide: the MAC looks for the next frame, and PAUSE follows the receive FIFO.
  void frame_ready() override { mac.kick(); }
  void fill_changed(std::uint64_t bytes) override { water_mark.update(bytes); }
  void send_ready() override {}

  EthMac mac{"mac"};
  PauseWatermark water_mark{"water_mark", mac};
  OffloadEngine engine;
};

}  // namespace longhaul::toe
