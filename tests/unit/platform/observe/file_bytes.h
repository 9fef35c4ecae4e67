// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace longhaul::observe {

/// The bytes of a file, written as its format's fields: little-endian numbers, texts.
class FileBytes {
 public:
  FileBytes& u8(std::uint8_t value) { return number(value, 1); }
  FileBytes& u16(std::uint64_t value) { return number(value, 2); }
  FileBytes& u32(std::uint64_t value) { return number(value, 4); }
  FileBytes& u64(std::uint64_t value) { return number(value, 8); }
  FileBytes& raw(const std::string& text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return *this;
  }
  /// A text behind its length.
  FileBytes& text(const std::string& text) { return u16(text.size()).raw(text); }
  FileBytes& zeros(std::size_t count) { return raw(std::string(count, '\0')); }
  const std::vector<std::uint8_t>& get() const { return bytes_; }

 private:
  FileBytes& number(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    return *this;
  }
  std::vector<std::uint8_t> bytes_;
};

}  // namespace longhaul::observe
