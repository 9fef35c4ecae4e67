// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace longhaul::cosim {

/// Receives the signals of a traced block. Times are the block's.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  /// Result of declare() for a signal that is not recorded.
  static constexpr std::uint32_t kIgnored = ~0U;
  /// Declares a signal of `width` bits in `scope` ("u_regs.u_fifo", "" at the top). Returns its
  /// number for change(), or kIgnored.
  virtual std::uint32_t declare(const std::string& scope, const std::string& name,
                                std::uint32_t width) = 0;
  /// The signal's value from `ps` on; the lowest 64 bits if it is wider.
  virtual void change(std::uint32_t signal, std::uint64_t ps, std::uint64_t value) = 0;
  /// Whether changes at `ps` are recorded. Changes that were not recorded come with the first that
  /// are.
  virtual bool records(std::uint64_t ps) const = 0;
};

}  // namespace longhaul::cosim
