// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/core.h"

#include "models/common/event_queue.h"
#include "models/common/param_json.h"
#include "models/common/param_set.h"
#include "models/common/payload.h"
#include "models/common/wide_math.h"

#include <algorithm>

namespace longhaul::cpu {
namespace {

constexpr std::size_t index(CoreState state) { return static_cast<std::size_t>(state); }
constexpr std::size_t index(WorkKind kind) { return static_cast<std::size_t>(kind); }
constexpr const char* kStateLabels[kCoreStates] = {"user",    "system",     "softirq",
                                                   "hardirq", "mmio stall", "idle"};

}  // namespace

namespace {

/// Sets the misses that copies and checksums have outstanding. A K8 has the defaults.
void set_in_flight(CoreParams& params, const std::string& preset) {
  if (preset == "netburst") {
    set(params.sum_in_flight, 3,
        {Evidence::kDatasheet,
         "Intel 248966: 48 load buffers, loads of 4 B; models/cpu/README.md#checksums"});
  }
  if (preset != "p6") return;
  constexpr Source kTecChannel{
      Evidence::kMeasured,
      "tecCHANNEL, Pentium 4 at 1.4, 1.5 and 1.6 GHz: Pentium III 1000 with PC133 reads 213 and "
      "writes 465 MB/s; models/cpu/README.md#copies"};
  set(params.copy_in_flight, 1, kTecChannel);
  set(params.store_in_flight, 2, kTecChannel);
  set(params.sum_in_flight, 1, kTecChannel);
}

}  // namespace

CoreParams core_params_from(const nlohmann::json& json, const std::string& where) {
  CoreParams params;
  const std::string preset = text_of(json, "preset", "k8", where);
  params.pipeline = pipeline_preset(preset, where + ".preset");
  params.costs = cost_book_preset(preset, where + ".preset");
  set_in_flight(params, preset);
  configure(params, json, where);
  return params;
}

Core::Core(const sc_core::sc_module_name& name, CoreParams params, Bytes memory)
    : sc_module(name), params_(std::move(params)), cache_(params_.cache, memory) {
  for (std::size_t k = 0; k < kWorkKinds; ++k) {
    const auto kind = static_cast<WorkKind>(k);
    kinds_[k] = {unit_cost_ps(kind), counter_of(kind)};
  }
  state.enter(index(CoreState::kIdle));
}

std::uint64_t Core::cycles_to_ps(std::uint64_t parts, std::uint64_t per_cycle) const {
  constexpr std::uint64_t kSecond = 1'000'000'000'000ULL;
  const std::uint64_t parts_per_s = params_.clock().hz * per_cycle;
  return times_over(parts, kSecond, parts_per_s - 1, parts_per_s);
}

std::uint64_t Core::unit_cost_ps(WorkKind kind) const {
  return kind == WorkKind::kDelayPs ? 1 : cycles_to_ps(params_.costs.millicycles(kind), 1000);
}

std::uint64_t Core::stream_ps(std::uint64_t address, std::uint64_t lines, bool write,
                              std::uint64_t begin_ps, std::uint32_t in_flight) {
  if (lines == 0 || memory_port.size() == 0) return 0;
  return memory_port->stream({address, lines * cache_.line_bytes(), write, in_flight, begin_ps});
}

std::uint64_t Core::sum_beyond_copy(std::uint64_t bytes) const {
  const std::uint64_t copied = params_.costs.byte_copied();
  const std::uint64_t beyond = std::max<std::uint64_t>(params_.costs.byte_checksummed(), copied);
  return bytes * (beyond - copied) * kUnitsPerCycle / 1000;
}

std::uint64_t Core::copy_ps(const MemoryTouch& touch, std::uint64_t source, std::uint64_t target,
                            std::uint64_t begin_ps) {
  const bool sums = touch.kind == MemoryTouch::Kind::kCopySum;
  const std::uint32_t in_flight = params_.copy_in_flight();
  std::uint64_t ps =
      stream_ps(touch.source, source, false, begin_ps, sums ? params_.sum_in_flight() : in_flight);
  // A written line is first read for ownership. Meanwhile, lines that were written before are
  // evicted.
  const std::uint32_t stores = params_.store_in_flight();
  if (stores == 0) {
    ps += stream_ps(touch.target, target, false, begin_ps + ps, in_flight);
  } else {
    ps = std::max(ps, stream_ps(touch.target, target, false, begin_ps, stores));
  }
  ps = std::max(ps, stream_ps(touch.target, target, true, begin_ps, in_flight));
  // The core works on lines that have come while others arrive. The slower of the two activities
  // sets the time.
  std::uint64_t a_byte = kinds_[index(WorkKind::kByteCopied)].cost_ps;
  if (sums) a_byte = std::max(a_byte, kinds_[index(WorkKind::kByteChecksummed)].cost_ps);
  const std::uint64_t own = (source + target) * cache_.line_bytes() / 2 * a_byte;
  return ps - std::min(ps, own);
}

std::uint64_t Core::stall_ps(const MemoryTouch& touch, std::uint64_t begin_ps) {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  std::uint64_t ps = 0;
  switch (touch.kind) {
    case MemoryTouch::Kind::kCopy:
    case MemoryTouch::Kind::kCopySum:
    case MemoryTouch::Kind::kWrite:
      if (touch.kind != MemoryTouch::Kind::kWrite)
        source = cache_.touch(touch.source, touch.bytes, false);
      target = cache_.touch(touch.target, touch.bytes, true);
      ps = copy_ps(touch, source, target, begin_ps);
      break;
    case MemoryTouch::Kind::kSum: {
      source = cache_.touch(touch.source, touch.bytes, false);
      ps = stream_ps(touch.source, source, false, begin_ps, params_.sum_in_flight());
      const std::uint64_t own =
          source * cache_.line_bytes() * kinds_[index(WorkKind::kByteChecksummed)].cost_ps;
      ps -= std::min(ps, own);
      break;
    }
    case MemoryTouch::Kind::kRead:
      source = cache_.touch(touch.source, touch.bytes, false);
      ps = stream_ps(touch.source, source, false, begin_ps, 1);
      break;
    case MemoryTouch::Kind::kPoll: {
      const auto [lines, address] = cache_.take_watched();
      source = lines;
      ps = stream_ps(address, lines, false, begin_ps, 1);
      break;
    }
  }
  cold_lines.add(source + target);
  return ps;
}

observe::Counter* Core::counter_of(WorkKind kind) {
  switch (kind) {
    case WorkKind::kByteCopied: return &bytes_copied;
    case WorkKind::kInterrupt: return &interrupts;
    case WorkKind::kNapiPoll: return &napi_polls;
    case WorkKind::kSyscall: return &syscalls;
    case WorkKind::kPacketTx: return &packets_sent;
    case WorkKind::kPacketRx: return &packets_received;
    case WorkKind::kContextSwitch: return &context_switches;
    default: return nullptr;
  }
}

std::uint64_t Core::spend(const WorkBatch& work, const std::vector<MemoryTouch>& touches) {
  std::uint64_t state_ps[kWorkStates] = {};
  std::uint64_t total_ps = 0;
  work.each([&](std::size_t s, std::size_t k, std::uint64_t units) {
    // Each unit cost is rounded up, as in the guest's own clock. Otherwise simulated time could
    // fall behind that clock.
    const std::uint64_t ps = k == index(WorkKind::kExecuted) ? cycles_to_ps(units, kUnitsPerCycle)
                                                             : units * kinds_[k].cost_ps;
    state_ps[s] += ps;
    total_ps += ps;
  });
  std::uint64_t waited_ps = 0;
  for (const MemoryTouch& touch : touches) {
    const std::uint64_t ps = stall_ps(touch, waited_ps);
    state_ps[index(touch.state)] += ps;
    waited_ps += ps;
  }
  total_ps += waited_ps;
  memory_wait_ps.add(waited_ps);
  if (total_ps == 0) return 0;
  work.each([this](std::size_t, std::size_t k, std::uint64_t units) {
    if (kinds_[k].count != nullptr) kinds_[k].count->add(units);
  });
  const std::uint64_t start_ps = now_ps();
  state.enter(index(CoreState::kSystem));
  EventQueue::get().pass(total_ps);
  std::uint64_t at_ps = start_ps;
  for (std::size_t s = 0; s < kWorkStates; ++s) {
    if (state_ps[s] == 0) continue;
    if (s != index(CoreState::kSystem)) state.credit(s, state_ps[s]);
    spans.report(at_ps, at_ps + state_ps[s], kStateLabels[s]);
    at_ps += state_ps[s];
  }
  return waited_ps;
}

void Core::leave_halt() {
  if (params_.pipeline.halt_exit() != sc_core::SC_ZERO_TIME)
    EventQueue::get().pass(to_ps(params_.pipeline.halt_exit()));
}

void Core::stay(CoreState in_state, const sc_core::sc_time& limit, const sc_core::sc_event& event) {
  const std::uint64_t start_ps = now_ps();
  state.enter(index(in_state));
  sc_core::wait(limit, event);
  if (in_state == CoreState::kIdle) {
    leave_halt();
    return;
  }
  spans.report(start_ps, now_ps(), kStateLabels[index(in_state)]);
}

void Core::access(tlm::tlm_command command, std::uint64_t address, std::uint32_t size,
                  std::uint64_t& value) {
  tlm::tlm_generic_payload payload;
  set_access(payload, command, address, &value, size);
  const std::uint64_t start_ps = now_ps();
  state.enter(index(CoreState::kMmioStall));
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  core_initiator->b_transport(payload, delay);
  if (delay != sc_core::SC_ZERO_TIME) EventQueue::get().pass(to_ps(delay));
  if (payload.is_response_error() && command == tlm::TLM_READ_COMMAND) value = ~std::uint64_t{0};
  spans.report(start_ps, now_ps(), kStateLabels[index(CoreState::kMmioStall)]);
}

std::uint64_t Core::read(std::uint64_t address, std::uint32_t size) {
  std::uint64_t value = 0;
  mmio_reads.add();
  access(tlm::TLM_READ_COMMAND, address, size, value);
  return value;
}

void Core::write(std::uint64_t address, std::uint32_t size, std::uint64_t value) {
  if (write_listener_) write_listener_(address);
  mmio_writes.add();
  access(tlm::TLM_WRITE_COMMAND, address, size, value);
}

}  // namespace longhaul::cpu
