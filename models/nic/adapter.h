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

/// The interface of an adapter to its machine: its bus side, its Ethernet port and its parameters.
/// An adapter is a function of the PCI-X bus or a platform device, so one of the two pointers is
/// not null.
///
/// Adapters are modules that implement this interface, most of them by AdapterModule. Their type
/// describes itself (adapter_type.h).
class Adapter : public Tunable {
 public:
  virtual pcix::PcixDevice* function() { return nullptr; }
  virtual hostbus::PlatformDevice* platform_device() { return nullptr; }
  virtual EthPort& port() = 0;
  /// Appends the memory [begin, end) of the adapter's descriptor rings, as the driver has set them
  /// at present. A core that polls the rings reads what the adapter has written there.
  virtual void append_rings(std::vector<std::pair<std::uint64_t, std::uint64_t>>& rings) const = 0;
  /// Frames that were received and kept (FrameFate::kReceived), and frames that were given to the
  /// MAC (kSent). A machine's PayloadMeter listens to both.
  virtual observe::FrameTap& received_frames() = 0;
  virtual observe::FrameTap& sent_frames() = 0;
};

}  // namespace longhaul::nic
