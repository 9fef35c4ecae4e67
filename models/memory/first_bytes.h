// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

namespace longhaul::memory {

/// Goes with a device's read and asks when the first `bytes` of it are back, before the rest: bridges start their completions then.
///
/// An extension that a memory may ignore: what it does not answer has come with the last byte. Belongs to its payload.
struct FirstBytes final : tlm::tlm_extension<FirstBytes> {
  std::uint32_t bytes = 0;
  sc_core::sc_time delay;  ///< as that of b_transport: from now until they are back

  tlm_extension_base* clone() const override { return new FirstBytes(*this); }
  void copy_from(const tlm_extension_base& other) override { *this = static_cast<const FirstBytes&>(other); }
};

}  // namespace longhaul::memory
