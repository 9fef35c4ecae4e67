// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/mapped_port.h"

namespace longhaul::portmap {

MappedPort::MappedPort(const sc_core::sc_module_name& name, MappedBlock& block,
                       const InterfaceEntry& interface)
    : sc_core::sc_module(name), block_(block), interface_(interface), gmii_("gmii", block.rtl()) {
  gmii_.report_frames(received, sent);
}

void MappedPort::connect() {
  const auto byte = [&](const char* signal) {
    const PortBits bits = block_.bits(interface_, signal);
    return bits.storage == nullptr ? &nothing_ : bits.storage + bits.lsb / 8;
  };
  const auto bit = [&](const char* signal) -> cosim::BitPin {
    const PortBits bits = block_.bits(interface_, signal);
    return {byte(signal), static_cast<std::uint8_t>(1U << bits.lsb % 8)};
  };
  gmii_.connect(block_.clock(interface_.rx_clock), {byte("rxd"), bit("rx_dv"), bit("rx_er")},
                block_.clock(interface_.tx_clock), {byte("txd"), bit("tx_en"), bit("tx_er")});
}

}  // namespace longhaul::portmap
