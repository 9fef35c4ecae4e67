// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/msix_table.h"

#include <stdexcept>
#include <utility>

namespace longhaul::pcix {
namespace {

constexpr std::uint32_t kEntryBytes = 16;
constexpr std::uint32_t kData = 2;
constexpr std::uint32_t kControl = 3;
constexpr std::uint32_t kMasked = 1;
constexpr std::uint32_t kAddressBits = ~3U;

}  // namespace

MsixTable::MsixTable(std::uint32_t vectors, Send send) : entries_(vectors), send_(std::move(send)) {
  if (vectors == 0 || vectors > kMostVectors)
    throw std::logic_error("an MSI-X table has 1 to 64 vectors here");
}

std::uint8_t MsixTable::byte_at(std::uint32_t offset) const {
  if (offset < entries_.size() * kEntryBytes) {
    const Entry& entry = entries_[offset / kEntryBytes];
    return static_cast<std::uint8_t>(entry.words[offset % kEntryBytes / 4] >> 8 * (offset % 4));
  }
  if (offset >= kPendingOffset && offset < kPendingOffset + sizeof pending_)
    return static_cast<std::uint8_t>(pending_ >> 8 * (offset - kPendingOffset));
  return 0;
}

void MsixTable::read(std::uint32_t offset, std::uint8_t* data, std::uint32_t bytes) const {
  for (std::uint32_t i = 0; i < bytes; ++i) data[i] = byte_at(offset + i);
}

void MsixTable::write(std::uint32_t offset, const std::uint8_t* data, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const std::uint32_t at = offset + i;
    if (at >= entries_.size() * kEntryBytes) break;
    const std::uint32_t number = at % kEntryBytes / 4;
    std::uint32_t& word = entries_[at / kEntryBytes].words[number];
    const std::uint32_t shift = 8 * (at % 4);
    word = (word & ~(0xffU << shift)) | std::uint32_t{data[i]} << shift;
    if (number == 0) word &= kAddressBits;
    if (number == kControl) word &= kMasked;
  }
  send_pending();
}

void MsixTable::set_control(bool enabled, bool function_masked) {
  if (!enabled) pending_ = 0;
  enabled_ = enabled;
  function_masked_ = function_masked;
  send_pending();
}

void MsixTable::raise(std::uint32_t vector) {
  if (!enabled_) return;
  pending_ |= std::uint64_t{1} << vector % entries_.size();
  send_pending();
}

void MsixTable::send_pending() {
  if (!enabled_ || function_masked_) return;
  for (std::uint32_t vector = 0; pending_ >> vector != 0; ++vector) {
    const Entry& entry = entries_[vector];
    if ((pending_ >> vector & 1U) != 0 && (entry.words[kControl] & kMasked) == 0) {
      pending_ &= ~(std::uint64_t{1} << vector);
      send_(std::uint64_t{entry.words[1]} << 32U | entry.words[0], entry.words[kData]);
    }
    if (vector + 1 == entries_.size()) break;
  }
}

}  // namespace longhaul::pcix
