// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

#include "platform/guest/guest_process.h"

namespace longhaul::guest {

/// Reads the memory of a guest's kernel by the kernel's own addresses, while the guest is halted in
/// an exchange.
///
/// A User-Mode-Linux kernel maps its RAM linearly from the start address of its image. Allocated
/// memory is in the RAM that the simulator shares, and is read there. The image itself (its
/// variables) is in the guest's process, and is read from that.
class GuestMemory {
 public:
  /// Copies `bytes` of the image at `address` to `to`. Returns false if there is no such memory or
  /// the host forbids reading it.
  using ReadImage = std::function<bool(std::uint64_t address, void* to, std::size_t bytes)>;

  explicit GuestMemory(GuestProcess& process);
  /// `page` gives the offset from which the RAM is shared.
  GuestMemory(const SharedMemory& ram, const lh_page& page, ReadImage read_image)
      : ram_(ram), page_(page), read_image_(std::move(read_image)) {}

  /// Sets the start of the linear map. Before that only image() works.
  void set_base(std::uint64_t address) { base_ = address; }

  bool image(std::uint64_t address, void* to, std::size_t bytes) const {
    return read_image_(address, to, bytes);
  }
  /// `bytes` of RAM at a kernel address; null if they are not in the shared RAM.
  const std::uint8_t* ram(std::uint64_t address, std::size_t bytes) const {
    const std::uint64_t at = address - base_;
    if (base_ == 0 || at < page_.ram_begin || at >= ram_.size() || bytes > ram_.size() - at)
      return nullptr;
    return ram_.data() + at;
  }

 private:
  const SharedMemory& ram_;
  const lh_page& page_;
  const ReadImage read_image_;
  std::uint64_t base_ = 0;
};

/// A little-endian number of 1 to 8 bytes.
inline std::uint64_t load(const std::uint8_t* bytes, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, size < sizeof value ? size : sizeof value);
  return value;
}

}  // namespace longhaul::guest
