// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

namespace longhaul::memory {

/// Extension of a device's access to memory: parameters of the bridge and answers of the memory.
///
/// A memory may ignore this extension. Then the first bytes of a read come with the last, and all
/// data are in the payload's buffer. The extension belongs to its payload.
///
/// Before a simulation starts, a bridge sends a debug access of no bytes. A memory that sets
/// `knows_elision` gets writes without the zeros at their end. Such a memory is one of Longhaul's,
/// so models may run ahead of SystemC's kernel (models/pcix/README.md#foreign-modules).
struct DeviceAccess final : tlm::tlm_extension<DeviceAccess> {
  /// Of a read: asks when these first bytes are back. Bridges can start completions then.
  std::uint32_t first_bytes = 0;
  std::uint64_t first_delay_ps = 0;  ///< answer, like b_transport's delay: from now until they are
                                     ///< back
  /// Of a read: zeros at the end need not be stored in the buffer.
  bool takes_blank = false;
  /// Bytes of the buffer that are stored; the rest is zero, whatever the buffer holds. Set by the
  /// bridge for a write, by the memory for a read.
  std::uint32_t stored = ~0U;

  bool knows_elision = false;  ///< set by a memory that supports `stored` and `takes_blank`

  tlm_extension_base* clone() const override { return new DeviceAccess(*this); }
  void copy_from(const tlm_extension_base& other) override {
    *this = static_cast<const DeviceAccess&>(other);
  }
};

}  // namespace longhaul::memory
