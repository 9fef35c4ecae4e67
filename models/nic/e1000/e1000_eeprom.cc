// SPDX-License-Identifier: Apache-2.0
#include "models/nic/e1000/e1000_eeprom.h"

#include "models/nic/intel/kinds.h"

namespace longhaul::nic::e1000 {
namespace {

constexpr std::uint32_t kIdLed = 0x04;
constexpr std::uint32_t kSerdesAmplitude = 0x06;
constexpr std::uint32_t kPhyClass = 0x07;
constexpr std::uint32_t kPba12 = 0x08;
constexpr std::uint32_t kPba34 = 0x09;
constexpr std::uint32_t kInitControl1 = 0x0a;
constexpr std::uint32_t kSubsystemId = 0x0b;
constexpr std::uint32_t kSubvendorId = 0x0c;
constexpr std::uint32_t kDeviceId = 0x0d;
constexpr std::uint32_t kVendorId = 0x0e;
constexpr std::uint32_t kInitControl2 = 0x0f;
constexpr std::uint32_t kInitControl3LanB = 0x14;
constexpr std::uint32_t kChecksum = 0x3f;

constexpr std::uint16_t kReserved = 0xffff;
constexpr std::uint16_t kSignature = 0x4000;
constexpr std::uint16_t kLinkInReset = 0x0200;  // CTRL.LRST after power-on
constexpr std::uint16_t kFullDuplex = 0x0400;
constexpr std::uint16_t kPauseBoth = 0x3000;
constexpr std::uint16_t kAutoNegotiation = 0x0800;
constexpr std::uint16_t kInterruptPinB =
    0x1000;  // bit 4 of Initialization Control 3, the word's upper byte
constexpr std::uint16_t kIdLedDefault =
    0x8911;  // Linux e1000_hw.h: ID_LED_DEFAULT, LEDs 0 and 3 blink on request
constexpr std::uint16_t kSum = 0xbaba;

}  // namespace

Eeprom93c46::Words eeprom_image(const EepromContent& content) {
  Eeprom93c46::Words words{};
  for (std::size_t i = 0; i < 3; ++i) {
    words.at(i) = static_cast<std::uint16_t>(content.mac[2 * i] | content.mac[2 * i + 1] << 8);
  }
  words[kIdLed] = kIdLedDefault;
  words[kSerdesAmplitude] = kReserved;
  words[kPhyClass] = kReserved;
  words[kPba12] = static_cast<std::uint16_t>(content.pba);
  words[kPba34] = static_cast<std::uint16_t>(content.pba >> 16);
  words[kInitControl1] =
      static_cast<std::uint16_t>(kSignature | kFullDuplex | (content.fiber ? kLinkInReset : 0));
  words[kSubsystemId] = content.subsystem_id;
  words[kSubvendorId] = intel::kVendor;
  words[kDeviceId] = content.device_id;
  words[kVendorId] = intel::kVendor;
  words[kInitControl2] =
      static_cast<std::uint16_t>(kPauseBoth | (content.fiber ? kAutoNegotiation : 0));
  if (content.ports == 2) words[kInitControl3LanB] = kInterruptPinB;
  std::uint16_t sum = 0;
  for (std::uint32_t i = 0; i < kChecksum; ++i) sum = static_cast<std::uint16_t>(sum + words.at(i));
  words[kChecksum] = static_cast<std::uint16_t>(kSum - sum);
  return words;
}

}  // namespace longhaul::nic::e1000
