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

/// Where a function of a device can be: a slot and a function number. What is there, if anything.
struct Place {
  FunctionInterface* inside = nullptr;  ///< what is bound to it; null: empty
  ConfigSpace* config = nullptr;        ///< null: empty
  const TargetParams* target = nullptr;
  std::uint32_t width = 0;  ///< bytes a data phase
  std::uint32_t slot = 0;
  std::uint32_t function = 0;  ///< of the device there
  /// Reads whose data the function does not have yet: in conventional PCI the request that the
  /// bridge repeats, else the completion that will bring them.
  RingBuffer<BusJob*> open_reads;
  std::uint32_t master() const { return slot + 1; }

  /// Carries out what the bridge asks of this function, with `payload`, which has the response
  /// afterwards. Returns how long after now a read's data are there.
  sc_core::sc_time access(HostRequest& request, tlm::tlm_generic_payload& payload) const;
};

}  // namespace longhaul::pcix
