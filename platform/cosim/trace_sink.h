// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace longhaul::cosim {

/// Takes the signals of a traced block. Times are the block's.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  /// Of a signal whose changes nobody wants.
  static constexpr std::uint32_t kIgnored = ~0U;
  /// A signal of `width` bits in `scope` ("u_regs.u_fifo", "" at the top). Returns what change()
  /// names it by, or kIgnored.
  virtual std::uint32_t declare(const std::string& scope, const std::string& name,
                                std::uint32_t width) = 0;
  /// Its value from `ps` on; of more than 64 bits the lowest 64.
  virtual void change(std::uint32_t signal, std::uint64_t ps, std::uint64_t value) = 0;
  /// Whether changes at `ps` are of interest; what changed while they were not comes with the first
  /// that are.
  virtual bool records(std::uint64_t ps) const = 0;
};

}  // namespace longhaul::cosim
