// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace longhaul::guest {

/// The places of data in the memory of a guest's kernel, from its build
/// (longhaul.guest.kernel_layout): fields of its structures and addresses of its variables. Nothing
/// of this is compiled into the kernel.
class KernelLayout {
 public:
  struct Field {
    std::uint32_t offset = 0;  ///< in its structure, bytes
    std::uint32_t bytes = 0;
    std::uint64_t mask = ~0ULL;  ///< of a bit field, within its bytes
  };

  /// Reads the file. Throws ConfigError that names the error in it.
  explicit KernelLayout(const std::string& path);

  /// The field called `name`. Throws ConfigError if the file has none.
  Field field(const std::string& name) const;
  /// The address of a variable of the kernel.
  std::uint64_t symbol(const std::string& name) const;
  /// Ticks a second.
  std::uint32_t hz() const { return hz_; }

 private:
  std::string path_;
  std::map<std::string, Field> fields_;
  std::map<std::string, std::uint64_t> symbols_;
  std::uint32_t hz_ = 0;
};

}  // namespace longhaul::guest
