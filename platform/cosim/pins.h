// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::cosim {

/// One bit of a port that Verilator stores in a byte.
struct BitPin {
  std::uint8_t* byte = nullptr;
  std::uint8_t mask = 1;

  bool get() const { return (*byte & mask) != 0; }
  void set(bool on) { *byte = static_cast<std::uint8_t>(on ? *byte | mask : *byte & ~mask); }
};

/// A port of up to 32 bits, in any of Verilator's types.
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
