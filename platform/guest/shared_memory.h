// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace longhaul::guest {

/// Anonymous memory that a child process can inherit by its file descriptor. It is sparse, zero at
/// first, and is freed with its last holder.
class SharedMemory {
 public:
  /// Throws std::system_error if the host has no memory or descriptors left. `name` is shown in
  /// /proc/PID/maps.
  SharedMemory(const char* name, std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::uint8_t* data() { return data_; }
  const std::uint8_t* data() const { return data_; }
  std::size_t size() const { return bytes_; }
  int fd() const { return fd_; }

 private:
  std::uint8_t* data_ = nullptr;
  std::size_t bytes_;
  int fd_ = -1;
};

}  // namespace longhaul::guest
