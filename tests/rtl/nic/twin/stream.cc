// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/nic/twin/stream.h"

#include <fmt/format.h>

#include <algorithm>
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

constexpr std::uint32_t kEntries = 512;
constexpr std::uint32_t kDescriptor = 16;
constexpr std::uint64_t kPitch = 16384;

std::uint64_t data_of(const Stream& stream, std::uint32_t frame) {
  return stream.sends ? Script::kTxData + frame % 8 * kPitch : Script::kRxData + frame * kPitch;
}

void rings(const Stream& stream, Phase& phase) {
  const std::uint64_t base = stream.sends ? Script::kTxRing : Script::kRxRing;
  for (std::uint32_t i = 0; i < stream.frames; ++i) {
    std::vector<std::uint8_t> descriptor(kDescriptor);
    nic::write_le32(descriptor.data(), static_cast<std::uint32_t>(data_of(stream, i)));
    if (stream.sends)
      nic::write_le32(descriptor.data() + 8,
                      1U << tx::kTypeShift | tx::kEop | tx::kRs | tx::kIde | stream.bytes);
    phase.stores.push_back({base + std::uint64_t{kDescriptor} * i, descriptor});
  }
  phase.setup.push_back(write_of(regs::kCtrl0, regs::kCtrl0Fields.jfe));
  phase.setup.push_back(write_of(regs::kMfs, 16128U << 16));
  phase.setup.push_back(write_of(regs::kTdbal, Script::kTxRing));
  phase.setup.push_back(write_of(regs::kTdlen, kEntries * kDescriptor));
  phase.setup.push_back(write_of(regs::kRdbal, Script::kRxRing));
  phase.setup.push_back(write_of(regs::kRdlen, kEntries * kDescriptor));
}

}  // namespace

Phase phase_of(const Stream& stream) {
  if (stream.frames < 2 || Script::kRxData + stream.frames * kPitch > Script::kRxEnd)
    throw std::runtime_error(fmt::format("{} frames: wants 2 to {}", stream.frames,
                                         (Script::kRxEnd - Script::kRxData) / kPitch));
  if (stream.bytes < 60 || stream.bytes > 16110)
    throw std::runtime_error(fmt::format("{} bytes: wants 60 to 16110", stream.bytes));
  Phase phase;
  phase.name = "stream";
  phase.reset = true;
  phase.rest_ps = 100 * kUs;
  rings(stream, phase);
  if (stream.sends) {
    for (std::uint64_t at = Script::kTxData; at < Script::kTxData + 8 * kPitch; at += kPitch)
      phase.stores.push_back({at, std::vector<std::uint8_t>(stream.bytes, 0x5a)});
    phase.setup.push_back(write_of(regs::kTctl, regs::kTctlFields.en));
    phase.actions.push_back({false, regs::kTdt, stream.frames, 4, 0, 0});
    return phase;
  }
  phase.setup.push_back(write_of(regs::kRdt, stream.frames));
  phase.setup.push_back(write_of(regs::kRctl, regs::kRctlFields.en |
                                                  regs::kRctlFields.bsize.put(3) |
                                                  regs::kRctlFields.secrc | regs::kRctlFields.upe));
  LineFrame frame;
  frame.bytes.assign(stream.bytes, 0x5a);
  frame.bytes[0] = 0;
  phase.frames.assign(stream.frames, frame);
  return phase;
}

double goodput_of(const Stream& stream, const Machine& machine, const Seen& seen) {
  std::vector<std::uint64_t> at_ps;
  if (stream.sends) {
    for (std::size_t i = seen.arrivals; i < machine.far.arrivals.size(); ++i)
      at_ps.push_back(machine.far.arrivals[i].start_ps);
  } else {
    const std::uint64_t end = Script::kRxRing + std::uint64_t{kDescriptor} * kEntries;
    for (std::size_t i = seen.writes; i < machine.memory.writes.size(); ++i) {
      const TwinMemory::Write& each = machine.memory.writes[i];
      if (each.address < Script::kRxRing || each.address >= end) continue;
      at_ps.insert(at_ps.end(), each.bytes / kDescriptor, each.at_ps);
    }
  }
  if (at_ps.size() != stream.frames)
    throw std::runtime_error(
        fmt::format("{}: {} of {} frames", machine.name(), at_ps.size(), stream.frames));
  const double bits = 8.0 * stream.bytes * (stream.frames - 1);
  return bits * 1e3 / static_cast<double>(at_ps.back() - at_ps.front());
}

}  // namespace longhaul::nic_twin
