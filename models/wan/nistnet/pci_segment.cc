// SPDX-License-Identifier: Apache-2.0
#include "models/wan/nistnet/pci_segment.h"

#include <algorithm>

namespace longhaul::wan {
namespace {

constexpr std::uint32_t kDecodeClocks = 1;  // medium DEVSEL#

std::uint64_t refused_ps(const pcix::BusTiming& timing) {
  pcix::Phases phases = timing.opening(0, kDecodeClocks);
  timing.add_termination(phases, true);
  return timing.ps(phases.clocks() + pcix::BusTiming::kTurnAround);
}

std::uint64_t register_read(const pcix::BusTiming& timing, std::uint32_t wait_clocks) {
  pcix::Phases phases = timing.opening(0, kDecodeClocks, wait_clocks);
  timing.add_data(phases, 0, 4, 4);
  return timing.ps(phases.clocks() + pcix::BusTiming::kTurnAround);
}

}  // namespace

PciSegment::PciSegment(const NistnetBusParams& params, std::uint64_t burst_bytes,
                       sc_core::sc_time memory_latency, const std::string& where)
    : timing_(params.bus, where),
      burst_bytes_(burst_bytes),
      read_block_bytes_(params.read_block().count),
      fetch_ps_(2 * to_ps(params.bridge_latency()) + to_ps(memory_latency)),
      attempt_ps_(refused_ps(timing_)),
      register_bus_ps_(register_read(timing_, params.register_wait_clocks())),
      register_way_ps_(2 * to_ps(params.bridge_latency())) {}

std::uint64_t PciSegment::tenure_ps(std::uint64_t bytes) const {
  pcix::Phases phases = timing_.opening(0, kDecodeClocks);
  timing_.add_data(phases, 0, static_cast<std::uint32_t>(bytes), timing_.width_bytes());
  return timing_.ps(phases.clocks() + pcix::BusTiming::kTurnAround);
}

BusUse PciSegment::write(std::uint64_t bytes) const {
  BusUse use;
  for (; bytes > burst_bytes_; bytes -= burst_bytes_) use.occupied_ps += tenure_ps(burst_bytes_);
  use.occupied_ps += tenure_ps(bytes);
  return use;
}

BusUse PciSegment::read(std::uint64_t bytes) const {
  const std::uint64_t most = std::min(read_block_bytes_, burst_bytes_);
  BusUse use;
  while (bytes != 0) {
    const std::uint64_t part = std::min(bytes, most);
    use.occupied_ps += attempt_ps_ + tenure_ps(part);
    use.waited_ps += fetch_ps_;
    bytes -= part;
  }
  return use;
}

std::uint64_t PciSegment::transfer(const BusUse& use, std::uint64_t from_ps) {
  const std::uint64_t begin_ps =
      timing_.edge_ps(std::max(from_ps, free_ps_)) + timing_.ps(timing_.arbitration_clocks());
  free_ps_ = begin_ps + use.occupied_ps;
  occupied_ps.add(use.occupied_ps);
  return free_ps_ + use.waited_ps;
}

std::uint64_t PciSegment::register_read_ps(std::uint64_t now_ps) {
  const std::uint64_t reaches_ps = now_ps + register_way_ps_ / 2;
  const std::uint64_t busy_ps =
      free_ps_ > reaches_ps ? std::min(free_ps_ - reaches_ps, tenure_ps(burst_bytes_)) : 0;
  occupied_ps.add(register_bus_ps_);
  free_ps_ = std::max(free_ps_, reaches_ps) + register_bus_ps_;
  return register_way_ps_ + busy_ps + register_bus_ps_;
}

}  // namespace longhaul::wan
