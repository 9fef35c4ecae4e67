// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/core.h"

#include <algorithm>

namespace longhaul::cpu {
namespace {

constexpr std::size_t index(CoreState state) { return static_cast<std::size_t>(state); }
constexpr std::size_t index(WorkKind kind) { return static_cast<std::size_t>(kind); }
constexpr const char* kStateLabels[kCoreStates] = {"user", "system", "softirq", "hardirq", "mmio stall", "idle"};

}  // namespace

Core::Core(const sc_core::sc_module_name& name, CoreParams params) : sc_module(name), params_(std::move(params)) {
  for (std::size_t k = 0; k < kWorkKinds; ++k) unit_cost_ps_[k] = unit_cost_ps(static_cast<WorkKind>(k));
  state.enter(index(CoreState::kIdle));
}

std::uint64_t Core::cycles_to_ps(std::uint64_t millicycles) const {
  const unsigned __int128 scaled = static_cast<unsigned __int128>(millicycles) * 1'000'000'000ULL;
  const std::uint64_t hz = params_.clock().hz;
  return static_cast<std::uint64_t>((scaled + hz - 1) / hz);
}

std::uint64_t Core::unit_cost_ps(WorkKind kind) const {
  return kind == WorkKind::kDelayPs ? 1 : cycles_to_ps(params_.costs.millicycles(kind));
}

std::uint64_t Core::memory_ps(std::uint64_t bytes) {
  const std::uint64_t traffic = bytes * params_.copy_traffic();
  if (traffic == 0) return 0;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_IGNORE_COMMAND);
  payload.set_data_length(static_cast<unsigned>(std::min<std::uint64_t>(traffic, 0xffff'ffff)));
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  memory_initiator->b_transport(payload, delay);
  return delay.value();
}

void Core::count(const WorkBatch& work) {
  for (const auto& units : work) {
    bytes_copied.add(units[index(WorkKind::kByteCopied)]);
    interrupts.add(units[index(WorkKind::kInterrupt)]);
    napi_polls.add(units[index(WorkKind::kNapiPoll)]);
    syscalls.add(units[index(WorkKind::kSyscall)]);
    packets_sent.add(units[index(WorkKind::kPacketTx)]);
    packets_received.add(units[index(WorkKind::kPacketRx)]);
    context_switches.add(units[index(WorkKind::kContextSwitch)]);
  }
}

void Core::spend(const WorkBatch& work) {
  std::uint64_t state_ps[kWorkStates] = {};
  std::uint64_t total_ps = 0;
  for (std::size_t s = 0; s < kWorkStates; ++s) {
    const auto& units = work[s];
    std::uint64_t ps = 0;
    // The guest's own clock adds up unit costs that are each rounded up; so does this, lest time stand behind it.
    for (std::size_t k = 0; k < kWorkKinds; ++k) ps += units[k] * unit_cost_ps_[k];
    const std::uint64_t copied = units[index(WorkKind::kByteCopied)];
    if (copied != 0) {
      const std::uint64_t copy_ps = copied * unit_cost_ps_[index(WorkKind::kByteCopied)];
      ps += std::max(copy_ps, memory_ps(copied)) - copy_ps;
    }
    state_ps[s] = ps;
    total_ps += ps;
  }
  if (total_ps == 0) return;
  count(work);
  const std::uint64_t start_ps = now_ps();
  state.enter(index(CoreState::kSystem));
  sc_core::wait(from_ps(total_ps));
  std::uint64_t at_ps = start_ps;
  for (std::size_t s = 0; s < kWorkStates; ++s) {
    if (state_ps[s] == 0) continue;
    if (s != index(CoreState::kSystem)) state.credit(s, state_ps[s]);
    spans.report(at_ps, at_ps + state_ps[s], kStateLabels[s]);
    at_ps += state_ps[s];
  }
}

void Core::stay(CoreState in_state, const sc_core::sc_time& limit, const sc_core::sc_event& event) {
  const std::uint64_t start_ps = now_ps();
  state.enter(index(in_state));
  sc_core::wait(limit, event);
  if (in_state != CoreState::kIdle) spans.report(start_ps, now_ps(), kStateLabels[index(in_state)]);
}

void Core::access(tlm::tlm_command command, std::uint64_t address, std::uint32_t size, std::uint64_t& value) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  payload.set_data_length(size);
  payload.set_streaming_width(size);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  const std::uint64_t start_ps = now_ps();
  state.enter(index(CoreState::kMmioStall));
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  core_initiator->b_transport(payload, delay);
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
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
  mmio_writes.add();
  access(tlm::TLM_WRITE_COMMAND, address, size, value);
}

}  // namespace longhaul::cpu
