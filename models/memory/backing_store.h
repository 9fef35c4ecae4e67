// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tlm>

#include "models/common/units.h"
#include "models/memory/memory_mapping.h"

namespace longhaul::memory {

struct DeviceAccess;

/// The bytes of a memory model: moves a payload's data and answers debug transport and direct
/// access. Has no timing.
class BackingStore {
 public:
  /// Uses a mapping that the caller owns.
  explicit BackingStore(const MemoryMapping& mapping) : mapping_(mapping) {}
  /// Allocates `size` bytes, zero at first, from physical address 0. Throws ConfigError whose
  /// message starts with `owner` if the host does not have them.
  BackingStore(Bytes size, const std::string& owner);
  ~BackingStore();
  BackingStore(const BackingStore&) = delete;
  BackingStore& operator=(const BackingStore&) = delete;

  const MemoryMapping& mapping() const { return mapping_; }
  /// Addresses below `address` do not answer from this call on: they belong to a guest's kernel
  /// image, which is in the guest's process.
  void hide_below(std::uint64_t address) { begin_ = address; }
  /// Whether all of `length` bytes from `address` answer.
  bool covers(std::uint64_t address, std::uint64_t length) const {
    return address >= begin_ && address >= mapping_.base &&
           address - mapping_.base <= mapping_.size &&
           mapping_.size - (address - mapping_.base) >= length;
  }
  /// Moves the data of a payload for which covers() is true, and sets its response.
  void move(tlm::tlm_generic_payload& payload);
  /// Moves the data of such a payload with its extension, which may be null.
  void move(tlm::tlm_generic_payload& payload, DeviceAccess* access);
  /// Debug transport. Returns the number of bytes moved; 0 outside of the store.
  unsigned debug(tlm::tlm_generic_payload& payload);
  /// Grants direct access to the whole store. `read_latency` is passed on as a hint.
  bool direct(const tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi,
              const sc_core::sc_time& read_latency);

 private:
  MemoryMapping mapping_;
  std::unique_ptr<WrittenLines> written_;  // of the bytes that it owns
  // The first physical address that answers. The mapping may begin later.
  std::uint64_t begin_ = 0;
  bool owns_ = false;
};

}  // namespace longhaul::memory
