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

BackingStore::BackingStore(Bytes size, const std::string& owner) : owns_(true) {
  void* const bytes = size.count == 0 ? MAP_FAILED
                                      : mmap(nullptr, size.count, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == MAP_FAILED) {
    throw ConfigError(
        fmt::format("{}: cannot have {} of memory: {}", owner, to_text(size),
                    size.count == 0 ? "it must be more than nothing" : std::strerror(errno)));
  }
  written_ = std::make_unique<WrittenLines>(size.count);
  mapping_ = {static_cast<std::uint8_t*>(bytes), size.count, 0, written_.get()};
}

BackingStore::~BackingStore() {
  if (owns_) munmap(mapping_.bytes, mapping_.size);
}

void BackingStore::move(tlm::tlm_generic_payload& payload) {
  move(payload, payload.get_extension<DeviceAccess>());
}

void BackingStore::move(tlm::tlm_generic_payload& payload, DeviceAccess* access) {
  const std::uint64_t address = payload.get_address();
  const std::uint32_t length = payload.get_data_length();
  if (access != nullptr) access->knows_elision = true;
  if (payload.is_read()) {
    const bool takes_blank = access != nullptr && access->takes_blank;
    const std::uint64_t stored = takes_blank ? mapping_.extent(address, length) : length;
    std::memcpy(payload.get_data_ptr(), mapping_.at(address), stored);
    if (access != nullptr) access->stored = static_cast<std::uint32_t>(stored);
  }
  if (payload.is_write()) {
    const std::uint32_t stored = access == nullptr ? length : std::min(access->stored, length);
    mapping_.write(address, payload.get_data_ptr(), stored, length);
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
  if (written_) written_->lose_track();
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
