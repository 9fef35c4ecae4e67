// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/toe/messages.h"

namespace longhaul::toe {

/// The tables that a frame's addresses come from: next stations (L2T), source addresses (SMT), and
/// the MTUs of paths. An entry that was never written is empty.
class Stations {
 public:
  Stations(std::uint32_t next_stations, std::uint32_t sources, std::uint32_t mtus)
      : next_(next_stations), sources_(sources), mtus_(mtus, 1500) {}

  /// The tables' writes return false for an index beyond the table.
  bool set_next(std::uint32_t index, const NextStation& station) {
    return put(next_, index, std::optional<NextStation>(station));
  }
  bool set_source(std::uint32_t index, const MacAddress& address) {
    return put(sources_, index, std::optional<MacAddress>(address));
  }
  bool set_mtu(std::uint32_t index, std::uint16_t bytes) { return put(mtus_, index, bytes); }
  /// Null for an empty entry, and beyond the table.
  const NextStation* next(std::uint32_t index) const { return get(next_, index); }
  const MacAddress* source(std::uint32_t index) const { return get(sources_, index); }
  /// 0 beyond the table.
  std::uint16_t mtu(std::uint32_t index) const { return index < mtus_.size() ? mtus_[index] : 0; }

 private:
  template <class T>
  static bool put(std::vector<T>& table, std::uint32_t index, const T& value) {
    if (index >= table.size()) return false;
    table[index] = value;
    return true;
  }
  template <class T>
  static const T* get(const std::vector<std::optional<T>>& table, std::uint32_t index) {
    return index < table.size() && table[index] ? &*table[index] : nullptr;
  }

  std::vector<std::optional<NextStation>> next_;
  std::vector<std::optional<MacAddress>> sources_;
  std::vector<std::uint16_t> mtus_;
};

}  // namespace longhaul::toe
