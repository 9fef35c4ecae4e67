// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

namespace longhaul::memory {

/// What goes with a device's access to memory beside the generic payload: questions of the bridge,
/// answers of the memory.
///
/// An extension that a memory may ignore: first bytes that it does not answer have come with the
/// last, and all data is in the payload's buffer. Before a simulation starts, a bridge sends a
/// debug access of no bytes; a memory that sets `knows_elision` then gets writes without the zeros
/// at their end, and is one of Longhaul's, so that models may run ahead of SystemC's kernel
/// (models/pcix/README.md#foreign-modules). Belongs to its payload.
struct DeviceAccess final : tlm::tlm_extension<DeviceAccess> {
  std::uint32_t first_bytes =
      0;  ///< of a read: asks when these are back, before the rest; bridges start completions then
  std::uint64_t first_delay_ps = 0;  ///< as the delay of b_transport: from now until they are back
  bool takes_blank =
      false;  ///< of a read: zeros that nothing else follows need not be put into the buffer
  std::uint32_t stored = ~0U;  ///< bytes of the buffer that count, the rest being zero, whatever is
                               ///< there: told of a write, answered of a read

  bool knows_elision = false;  ///< answered by a memory that goes by `stored` and `takes_blank`

  tlm_extension_base* clone() const override { return new DeviceAccess(*this); }
  void copy_from(const tlm_extension_base& other) override {
    *this = static_cast<const DeviceAccess&>(other);
  }
};

}  // namespace longhaul::memory
