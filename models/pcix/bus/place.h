// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/common/ring_buffer.h"
#include "models/pcix/bus/tenure.h"
#include "models/pcix/host_port.h"
#include "models/pcix/pcix_device.h"
#include "models/pcix/protocol.h"

namespace longhaul::pcix {

/// A place for a function of a device, a slot and a function number, and the function in it, if
/// any.
struct Place {
  FunctionInterface* inside = nullptr;  ///< the function in this place; null if it is empty
  ConfigSpace* config = nullptr;        ///< null if the place is empty
  const TargetParams* target = nullptr;
  std::uint32_t width = 0;  ///< bytes a data phase
  std::uint32_t slot = 0;
  std::uint32_t function = 0;  ///< function number within the device
  /// Reads whose data the function does not have yet. In conventional PCI, the request that the
  /// bridge repeats; in PCI-X, the completion that will bring the data.
  RingBuffer<BusJob*> open_reads;
  std::uint32_t master() const { return slot + 1; }

  /// Carries out the bridge's access to this function. `payload` is used for the call and holds the
  /// response afterwards. Returns the time from now until a read's data are available.
  sc_core::sc_time access(HostRequest& request, tlm::tlm_generic_payload& payload) const;
};

}  // namespace longhaul::pcix
