// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_controller.h"

#include <algorithm>
#include <cmath>

namespace longhaul::memory {
namespace {

constexpr std::uint32_t kFractionBits = 10;

}  // namespace

MemoryController::MemoryController(const sc_core::sc_module_name& name, const MemoryParams& params,
                                   const MemoryMapping& mapping)
    : sc_module(name), params_(params), store_(mapping) {
  connect();
}

MemoryController::MemoryController(const sc_core::sc_module_name& name, const MemoryParams& params, Bytes size)
    : sc_module(name), params_(params), store_(size, this->name()) {
  connect();
}

void MemoryController::connect() {
  const double peak = static_cast<double>(params_.channels()) * params_.channel_bytes() *
                      static_cast<double>(params_.transfer_rate().hz);
  bytes_per_s_ = static_cast<std::uint64_t>(std::llround(peak * params_.efficiency()));
  const unsigned __int128 burst = static_cast<unsigned __int128>(params_.burst().count) * 1'000'000'000'000ULL
                                  << kFractionBits;
  burst_time_ = static_cast<std::uint64_t>((burst + bytes_per_s_ / 2) / bytes_per_s_);
  dma_target.register_b_transport(this, &MemoryController::dma_b_transport);
  core_target.register_b_transport(this, &MemoryController::core_b_transport);
  for (auto* target : {&dma_target, &core_target}) {
    target->register_get_direct_mem_ptr(this, &MemoryController::direct);
    target->register_transport_dbg(this, &MemoryController::debug);
  }
}

void MemoryController::hide_below(std::uint64_t address) {
  store_.hide_below(address);
  if (address == 0) return;
  for (auto* target : {&dma_target, &core_target}) {
    if (target->size() > 0) (*target)->invalidate_direct_mem_ptr(0, address - 1);
  }
}

sc_core::sc_time MemoryController::occupy(std::uint64_t bytes) {
  if (bytes == 0) return sc_core::SC_ZERO_TIME;
  const std::uint64_t now = now_ps();
  const std::uint64_t service = service_ps(0, bytes);
  core_bytes.add(bytes);
  const std::uint64_t start = std::max(now, core_free_ps_);
  // DMA that is queued already takes every other burst until it is done.
  const std::uint64_t dma_ps = dma_free_ps_ > start ? dma_free_ps_ - start : 0;
  const std::uint64_t delayed = std::min(service, dma_ps / 2) + std::exchange(core_owes_ps_, 0);
  core_waited_ps.add(start - now + delayed);
  core_free_ps_ = start + service + delayed;
  return from_ps(core_free_ps_ - now);
}

void MemoryController::dma_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!store_.covers(payload.get_address(), payload.get_data_length())) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  const std::uint64_t arrival = now_ps() + to_ps(delay);
  std::uint64_t done = book_dma(arrival, payload.get_address(), payload.get_data_length());
  dma_bytes.add(payload.get_data_length());
  if (payload.is_read()) done += to_ps(params_.read_latency());
  delay = from_ps(done - now_ps());
  store_.move(payload);
}

void MemoryController::core_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    delay += occupy(payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return;
  }
  if (!store_.covers(payload.get_address(), payload.get_data_length())) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  delay += occupy(payload.get_data_length());
  if (payload.is_read()) delay += params_.read_latency();
  store_.move(payload);
}

std::uint64_t MemoryController::book_dma(std::uint64_t arrival_ps, std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t service = service_ps(address, bytes);
  const std::uint64_t start = std::max(arrival_ps, dma_free_ps_);
  const std::uint64_t beside_core_ps = core_free_ps_ > start ? core_free_ps_ - start : 0;
  const std::uint64_t lost = std::min(service, beside_core_ps / 2);
  core_owes_ps_ += lost;
  dma_waited_ps.add(start - arrival_ps + lost);
  dma_free_ps_ = start + service + lost;
  return dma_free_ps_;
}

std::uint64_t MemoryController::service_ps(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t burst = params_.burst().count;
  const std::uint64_t bursts = (address % burst + bytes + burst - 1) / burst;
  const std::uint64_t time = bursts * burst_time_ + remainder_;
  remainder_ = time & ((1U << kFractionBits) - 1);
  busy_ps.add(time >> kFractionBits);
  return time >> kFractionBits;
}

bool MemoryController::direct(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  return store_.direct(payload, dmi, params_.read_latency());
}

unsigned MemoryController::debug(tlm::tlm_generic_payload& payload) { return store_.debug(payload); }

}  // namespace longhaul::memory
