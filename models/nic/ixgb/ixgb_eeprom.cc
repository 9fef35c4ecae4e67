// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/ixgb_eeprom.h"

#include "models/nic/intel/kinds.h"

namespace longhaul::nic::ixgb {
namespace {

constexpr std::uint32_t kCompatibility = 0x03;
constexpr std::uint32_t kPba12 = 0x08;
constexpr std::uint32_t kPba34 = 0x09;
constexpr std::uint32_t kInitControl1 = 0x0a;
constexpr std::uint32_t kSubsystemId = 0x0b;
constexpr std::uint32_t kSubvendorId = 0x0c;
constexpr std::uint32_t kDeviceId = 0x0d;
constexpr std::uint32_t kVendorId = 0x0e;
constexpr std::uint32_t kChecksum = 0x3f;
constexpr std::uint16_t kSignature = 0x4000;
constexpr std::uint16_t kSum = 0xbaba;

}  // namespace

Eeprom93c46::Words eeprom_image(const EepromContent& content) {
  Eeprom93c46::Words words{};
  for (std::size_t i = 0; i < 3; ++i) {
    words[i] = static_cast<std::uint16_t>(content.mac[2 * i] | content.mac[2 * i + 1] << 8);
  }
  words[kCompatibility] = 0;
  words[kPba12] = static_cast<std::uint16_t>(content.pba);
  words[kPba34] = static_cast<std::uint16_t>(content.pba >> 16);
  words[kInitControl1] = kSignature;
  words[kSubsystemId] = content.subsystem_id;
  words[kSubvendorId] = intel::kVendor;
  words[kDeviceId] = content.device_id;
  words[kVendorId] = intel::kVendor;
  std::uint16_t sum = 0;
  for (std::uint32_t i = 0; i < kChecksum; ++i) sum = static_cast<std::uint16_t>(sum + words[i]);
  words[kChecksum] = static_cast<std::uint16_t>(kSum - sum);
  return words;
}

}  // namespace longhaul::nic::ixgb
