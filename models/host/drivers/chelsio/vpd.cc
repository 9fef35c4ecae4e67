// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/vpd.h"

namespace longhaul::host::chelsio {
namespace {

// Configuration space (regs.h, subr.c): VPD, whose address follows format and serial number.
constexpr std::uint32_t kVpdAddress = 0x4a;
constexpr std::uint32_t kVpdData = 0x4c;
constexpr std::uint32_t kVpdDone = 0x8000;
constexpr std::uint32_t kVpdAttempts = 4;
constexpr std::uint64_t kVpdWaitPs = 50'000'000;
constexpr std::uint32_t kMacInVpd = 20;

std::uint32_t read_word(const PciFunction& function, RegisterAccess& clock, std::uint32_t address) {
  function.write(kVpdAddress, address, 2);
  for (std::uint32_t i = 0; i < kVpdAttempts; ++i) {
    clock.wait(kVpdWaitPs);
    if ((function.read(kVpdAddress, 2) & kVpdDone) != 0) break;
  }
  return function.read(kVpdData, 4);
}

}  // namespace

MacAddress mac_in_vpd(const PciFunction& function, RegisterAccess& clock) {
  MacAddress mac{};
  for (std::uint32_t i = 0; i < mac.size(); i += 4) {
    const std::uint32_t word = read_word(function, clock, kMacInVpd + i);
    for (std::uint32_t k = 0; k < 4 && i + k < mac.size(); ++k)
      mac[i + k] = static_cast<std::uint8_t>(word >> (8 * k));
  }
  return mac;
}

}  // namespace longhaul::host::chelsio
