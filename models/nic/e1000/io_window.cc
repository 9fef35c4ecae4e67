// SPDX-License-Identifier: Apache-2.0
#include "models/nic/e1000/io_window.h"

namespace longhaul::nic::e1000 {
namespace {

constexpr std::uint32_t kIoaddr = 0;
constexpr std::uint32_t kAddressMask = 0x000f'ffff;  // 31:20 are hard-wired to zero
constexpr std::uint32_t kWholeDword = 0xffff'ffff;

}  // namespace

std::uint32_t IoWindow::io_read(std::uint32_t offset) {
  if (offset == kIoaddr) return address_;
  return address_ < bank_.size() ? bank_.read(address_) : 0;
}

void IoWindow::io_write(std::uint32_t offset, std::uint32_t value, std::uint32_t byte_mask) {
  if (byte_mask != kWholeDword) return;
  if (offset == kIoaddr) {
    address_ = value & kAddressMask;
  } else if (address_ < bank_.size()) {
    bank_.write(address_, value);
  }
}

}  // namespace longhaul::nic::e1000
