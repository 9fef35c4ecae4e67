// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace longhaul::guest {

SharedMemory::SharedMemory(const char* name, std::size_t bytes) : bytes_(bytes) {
  fd_ = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  void* mapped = MAP_FAILED;
  // The seals stop a process that inherits the descriptor from shrinking the memory under its
  // reader, and from growing it.
  if (ftruncate(fd_, static_cast<off_t>(bytes)) == 0 &&
      fcntl(fd_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
    mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_, 0);
  }
  if (mapped == MAP_FAILED) {
    const int error = errno;
    close(fd_);
    throw std::system_error(error, std::generic_category(), "mapping shared memory");
  }
  data_ = static_cast<std::uint8_t*>(mapped);
}

SharedMemory::~SharedMemory() {
  munmap(data_, bytes_);
  close(fd_);
}

}  // namespace longhaul::guest
