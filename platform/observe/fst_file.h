// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace longhaul::observe {

/// A file of waves in GTKWave's FST format: scopes of variables, and their changes in order of
/// time. It is called PATH.part until close(), so a file named PATH is complete. Time is in
/// picoseconds. Errors are SinkErrors.
class FstFile {
 public:
  using Var = std::uint32_t;

  explicit FstFile(const std::string& path);
  FstFile(const FstFile&) = delete;
  FstFile& operator=(const FstFile&) = delete;
  ~FstFile();

  /// Scopes and variables. Add all of them before the first change.
  void enter(const std::string& scope);
  void leave();
  Var add_bits(const std::string& name, std::uint32_t width);  ///< up to 64 bits
  Var add_text(const std::string& name);
  /// An event at an instant, which set_event() reports.
  Var add_event(const std::string& name);
  /// A value with named states: an enumeration table in the file.
  Var add_states(const std::string& name, std::uint32_t width,
                 const std::vector<std::pair<std::uint64_t, std::string>>& names);

  /// Sets the time of the following changes; never earlier than the time before.
  void at(std::uint64_t ps);
  /// Whether there was a change. A file of times without changes cannot be read.
  bool has_changes() const { return started_; }
  void set(Var var, std::uint32_t width, std::uint64_t value);
  /// Sets a value of which only bits from 32 on, or only bits below 32, may be driven. `driven_low`
  /// and `driven_high` tell which halves of 64 bits are.
  void set_halves(Var var, std::uint64_t value, bool driven_low, bool driven_high);
  void set_undriven(Var var, std::uint32_t width);
  void set_text(Var var, const std::string& text);
  void set_event(Var var);

  /// Finishes the file, checks that it can be read, and gives it its name. Further calls do
  /// nothing.
  void close();

 private:
  void emit_bits(Var var, const char* bits);

  const std::string path_;
  const std::string part_path_;
  void* writer_ = nullptr;
  std::uint64_t now_ps_ = 0;
  bool started_ = false;
};

}  // namespace longhaul::observe
