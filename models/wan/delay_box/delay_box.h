// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "models/net/eth.h"
#include "models/net/mac/eth_mac.h"
#include "models/wan/delay_box/delay_box_params.h"
#include "models/wan/delay_box/delay_path.h"
#include "models/wan/wan_box.h"

namespace longhaul {

/// An exact WAN emulator between two Ethernet ports, like Anue's H series. Frames that arrive at
/// one port leave at the other one later and, if configured so, damaged.
///
/// Each port runs at the rate of its link (LAN or WAN PHY). The box keeps frames by reference and
/// changes only the bits that its error rate flips. Errors: ConfigError for an unknown mode.
class DelayBox final : public sc_core::sc_module, public wan::WanBox {
 public:
  explicit DelayBox(const sc_core::sc_module_name& name, DelayBoxParams params = {});

  EthPort& west() { return west_mac.port; }
  EthPort& east() { return east_mac.port; }
  std::vector<wan::NamedPort> ports() override { return {{"west", &west()}, {"east", &east()}}; }
  nlohmann::json describe_params() const override;
  const DelayBoxParams& params() const { return params_; }
  /// All parameters that a DelayPath can change: not the seed, the memory, and the treatment of bad
  /// frames and PAUSE.
  std::vector<std::string> changeable() const override;
  void change(const std::string& name, const nlohmann::json& value,
              const std::string& where) override;

  EthMac west_mac;
  EthMac east_mac;
  DelayPath west_to_east;
  DelayPath east_to_west;

 private:
  /// Passes frames from one port's MAC to the path that starts there.
  class Inlet final : public FrameSink {
   public:
    Inlet(DelayPath& path, bool pass_pause) : path_(path), pass_pause_(pass_pause) {}
    void frame_received(const FrameRef& frame) override;

   private:
    DelayPath& path_;
    const bool pass_pause_;
  };

  void set_up_port(EthMac& mac, DelayPath& source, Inlet& sink);

  DelayBoxParams params_;
  Inlet west_inlet_;
  Inlet east_inlet_;
};

}  // namespace longhaul
