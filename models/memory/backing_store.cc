// SPDX-License-Identifier: Apache-2.0
#include "models/memory/backing_store.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "models/common/param.h"
#include "models/memory/device_access.h"

namespace longhaul::memory {

namespace {

bool is_zero(const std::uint8_t* bytes, std::size_t count) {
  return count == 0 || (bytes[0] == 0 && std::memcmp(bytes, bytes + 1, count - 1) == 0);
}

}  // namespace

BackingStore::BackingStore(Bytes size, const std::string& owner) : owns_(true) {
  void* const bytes = size.count == 0 ? MAP_FAILED
                                      : mmap(nullptr, size.count, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == MAP_FAILED) {
    throw ConfigError(fmt::format("{}: cannot have {} of memory: {}", owner, to_text(size),
                                  size.count == 0 ? "it must be more than nothing" : std::strerror(errno)));
  }
  mapping_ = {static_cast<std::uint8_t*>(bytes), size.count, 0};
}

BackingStore::~BackingStore() {
  if (owns_) munmap(mapping_.bytes, mapping_.size);
}

void BackingStore::move(tlm::tlm_generic_payload& payload) {
  std::uint8_t* const here = mapping_.bytes + (payload.get_address() - mapping_.base);
  const std::uint32_t length = payload.get_data_length();
  auto* const access = payload.get_extension<DeviceAccess>();
  if (payload.is_read()) {
    if (access != nullptr && access->takes_blank && is_zero(here, length)) {
      access->is_blank = true;
    } else {
      std::memcpy(payload.get_data_ptr(), here, length);
    }
  }
  if (payload.is_write()) {
    const std::uint32_t stored = access == nullptr ? length : std::min(access->stored, length);
    std::memcpy(here, payload.get_data_ptr(), stored);
    // Memory that nobody has written is zero, and takes no room of the host's until somebody does.
    if (!is_zero(here + stored, length - stored)) std::memset(here + stored, 0, length - stored);
  }
  payload.set_dmi_allowed(true);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned BackingStore::debug(tlm::tlm_generic_payload& payload) {
  if (!covers(payload.get_address(), payload.get_data_length())) return 0;
  move(payload);
  return payload.get_data_length();
}

bool BackingStore::direct(const tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi,
                          const sc_core::sc_time& read_latency) {
  if (!covers(payload.get_address(), 1)) return false;
  dmi.init();
  dmi.allow_read_write();
  const std::uint64_t begin = std::max(begin_, mapping_.base);
  dmi.set_dmi_ptr(mapping_.bytes + (begin - mapping_.base));
  dmi.set_start_address(begin);
  dmi.set_end_address(mapping_.base + mapping_.size - 1);
  dmi.set_read_latency(read_latency);
  return true;
}

}  // namespace longhaul::memory
