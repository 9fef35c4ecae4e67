// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_memory.h"

#include <sys/uio.h>

namespace longhaul::guest {

GuestMemory::GuestMemory(GuestProcess& process)
    : GuestMemory(process.ram(), process.page(),
                  [&process](std::uint64_t address, void* to, std::size_t bytes) {
                    if (!process.running()) return false;
                    const iovec here{to, bytes};
                    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the other process
                    const iovec there{reinterpret_cast<void*>(address), bytes};
                    return process_vm_readv(process.pid(), &here, 1, &there, 1, 0) ==
                           static_cast<ssize_t>(bytes);
                  }) {}

}  // namespace longhaul::guest
