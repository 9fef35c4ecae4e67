// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/nic/twin/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tests/rtl/nic/twin/instants.h"
#include "tests/rtl/nic/twin/script.h"
#include "tests/rtl/nic/twin/twin.h"

namespace longhaul::nic_twin {
namespace {

/// Both machines, and what was seen of them.
struct Pair {
  const Phase& phase;
  const Machine& tlm;
  const Machine& rtl;
  const Seen& of_tlm;
  const Seen& of_rtl;
};

std::string us(std::uint64_t ps, const Pair& pair) {
  return fmt::format("{:.3f} us",
                     (static_cast<double>(ps) - static_cast<double>(pair.of_tlm.begin_ps)) / 1e6);
}

std::string name_of(const Pair& pair, std::uint32_t offset) {
  for (const Reg32* reg : pair.tlm.nic->function()->bank().registers())
    if (reg->offset() == (offset & ~3U)) return fmt::format("{} ({:#x})", reg->name(), offset);
  return fmt::format("no register ({:#x})", offset);
}

std::string of_readings(const Pair& pair) {
  for (std::size_t i = 0; i < pair.of_tlm.readings.size(); ++i) {
    const Reading& one = pair.of_tlm.readings[i];
    const Reading& two = pair.of_rtl.readings[i];
    if (one.value != two.value)
      return fmt::format("register {}, read {}: TLM {:#x} at {}, RTL {:#x} at {}",
                         name_of(pair, one.offset), i, one.value, us(one.at_ps, pair), two.value,
                         us(two.at_ps, pair));
  }
  return {};
}

std::string of_causes(const Pair& pair) {
  if (pair.of_tlm.causes == pair.of_rtl.causes) return {};
  return fmt::format("causes read from ICR: TLM {:#x}, RTL {:#x}", pair.of_tlm.causes,
                     pair.of_rtl.causes);
}

/// The frames of a phase that the adapter sent: MAC control frames, or all others.
std::vector<WireEnd::Arrival> sent(const Machine& machine, std::size_t from, bool control) {
  std::vector<WireEnd::Arrival> found;
  const auto begin = machine.far.arrivals.begin() + static_cast<std::ptrdiff_t>(from);
  std::copy_if(begin, machine.far.arrivals.end(), std::back_inserter(found),
               [control](const WireEnd::Arrival& each) {
                 return control == (each.bytes.size() > 13 && each.bytes[12] == 0x88 &&
                                    each.bytes[13] == 0x08);
               });
  return found;
}

/// PAUSE frames go between others at any place, so each sort is compared for itself.
std::string of_frames(const Pair& pair, bool control) {
  const std::vector<WireEnd::Arrival> one = sent(pair.tlm, pair.of_tlm.arrivals, control);
  const std::vector<WireEnd::Arrival> two = sent(pair.rtl, pair.of_rtl.arrivals, control);
  const std::size_t ours = one.size();
  const std::size_t theirs = two.size();
  for (std::size_t i = 0; i < std::min(ours, theirs); ++i) {
    const WireEnd::Arrival& a = one[i];
    const WireEnd::Arrival& b = two[i];
    if (a.bytes == b.bytes && a.good == b.good) continue;
    const auto at = static_cast<std::size_t>(
        std::mismatch(a.bytes.begin(), a.bytes.end(), b.bytes.begin(), b.bytes.end()).first -
        a.bytes.begin());
    return fmt::format(
        "{} {} on the wire, byte {}: TLM {} bytes from {}{}, RTL {} bytes from "
        "{}{}; there {:02x} and {:02x}",
        control ? "control frame" : "frame", i, at, a.bytes.size(), us(a.start_ps, pair),
        a.good ? "" : " (bad FCS)", b.bytes.size(), us(b.start_ps, pair),
        b.good ? "" : " (bad FCS)", at < a.bytes.size() ? a.bytes[at] : 0,
        at < b.bytes.size() ? b.bytes[at] : 0);
  }
  if (ours == theirs || pair.phase.cut) return {};
  return fmt::format("{} on the wire: TLM {}, RTL {}", control ? "control frames" : "frames", ours,
                     theirs);
}

std::string of_interrupts(const Pair& pair) {
  if (pair.phase.handler || pair.phase.cut) return {};
  const auto rises = [](const Machine& machine, std::size_t from) {
    return std::count_if(machine.edges.begin() + static_cast<std::ptrdiff_t>(from),
                         machine.edges.end(), [](const Machine::Edge& e) { return e.rise; });
  };
  const auto one = rises(pair.tlm, pair.of_tlm.edges);
  const auto two = rises(pair.rtl, pair.of_rtl.edges);
  if (one == two) return {};
  return fmt::format("interrupts: TLM {}, RTL {}", one, two);
}

std::string place_of(std::uint64_t address) {
  if (address >= Script::kRxData) return "received data";
  if (address >= Script::kTxData) return "data to send";
  return address >= Script::kRxRing ? "receive ring" : "transmit ring";
}

/// When a byte of memory was last written in this phase.
std::string written(const Pair& pair, const Machine& machine, std::size_t from,
                    std::uint64_t address) {
  std::string last = "never";
  for (std::size_t i = from; i < machine.memory.writes.size(); ++i) {
    const TwinMemory::Write& each = machine.memory.writes[i];
    if (each.address <= address && address < each.address + each.bytes)
      last = fmt::format("{}, {} bytes from {:#x}", us(each.at_ps, pair), each.bytes, each.address);
  }
  return last;
}

std::string of_memory(const Pair& pair, const std::vector<std::uint8_t>& before) {
  const std::vector<std::uint8_t>& one = pair.tlm.memory.bytes;
  const std::vector<std::uint8_t>& two = pair.rtl.memory.bytes;
  if (one == two) return {};
  std::vector<std::uint8_t> begun = before;
  for (const Store& each : pair.phase.stores)
    std::copy(each.bytes.begin(), each.bytes.end(),
              begun.begin() + static_cast<std::ptrdiff_t>(each.address));
  for (std::uint64_t at = 0; at < one.size(); ++at) {
    if (one[at] == two[at]) continue;
    // A reset comes between writes: one of them has them, the other not yet.
    if (pair.phase.cut && (one[at] == begun[at] || two[at] == begun[at])) continue;
    return fmt::format("memory {:#x} ({}): TLM {:#04x}, written {}; RTL {:#04x}, written {}", at,
                       place_of(at), one[at], written(pair, pair.tlm, pair.of_tlm.writes, at),
                       two[at], written(pair, pair.rtl, pair.of_rtl.writes, at));
  }
  return {};
}

}  // namespace

std::string first_difference(const Phase& phase, const Machine& tlm, const Machine& rtl,
                             const Seen& of_tlm, const Seen& of_rtl,
                             const std::vector<std::uint8_t>& before) {
  const Pair pair{phase, tlm, rtl, of_tlm, of_rtl};
  std::string found = of_frames(pair, false);
  if (found.empty()) found = of_frames(pair, true);
  if (found.empty()) found = of_memory(pair, before);
  if (found.empty()) found = of_causes(pair);
  if (found.empty()) found = of_readings(pair);
  if (found.empty()) found = of_interrupts(pair);
  if (found.empty()) found = first_late(phase, tlm, rtl, of_tlm, of_rtl);
  if (found.empty()) return {};
  return fmt::format("{}; phase \"{}\" from {:.3f} us", found, phase.name,
                     static_cast<double>(of_tlm.begin_ps) / 1e6);
}

}  // namespace longhaul::nic_twin
