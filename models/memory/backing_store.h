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

/// The bytes behind a memory model: moves a payload's data, answers debug transport and direct
/// access; knows no time.
class BackingStore {
 public:
  /// On a mapping of somebody else's.
  explicit BackingStore(const MemoryMapping& mapping) : mapping_(mapping) {}
  /// On `size` bytes of its own, zero at first, from physical address 0. Throws ConfigError, which
  /// starts with `owner`, if the machine has not got them.
  BackingStore(Bytes size, const std::string& owner);
  ~BackingStore();
  BackingStore(const BackingStore&) = delete;
  BackingStore& operator=(const BackingStore&) = delete;

  const MemoryMapping& mapping() const { return mapping_; }
  /// From now on, what lies below `address` is not there: a guest's kernel image, which is in its
  /// process.
  void hide_below(std::uint64_t address) { begin_ = address; }
  /// Whether every one of `length` bytes from `address` is there.
  bool covers(std::uint64_t address, std::uint64_t length) const {
    return address >= begin_ && address >= mapping_.base &&
           address - mapping_.base <= mapping_.size &&
           mapping_.size - (address - mapping_.base) >= length;
  }
  /// Moves the data of a payload that covers() accepts, and answers it.
  void move(tlm::tlm_generic_payload& payload);
  /// The same with the extension of the payload, or null where it has none.
  void move(tlm::tlm_generic_payload& payload, DeviceAccess* access);
  /// Debug transport: the number of bytes moved, 0 outside the store.
  unsigned debug(tlm::tlm_generic_payload& payload);
  /// Grants direct access to the whole store, with `read_latency` for a hint.
  bool direct(const tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi,
              const sc_core::sc_time& read_latency);

 private:
  MemoryMapping mapping_;
  std::unique_ptr<WrittenLines> written_;  // of what it owns
  std::uint64_t begin_ =
      0;  // first physical address that answers; the mapping itself may begin later
  bool owns_ = false;
};

}  // namespace longhaul::memory
