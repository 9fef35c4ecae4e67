// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/nic/twin/phase_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/rtl/nic/twin/twin.h"

namespace longhaul::nic_twin {
namespace {

constexpr std::size_t kShown = 20;  // bytes of a frame or of a store

std::string hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (std::size_t i = 0; i < std::min(bytes.size(), kShown); ++i)
    text += fmt::format("{:02x}", bytes[i]);
  return bytes.size() > kShown ? text + "..." : text;
}

double us(std::uint64_t ps, std::uint64_t begin_ps) {
  return (static_cast<double>(ps) - static_cast<double>(begin_ps)) / 1e6;
}

void log_access(std::FILE* out, const char* when, const Access& each,
                const RegisterBank& registers) {
  std::string name = fmt::format("{:#x}", each.offset);
  for (const Reg32* reg : registers.registers())
    if (reg->offset() == (each.offset & ~3U)) name += std::string(" ") + reg->name();
  fmt::print(out, "{} {:.3f}: {} {} bytes {} {:#x}\n", when, us(each.at_ps, 0),
             each.is_read ? "read" : "write", each.bytes, name, each.value);
}

}  // namespace

void log_phase(std::FILE* out, const Phase& phase, const RegisterBank& registers) {
  fmt::print(out, "phase {}, reset {}, memory {} ns, {} ns a line\n", phase.name, phase.reset,
             phase.pace.latency_ps / 1000, phase.pace.line_ps / 1000);
  for (const Store& each : phase.stores)
    fmt::print(out, "store {:#x}: {} bytes {}\n", each.address, each.bytes.size(), hex(each.bytes));
  for (const Access& each : phase.setup) log_access(out, "setup", each, registers);
  for (const Access& each : phase.actions) log_access(out, "action", each, registers);
  for (const Access& each : phase.closing) log_access(out, "closing", each, registers);
  for (const LineFrame& each : phase.frames)
    fmt::print(out, "line {:.3f}: {} bytes {}, broken bit {}\n", us(each.from_ps, 0),
               each.bytes.size(), hex(each.bytes), each.broken_bit);
}

void log_seen(std::FILE* out, const char* side, const Machine& machine, const Seen& seen) {
  for (std::size_t i = seen.ends; i < machine.far.ends.size(); ++i)
    fmt::print(out, "{} {:.3f}: frame from the line ends\n", side,
               us(machine.far.ends[i], seen.begin_ps));
  for (std::size_t i = seen.arrivals; i < machine.far.arrivals.size(); ++i) {
    const WireEnd::Arrival& each = machine.far.arrivals[i];
    fmt::print(out, "{} {:.3f}: sent {} bytes {}{}\n", side, us(each.start_ps, seen.begin_ps),
               each.bytes.size(), hex(each.bytes), each.good ? "" : ", bad FCS");
  }
  for (std::size_t i = seen.edges; i < machine.edges.size(); ++i)
    fmt::print(out, "{} {:.3f}: interrupt {}\n", side, us(machine.edges[i].at_ps, seen.begin_ps),
               machine.edges[i].rise ? "rises" : "falls");
  for (std::size_t i = seen.writes; i < machine.memory.writes.size(); ++i) {
    const TwinMemory::Write& each = machine.memory.writes[i];
    fmt::print(out, "{} {:.3f}: writes {} bytes at {:#x}\n", side, us(each.at_ps, seen.begin_ps),
               each.bytes, each.address);
  }
  for (const Reading& each : seen.readings)
    fmt::print(out, "{} {:.3f}: reads {:#x} = {:#x}\n", side, us(each.at_ps, seen.begin_ps),
               each.offset, each.value);
}

}  // namespace longhaul::nic_twin
