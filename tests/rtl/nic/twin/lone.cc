// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/nic/twin/lone.h"

#include <fmt/format.h>

#include <stdexcept>

#include "models/nic/ixgb/parts.h"
#include "models/nic/ixgb/regs.h"
#include "tests/rtl/nic/twin/script.h"
#include "tests/rtl/nic/twin/twin.h"
#include "tests/unit/times.h"

namespace longhaul::nic_twin {
namespace {

namespace regs = nic::ixgb::regs;
namespace tx = nic::intel::tx;

constexpr std::uint32_t kEntries = 8;
constexpr std::uint32_t kDescriptor = 16;
constexpr std::uint64_t kAnswered = 200 * kUs;  // when software reads ICR
constexpr std::uint64_t kSent = 250 * kUs;
constexpr std::int64_t kCorePs = 6'400;
constexpr std::int64_t kBusPs = 7'519;  // 133 MHz
constexpr std::int64_t kWordBytes = 8;
constexpr std::int64_t kTxModelPs = 44'800;  // tx_latency, tx_descriptor_clocks, tx_packet_clocks

Store descriptor_of(std::uint64_t ring, std::uint64_t data, std::uint32_t word) {
  Store descriptor{ring, std::vector<std::uint8_t>(kDescriptor)};
  nic::write_le32(descriptor.bytes.data(), static_cast<std::uint32_t>(data));
  nic::write_le32(descriptor.bytes.data() + 8, word);
  return descriptor;
}

// rtl/nic/README.md, Instants: clocks of the RTL from a doorbell to the frame on the wire, from
// there to its descriptor, and from a written descriptor to the interrupt.
struct Bound {
  std::int64_t least_ps;
  std::int64_t most_ps;
};
constexpr Bound kInterrupt{3 * kCorePs, 8 * kCorePs + kBusPs};
constexpr Bound kTxWritten{20'000, 60'000};

Bound start_of(std::int64_t octets) {
  const std::int64_t words = 2 + (octets + kWordBytes - 1) / kWordBytes;  // descriptor, data
  return {32 * kCorePs + (7 + words) * kBusPs - kTxModelPs,
          38 * kCorePs + (11 + words) * kBusPs - kTxModelPs};
}

/// When software and wire saw it, in ps from the traffic's begin.
struct Instants {
  std::uint64_t rx_written = 0;    ///< the receive descriptor is in host memory
  std::uint64_t rx_interrupt = 0;  ///< RXT0 rises
  std::uint64_t tx_start = 0;      ///< the preamble's first bit is on the wire
  std::uint64_t tx_written = 0;    ///< the transmit descriptor is in host memory
  std::uint64_t tx_interrupt = 0;  ///< TXDW rises
};

void set_once(std::uint64_t& instant, std::uint64_t at_ps, const char* what) {
  if (instant != 0) throw std::runtime_error(fmt::format("{} is seen twice", what));
  instant = at_ps;
}

Instants instants_of(const Machine& machine, const Seen& seen) {
  Instants found;
  for (std::size_t i = seen.writes; i < machine.memory.writes.size(); ++i) {
    const TwinMemory::Write& each = machine.memory.writes[i];
    const std::uint64_t at_ps = each.at_ps - seen.begin_ps;
    if (each.address == Script::kRxRing) set_once(found.rx_written, at_ps, "a receive descriptor");
    if (each.address == Script::kTxRing) set_once(found.tx_written, at_ps, "a sent descriptor");
  }
  for (std::size_t i = seen.edges; i < machine.edges.size(); ++i) {
    if (!machine.edges[i].rise) continue;
    const std::uint64_t at_ps = machine.edges[i].at_ps - seen.begin_ps;
    set_once(at_ps < kAnswered ? found.rx_interrupt : found.tx_interrupt, at_ps, "an interrupt");
  }
  for (std::size_t i = seen.arrivals; i < machine.far.arrivals.size(); ++i)
    set_once(found.tx_start, machine.far.arrivals[i].start_ps - seen.begin_ps, "a frame");
  for (const std::uint64_t each :
       {found.rx_written, found.rx_interrupt, found.tx_start, found.tx_written, found.tx_interrupt})
    if (each == 0) throw std::runtime_error("a frame, descriptor or interrupt is missing");
  return found;
}

std::string outside(const char* what, std::int64_t late_ps, const Bound& bound) {
  if (bound.least_ps <= late_ps && late_ps <= bound.most_ps) return {};
  const auto ns = [](std::int64_t ps) { return static_cast<double>(ps) / 1e3; };
  return fmt::format("{}: by RTL {:.1f} ns later; bound {:.1f} to {:.1f} ns", what, ns(late_ps),
                     ns(bound.least_ps), ns(bound.most_ps));
}

}  // namespace

Phase phase_of(const Lone& lone) {
  Phase phase;
  phase.name = "lone";
  phase.reset = true;
  phase.rest_ps = 200 * kUs;
  phase.stores = {descriptor_of(Script::kRxRing, Script::kRxData, 0),
                  descriptor_of(Script::kTxRing, Script::kTxData,
                                1U << tx::kTypeShift | tx::kEop | tx::kRs | tx::kIde | lone.bytes),
                  {Script::kTxData, std::vector<std::uint8_t>(lone.bytes, 0x5a)}};
  for (const Access& each : {
           write_of(regs::kCtrl0, regs::kCtrl0Fields.jfe),
           write_of(regs::kMfs, 16128U << 16),
           write_of(regs::kTdbal, Script::kTxRing),
           write_of(regs::kTdlen, kEntries * kDescriptor),
           write_of(regs::kRdbal, Script::kRxRing),
           write_of(regs::kRdlen, kEntries * kDescriptor),
           write_of(regs::kRdtr, lone.timer),
           write_of(regs::kTidv, lone.timer),
           write_of(regs::kIms, regs::kCauseFields.rxt0 | regs::kCauseFields.txdw),
           write_of(regs::kTctl, regs::kTctlFields.en),
           write_of(regs::kRdt, 1),
           write_of(regs::kRctl, regs::kRctlFields.en | regs::kRctlFields.bsize.put(3) |
                                     regs::kRctlFields.secrc | regs::kRctlFields.upe),
       })
    phase.setup.push_back(each);
  LineFrame frame;
  frame.bytes.assign(lone.bytes, 0x5a);
  frame.bytes[0] = 0;
  frame.from_ps = lone.offset_ps;
  phase.frames = {frame};
  phase.actions = {{true, regs::kIcr, 0, 4, kAnswered, 0},
                   {false, regs::kTdt, 1, 4, kSent + lone.offset_ps, 0}};
  return phase;
}

std::string first_late(const Lone& lone, const Machine& tlm, const Machine& rtl, const Seen& of_tlm,
                       const Seen& of_rtl) {
  const Instants model = instants_of(tlm, of_tlm);
  const Instants block = instants_of(rtl, of_rtl);
  const auto late = [&](std::uint64_t Instants::*end) {
    return static_cast<std::int64_t>(block.*end - model.*end);
  };
  const std::int64_t started = late(&Instants::tx_start);
  const std::int64_t sent = late(&Instants::tx_written);
  const std::int64_t received = late(&Instants::rx_written);
  std::string found = outside("the frame starts", started, start_of(lone.bytes));
  if (found.empty()) found = outside("its descriptor after it", sent - started, kTxWritten);
  if (found.empty())
    found = outside("TXDW after it", late(&Instants::tx_interrupt) - sent, kInterrupt);
  if (found.empty())
    found =
        outside("RXT0 after the descriptor", late(&Instants::rx_interrupt) - received, kInterrupt);
  return found;
}

}  // namespace longhaul::nic_twin
