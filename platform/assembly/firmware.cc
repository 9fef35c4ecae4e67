// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/firmware.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace longhaul::assembly {
namespace {

// PCI 2.3, chapter 6, and PCI-X 1.0b, 7.2.
constexpr std::uint32_t kLatencyTimer = 0x0d;
constexpr std::uint32_t kCapabilities = 0x34;
constexpr std::uint32_t kPcixCapability = 0x07;
constexpr std::uint32_t kPcixCommand = 2;  // offset in the capability
constexpr std::array<std::uint32_t, 4> kReadBytes{512, 1024, 2048, 4096};
constexpr std::array<std::uint32_t, 8> kSplits{1, 2, 3, 4, 8, 12, 16, 32};

/// The index of `value` in a register field's table.
template <std::size_t N>
std::uint32_t encode(const std::array<std::uint32_t, N>& table, std::uint32_t value,
                     const std::string& where) {
  const auto* at = std::find(table.begin(), table.end(), value);
  if (at == table.end())
    throw ConfigError(
        fmt::format("{}: {} cannot be set, wants one of {}", where, value, fmt::join(table, ", ")));
  return static_cast<std::uint32_t>(at - table.begin());
}

std::uint32_t find_capability(const pcix::ConfigSpace& config, std::uint32_t id) {
  std::uint32_t at = config.read(kCapabilities, 1);
  for (int hops = 0; at != 0 && hops < 48; ++hops) {
    if (config.read(at, 1) == id) return at;
    at = config.read(at + 1, 1);
  }
  return 0;
}

}  // namespace

FirmwareParams firmware_params_of(const std::string& adapter_type) {
  FirmwareParams params;
  if (adapter_type != "e1000") return params;
  params.mmrbc.source = {Evidence::kStandard, "PCI-X 1.0b, 7.2.3: after reset 0, reads of 512 B"};
  params.outstanding.value = 1;
  params.outstanding.source = {Evidence::kMeasured,
                               "lspci of 82545 and 82546 boards: OST=1, and DMOST=1, made for one "
                               "(models/nic/e1000/README.md)"};
  return params;
}

void run_firmware(const FirmwareParams& params, pcix::ConfigSpace& config,
                  const std::string& where) {
  const std::uint32_t read_bytes = encode(kReadBytes, params.mmrbc(), where + ".mmrbc");
  const std::uint32_t splits = encode(kSplits, params.outstanding(), where + ".outstanding");
  config.write(kLatencyTimer, 1, params.latency_timer());
  const std::uint32_t capability = find_capability(config, kPcixCapability);
  if (capability == 0) return;  // a conventional PCI device has no such limits
  const std::uint32_t kept = config.read(capability + kPcixCommand, 2) & ~0x7cU;
  config.write(capability + kPcixCommand, 2, kept | read_bytes << 2 | splits << 4);
}

}  // namespace longhaul::assembly
