// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/nic/twin/instants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "models/net/frame/frame.h"
#include "tests/rtl/nic/twin/script.h"
#include "tests/rtl/nic/twin/twin.h"

namespace longhaul::nic_twin {
namespace {

// rtl/nic/README.md, Instants.
constexpr std::int64_t kCorePs = 6'400;
constexpr std::int64_t kBusPs = 7'519;         // 133 MHz
constexpr std::int64_t kLeastCoreClocks = 14;  // from a frame's last bit to the write's request
constexpr std::int64_t kMostCoreClocks = 20;
constexpr std::int64_t kLeastCrossing = 2;  // bus clocks
constexpr std::int64_t kMostCrossing = 4;
constexpr std::int64_t kWriteBackClocks = 5;  // of the core
constexpr std::int64_t kTenureClocks = 12;    // of the bus: a tenure without its data
constexpr std::int64_t kModelPs = 64'000;     // rx_latency and rx_packet_clocks
constexpr std::int64_t kBurstBytes = 2048;
constexpr std::int64_t kWordBytes = 8;
constexpr std::uint64_t kDescriptor = 16;
constexpr std::uint64_t kRingBytes = 0x2'0000;

struct Bound {
  std::int64_t least_ps;
  std::int64_t most_ps;
};

Bound bound_of(std::int64_t octets) {
  const std::int64_t collected = std::min(octets, kBurstBytes) / kWordBytes + 1;
  const std::int64_t bursts = (octets + kBurstBytes - 1) / kBurstBytes + 1;
  return {kLeastCoreClocks * kCorePs + kLeastCrossing * kBusPs - kModelPs,
          (kMostCoreClocks + kWriteBackClocks) * kCorePs +
              (2 * kMostCrossing + collected + bursts * kTenureClocks) * kBusPs - kModelPs};
}

/// When each descriptor of the receive ring was first written back, by its address.
std::map<std::uint64_t, std::uint64_t> written_of(const Machine& machine, const Seen& seen) {
  std::map<std::uint64_t, std::uint64_t> found;
  for (std::size_t i = seen.writes; i < machine.memory.writes.size(); ++i) {
    const TwinMemory::Write& each = machine.memory.writes[i];
    if (each.address < Script::kRxRing || each.address >= Script::kRxRing + kRingBytes) continue;
    for (std::uint64_t at = each.address; at < each.address + each.bytes; at += kDescriptor)
      found.emplace(at, each.at_ps);
  }
  return found;
}

/// The frame from the line that ended last before a time, by its place in the phase.
std::size_t frame_before(const Machine& machine, const Seen& seen, std::uint64_t at_ps) {
  std::size_t found = 0;
  for (std::size_t i = seen.ends; i < machine.far.ends.size(); ++i)
    if (machine.far.ends[i] <= at_ps) found = i - seen.ends;
  return found;
}

}  // namespace

std::string first_late(const Phase& phase, const Machine& tlm, const Machine& rtl,
                       const Seen& of_tlm, const Seen& of_rtl) {
  if (!phase.alone || phase.cut || phase.frames.empty()) return {};
  const auto two = written_of(rtl, of_rtl);
  for (const auto& [at, one_ps] : written_of(tlm, of_tlm)) {
    const auto found = two.find(at);
    if (found == two.end()) continue;  // the closing accesses write it back
    const std::size_t frame = frame_before(tlm, of_tlm, one_ps);
    const auto octets =
        static_cast<std::int64_t>(phase.frames[frame].bytes.size() + Frame::kFcsBytes);
    const auto late_ps = static_cast<std::int64_t>(found->second - one_ps);
    if (octets > phase.buffer) continue;  // no bound is derived for several buffers
    const Bound bound = bound_of(octets);
    if (bound.least_ps <= late_ps && late_ps <= bound.most_ps) continue;
    return fmt::format(
        "receive descriptor {:#x}, frame {} of {} octets: written back by TLM at {:.3f} us, by RTL "
        "{:.3f} us later; bound {:.3f} to {:.3f} us",
        at, frame, octets, static_cast<double>(one_ps - of_tlm.begin_ps) / 1e6,
        static_cast<double>(late_ps) / 1e6, static_cast<double>(bound.least_ps) / 1e6,
        static_cast<double>(bound.most_ps) / 1e6);
  }
  return {};
}

}  // namespace longhaul::nic_twin
