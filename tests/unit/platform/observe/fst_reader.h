// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstapi.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace longhaul::observe {

/// Reads a whole FST file: for each variable its changes in order of time.
class FstReader {
 public:
  explicit FstReader(const std::string& path) {
    void* const reader = fstReaderOpen(path.c_str());
    if (reader == nullptr) throw std::runtime_error(path + " cannot be read");
    std::vector<std::string> scopes{""};
    while (fstHier* const entry = fstReaderIterateHier(reader)) {
      if (entry->htyp == FST_HT_SCOPE) scopes.push_back(scopes.back() + entry->u.scope.name + ".");
      if (entry->htyp == FST_HT_UPSCOPE) scopes.pop_back();
      if (entry->htyp == FST_HT_VAR)
        names_[entry->u.var.handle] = scopes.back() + entry->u.var.name;
    }
    fstReaderSetFacProcessMaskAll(reader);
    fstReaderIterBlocks2(reader, &FstReader::on_value, &FstReader::on_text, this, nullptr);
    fstReaderClose(reader);
  }
  bool has(const std::string& name) const {
    return std::any_of(names_.begin(), names_.end(),
                       [&](const auto& named) { return named.second == name; });
  }
  /// Number of variables.
  std::size_t size() const { return names_.size(); }
  /// Changes of a variable, as text.
  const std::map<std::uint64_t, std::string>& of(const std::string& name) const {
    for (const auto& [handle, found] : names_) {
      if (found == name) return changes_[handle];
    }
    throw std::runtime_error("no variable " + name);
  }
  /// Its value at a time.
  std::string at(const std::string& name, std::uint64_t ps) const {
    const auto& changes = of(name);
    const auto after = changes.upper_bound(ps);
    return after == changes.begin() ? "x" : std::prev(after)->second;
  }
  /// Clocks of [from, to) in which a line is low, looked at in the middle of each.
  std::uint64_t low_clocks(const std::string& name, std::uint64_t from, std::uint64_t to,
                           std::uint64_t period) const {
    std::uint64_t count = 0;
    for (std::uint64_t ps = from + period / 2; ps < to; ps += period)
      count += at(name, ps) == "0" ? 1 : 0;
    return count;
  }

 private:
  static void on_value(void* self, std::uint64_t ps, fstHandle handle, const unsigned char* value) {
    static_cast<FstReader*>(self)->changes_[handle][ps] = reinterpret_cast<const char*>(value);
  }
  static void on_text(void* self, std::uint64_t ps, fstHandle handle, const unsigned char* value,
                      std::uint32_t length) {
    static_cast<FstReader*>(self)->changes_[handle][ps] =
        std::string(reinterpret_cast<const char*>(value), length);
  }
  std::map<fstHandle, std::string> names_;
  mutable std::map<fstHandle, std::map<std::uint64_t, std::string>> changes_;
};

}  // namespace longhaul::observe
