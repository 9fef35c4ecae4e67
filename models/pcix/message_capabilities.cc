// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/message_capabilities.h"

#include <algorithm>
#include <stdexcept>

#include "models/pcix/msix_table.h"

namespace longhaul::pcix {
namespace {

constexpr std::uint8_t kMsiId = 0x05;
constexpr std::uint8_t kMsixId = 0x11;
constexpr std::uint8_t kLastMsix = 0xf4;
constexpr std::uint16_t kMsi64Bit = 1U << 7;
constexpr std::uint16_t kMsiControlWritable = 0x0071;  // enable, multiple message enable
constexpr std::uint16_t kMsixFunctionMask = 1U << 14;  // PCI 3.0, 6.8.2.3
constexpr std::uint16_t kMsixEnable = 1U << 15;

}  // namespace

std::uint8_t MessageCapabilities::put() {
  std::uint8_t first = 0;
  if (identity_.msix_capability_offset != 0) {
    if (identity_.msix_capability_offset % 4 != 0 || identity_.msix_capability_offset > kLastMsix)
      throw std::logic_error("configuration space: the MSI-X capability does not fit");
    put_msix(first);
    first = identity_.msix_capability_offset;
  }
  if (identity_.msi_capability_offset != 0) {
    put_msi(first);
    first = identity_.msi_capability_offset;
  }
  return first;
}

void MessageCapabilities::put_msi(std::uint8_t next) {
  const std::uint32_t at = identity_.msi_capability_offset;
  bytes_.put(at, 1, kMsiId);
  bytes_.put(at + 1, 1, next);
  std::uint32_t capable = 0;  // log2 of the vectors (PCI 2.3, 6.8.1.3)
  while (1U << capable < identity_.msi_vectors) ++capable;
  if (1U << capable != identity_.msi_vectors || capable > 5)
    throw std::logic_error("configuration space: MSI vectors must be a power of two, 32 at most");
  bytes_.put(at + 2, 2, kMsi64Bit | capable << 1, kMsiControlWritable);
  bytes_.put(at + 4, 4, 0, 0xffff'fffc);
  bytes_.put(at + 8, 4, 0, 0xffff'ffff);
  bytes_.put(at + 12, 2, 0, 0xffff);
}

void MessageCapabilities::put_msix(std::uint8_t next) {
  const std::uint32_t at = identity_.msix_capability_offset;
  if (identity_.msix_vectors == 0)
    throw std::logic_error("configuration space: an MSI-X table has vectors");
  bytes_.put(at, 1, kMsixId);
  bytes_.put(at + 1, 1, next);
  bytes_.put(at + 2, 2, identity_.msix_vectors - 1U, kMsixFunctionMask | kMsixEnable);
  bytes_.put(at + 4, 4, identity_.msix_bar);
  bytes_.put(at + 8, 4, MsixTable::kPendingOffset | identity_.msix_bar);
}

bool MessageCapabilities::msi_enabled() const {
  return identity_.msi_capability_offset != 0 &&
         (bytes_[identity_.msi_capability_offset + 2U] & 1U) != 0;
}

std::uint64_t MessageCapabilities::msi_address() const {
  if (identity_.msi_capability_offset == 0) return 0;
  const std::uint32_t at = identity_.msi_capability_offset;
  return bytes_.read(at + 4, 4) | static_cast<std::uint64_t>(bytes_.read(at + 8, 4)) << 32;
}

std::uint16_t MessageCapabilities::msi_data() const {
  if (identity_.msi_capability_offset == 0) return 0;
  return static_cast<std::uint16_t>(bytes_.read(identity_.msi_capability_offset + 12U, 2));
}

std::uint32_t MessageCapabilities::msi_vectors() const {
  if (identity_.msi_capability_offset == 0) return 1;
  const std::uint32_t control = bytes_.read(identity_.msi_capability_offset + 2U, 2);
  return std::min<std::uint32_t>(identity_.msi_vectors, 1U << (control >> 4 & 7U));
}

bool MessageCapabilities::msix_enabled() const {
  return identity_.msix_capability_offset != 0 &&
         (bytes_.read(identity_.msix_capability_offset + 2U, 2) & kMsixEnable) != 0;
}

bool MessageCapabilities::msix_masked() const {
  return (bytes_.read(identity_.msix_capability_offset + 2U, 2) & kMsixFunctionMask) != 0;
}

}  // namespace longhaul::pcix
