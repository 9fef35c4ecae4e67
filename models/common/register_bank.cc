// SPDX-License-Identifier: Apache-2.0
#include "models/common/register_bank.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace longhaul {

RegisterBank::RegisterBank(std::uint32_t size) : size_(size), by_word_(size / 4, nullptr) {}

std::uint32_t RegisterBank::read(std::uint32_t offset) {
  Reg32* const reg = find(offset);
  if (reg == nullptr) {
    ++stray_accesses_;
    return 0;
  }
  if (reg->access_ == Access::kWriteOnly) return 0;
  const std::uint32_t seen = reg->on_read_ ? reg->on_read_() : reg->value_;
  if (reg->access_ == Access::kClearOnRead) reg->value_ = 0;
  return seen;
}

std::uint32_t RegisterBank::peek(std::uint32_t offset) const {
  const Reg32* const reg = find(offset);
  return reg == nullptr ? 0 : reg->value_;
}

void RegisterBank::write(std::uint32_t offset, std::uint32_t value, std::uint32_t byte_mask) {
  Reg32* const reg = find(offset);
  if (reg == nullptr) {
    ++stray_accesses_;
    return;
  }
  if (reg->access_ == Access::kReadOnly || reg->access_ == Access::kClearOnRead) return;
  const std::uint32_t bits = byte_mask & reg->writable_;
  const std::uint32_t merged = (reg->value_ & ~bits) | (value & bits);
  if (reg->access_ != Access::kAction) reg->value_ = merged;
  if (reg->on_write_) reg->on_write_(merged);
}

void RegisterBank::reset() {
  for (Reg32* reg : by_word_) {
    if (reg != nullptr) reg->value_ = reg->reset_value_;
  }
}

std::vector<const Reg32*> RegisterBank::registers() const {
  std::vector<const Reg32*> all;
  std::copy_if(by_word_.begin(), by_word_.end(), std::back_inserter(all),
               [](const Reg32* r) { return r != nullptr; });
  return all;
}

Reg32* RegisterBank::find(std::uint32_t offset) const {
  const std::uint32_t word = offset / 4;
  return word < by_word_.size() ? by_word_[word] : nullptr;
}

void RegisterBank::add(Reg32& reg) {
  if (reg.offset_ % 4 != 0 || reg.offset_ / 4 >= by_word_.size()) {
    throw std::logic_error(
        fmt::format("register {} at {:#x} is not a word of a bank of {:#x} bytes", reg.name_,
                    reg.offset_, size_));
  }
  Reg32*& slot = by_word_[reg.offset_ / 4];
  if (slot != nullptr) {
    throw std::logic_error(
        fmt::format("registers {} and {} are both at {:#x}", slot->name_, reg.name_, reg.offset_));
  }
  slot = &reg;
}

void RegisterBank::remove(const Reg32& reg) {
  Reg32*& slot = by_word_[reg.offset_ / 4];
  if (slot == &reg) slot = nullptr;
}

Reg32::Reg32(RegisterBank& bank, const char* name, std::uint32_t offset, std::uint32_t reset_value,
             Access access, OnRead on_read, OnWrite on_write)
    : bank_(bank),
      name_(name),
      offset_(offset),
      reset_value_(reset_value),
      access_(access),
      on_read_(std::move(on_read)),
      on_write_(std::move(on_write)),
      value_(reset_value) {
  bank_.add(*this);
}

Reg32::~Reg32() { bank_.remove(*this); }

}  // namespace longhaul
