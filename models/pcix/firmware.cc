// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/firmware.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace longhaul::pcix {
namespace {

// PCI 2.3, chapter 6, and PCI-X 1.0b, 7.2.
constexpr std::uint32_t kLatencyTimerOffset = 0x0d;
constexpr std::uint32_t kFirstCapability = 0x34;
constexpr std::uint32_t kPcixCapabilityId = 0x07;
constexpr std::uint32_t kPcixCommandOffset = 2;  // offset in the capability
constexpr std::array<std::uint32_t, 4> kReadBytes{512, 1024, 2048, 4096};
constexpr std::array<std::uint32_t, 8> kSplits{1, 2, 3, 4, 8, 12, 16, 32};

/// The index of `value` in a register field's table.
template <std::size_t N>
std::uint32_t field_of(const std::array<std::uint32_t, N>& table, std::uint32_t value,
                       const std::string& where) {
  const auto* at = std::find(table.begin(), table.end(), value);
  if (at == table.end())
    throw ConfigError(
        fmt::format("{}: {} cannot be set, wants one of {}", where, value, fmt::join(table, ", ")));
  return static_cast<std::uint32_t>(at - table.begin());
}

std::uint32_t capability_at(const ConfigSpace& config, std::uint32_t id) {
  std::uint32_t at = config.read(kFirstCapability, 1);
  for (int hops = 0; at != 0 && hops < 48; ++hops) {
    if (config.read(at, 1) == id) return at;
    at = config.read(at + 1, 1);
  }
  return 0;
}

}  // namespace

void run_firmware(const FirmwareParams& params, ConfigSpace& config, const std::string& where) {
  const std::uint32_t read_bytes = field_of(kReadBytes, params.mmrbc(), where + ".mmrbc");
  const std::uint32_t splits = field_of(kSplits, params.outstanding(), where + ".outstanding");
  config.write(kLatencyTimerOffset, 1, params.latency_timer());
  const std::uint32_t capability = capability_at(config, kPcixCapabilityId);
  if (capability == 0) return;  // a conventional PCI device has no such limits
  const std::uint32_t kept = config.read(capability + kPcixCommandOffset, 2) & ~0x7cU;
  config.write(capability + kPcixCommandOffset, 2, kept | read_bytes << 2 | splits << 4);
}

}  // namespace longhaul::pcix
