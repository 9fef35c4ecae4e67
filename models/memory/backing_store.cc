// SPDX-License-Identifier: Apache-2.0
#include "models/memory/backing_store.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "models/common/param.h"

namespace longhaul::memory {

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
  if (payload.is_read()) std::memcpy(payload.get_data_ptr(), here, payload.get_data_length());
  if (payload.is_write()) std::memcpy(here, payload.get_data_ptr(), payload.get_data_length());
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
