// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/common/tunable.h"
#include "models/hostbus/platform_device.h"
#include "models/net/eth.h"
#include "models/net/frame/frame_tap.h"
#include "models/pcix/pcix_device.h"

namespace longhaul::nic {

/// What a machine needs of any adapter: its bus side, its Ethernet port and its parameters. It is a
/// function of the PCI-X bus or a platform device: one of the two is not null.
/// Adapters are modules that implement this, most of them by AdapterModule; their type describes
/// itself (adapter_type.h).
class Adapter : public Tunable {
 public:
  virtual pcix::PcixDevice* function() { return nullptr; }
  virtual hostbus::PlatformDevice* platform_device() { return nullptr; }
  virtual EthPort& port() = 0;
  /// Appends the memory [begin, end) of its descriptor rings, as the driver has set them at
  /// present: a core that polls them reads what the adapter has written there.
  virtual void append_rings(std::vector<std::pair<std::uint64_t, std::uint64_t>>& rings) const = 0;
  /// Frames taken in from the wire and kept (FrameFate::kReceived), and frames given to the MAC
  /// (kSent): a machine's PayloadMeter listens to both.
  virtual observe::FrameTap& received_frames() = 0;
  virtual observe::FrameTap& sent_frames() = 0;
};

}  // namespace longhaul::nic
