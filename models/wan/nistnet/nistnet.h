// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <vector>

#include "models/wan/nistnet/box_cpu.h"
#include "models/wan/nistnet/mini_jiffies.h"
#include "models/wan/nistnet/nistnet_params.h"
#include "models/wan/nistnet/packet_path.h"
#include "models/wan/nistnet/pci_segment.h"
#include "models/wan/nistnet/sk_adapter.h"
#include "models/wan/wan_box.h"

namespace longhaul::wan {

/// A PC that runs NIST Net between its two gigabit adapters, ports west and east. Linux 2.4
/// forwards every frame in software. Frames with a delay wait in its memory for a tick of the
/// real-time clock, at 8192 Hz (README.md).
class Nistnet final : public sc_core::sc_module, public WanBox {
 public:
  /// Throws ConfigError whose message starts with the module's name for illegal parameters.
  Nistnet(const sc_core::sc_module_name& name, const NistnetParams& params);

  BoxCpu cpu;
  PciSegment bus;
  PacketPath path;
  SkAdapter west;
  SkAdapter east;

  std::vector<NamedPort> ports() override {
    return {{"west", &west.mac.port}, {"east", &east.mac.port}};
  }
  nlohmann::json describe_params() const override;

 private:
  const NistnetParams params_;
};

}  // namespace longhaul::wan
