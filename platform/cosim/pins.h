// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::cosim {

/// One bit of a port that Verilator keeps in a byte.
struct BitPin {
  std::uint8_t* byte = nullptr;
  std::uint8_t mask = 1;

  bool get() const { return (*byte & mask) != 0; }
  void set(bool on) { *byte = static_cast<std::uint8_t>(on ? *byte | mask : *byte & ~mask); }
};

/// Bits [lsb, lsb + width) of a port that Verilator keeps in words of 32 bits, width up to 64.
struct FieldPin {
  std::uint32_t* words = nullptr;
  std::uint32_t lsb = 0;
  std::uint32_t width = 32;

  std::uint64_t get() const {
    const std::uint32_t* word = words + lsb / 32;
    const std::uint32_t shift = lsb % 32;
    std::uint64_t value = *word >> shift;
    for (std::uint32_t have = 32 - shift; have < width; have += 32)
      value |= std::uint64_t{*++word} << have;
    return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
  }
  void set(std::uint64_t value) {
    for (std::uint32_t done = 0; done < width;) {
      const std::uint32_t at = lsb + done;
      const std::uint32_t shift = at % 32;
      const std::uint32_t count = 32 - shift < width - done ? 32 - shift : width - done;
      const std::uint32_t mask = (count == 32 ? ~0U : (1U << count) - 1) << shift;
      std::uint32_t& word = words[at / 32];
      word = (word & ~mask) | (static_cast<std::uint32_t>(value >> done) << shift & mask);
      done += count;
    }
  }
};

/// A port of up to 32 bits, whatever Verilator keeps it in.
class WordPin {
 public:
  WordPin() = default;
  explicit WordPin(std::uint8_t& port) : port_(&port), bytes_(1) {}
  explicit WordPin(std::uint16_t& port) : port_(&port), bytes_(2) {}
  explicit WordPin(std::uint32_t& port) : port_(&port) {}

  std::uint32_t get() const {
    return bytes_ == 1   ? *static_cast<std::uint8_t*>(port_)
           : bytes_ == 2 ? *static_cast<std::uint16_t*>(port_)
                         : *static_cast<std::uint32_t*>(port_);
  }
  void set(std::uint32_t value) {
    if (bytes_ == 1) {
      *static_cast<std::uint8_t*>(port_) = static_cast<std::uint8_t>(value);
    } else if (bytes_ == 2) {
      *static_cast<std::uint16_t*>(port_) = static_cast<std::uint16_t>(value);
    } else {
      *static_cast<std::uint32_t*>(port_) = value;
    }
  }

 private:
  void* port_ = nullptr;
  std::uint8_t bytes_ = 4;
};

}  // namespace longhaul::cosim
