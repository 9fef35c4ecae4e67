// SPDX-License-Identifier: Apache-2.0
// Slots and arbitration; the phases of a tenure are in pcix_bus_tenure.cc.
#include "models/pcix/pcix_bus.h"

#include <fmt/format.h>

#include <algorithm>

namespace longhaul::pcix {

PcixBus::PcixBus(const sc_core::sc_module_name& name, const BusParams& params, std::uint32_t slots)
    : sc_module(name),
      params_(params),
      timing_(params, this->name()),
      slots_(slots),
      masters_(slots + 1),
      inta_("inta", slots) {
  for (std::uint32_t i = 0; i < slots; ++i) {
    Slot& slot = slots_[i];
    slot.dma_target = std::make_unique<tlm_utils::simple_target_socket_tagged_optional<PcixBus>>(
        fmt::format("dma_target_{}", i).c_str());
    slot.dma_target->register_nb_transport_fw(this, &PcixBus::from_device, static_cast<int>(i));
    slot.mmio_initiator = std::make_unique<tlm_utils::simple_initiator_socket_optional<PcixBus>>(
        fmt::format("mmio_initiator_{}", i).c_str());
    slot.config_initiator = std::make_unique<tlm_utils::simple_initiator_socket_optional<PcixBus>>(
        fmt::format("config_initiator_{}", i).c_str());
  }
  SC_HAS_PROCESS(PcixBus);
  SC_METHOD(finish_method);
  sensitive << finish_event_;
  dont_initialize();
}

void PcixBus::attach(std::uint32_t slot, PcixDevice& device) {
  if (slot >= slots_.size()) {
    throw ConfigError(
        fmt::format("{}: no slot {} for {}; slots are 0 to {}", name(), slot, device.name(), slots_.size() - 1));
  }
  Slot& place = slots_[slot];
  if (place.config != nullptr)
    throw ConfigError(fmt::format("{}: slot {} is taken, {} does not fit", name(), slot, device.name()));
  device.dma().dma_initiator.bind(*place.dma_target);
  place.mmio_initiator->bind(device.mmio_target);
  place.config_initiator->bind(device.config_target);
  device.inta_o.bind(inta_[slot]);
  place.config = &device.config();
  place.target = &device.target_params();
}

tlm::tlm_sync_enum PcixBus::from_device(int slot, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                        sc_core::sc_time&) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  Attributes* const attributes = attributes_of(payload);
  const std::uint32_t bytes = payload.get_data_length();
  if (attributes == nullptr || bytes == 0 || bytes > nic::DmaEngine::kMaxTransactionBytes || host_ == nullptr) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_COMPLETED;
  }
  attributes->slot = static_cast<std::uint32_t>(slot);
  const std::uint32_t master = attributes->slot + 1;
  Job& job = new_job(payload.is_read() ? Command::kMemoryRead : Command::kMemoryWrite, attributes->slot,
                     payload.get_address(), bytes);
  job.payload = &payload;
  job.arrived_ps = now_ps();
  job.ready_ps = request_edge_ps(master, now_ps());
  masters_[master].requests.push(&job);
  arrived();
  return tlm::TLM_ACCEPTED;
}

void PcixBus::request(HostRequest& request, std::uint64_t ready_ps) {
  Job& job = new_job(Command::kHost, request.slot, request.address, request.length);
  job.host = &request;
  job.arrived_ps = ready_ps;
  job.ready_ps = request_edge_ps(kHostMaster, ready_ps);
  masters_[kHostMaster].requests.push(&job);
  arrived();
}

void PcixBus::complete(tlm::tlm_generic_payload& payload, std::uint64_t ready_ps) {
  const bool has_data = payload.get_response_status() == tlm::TLM_OK_RESPONSE;
  // An error is a Split Completion Message: one DWORD (PCI-X 1.0b, chapter 2).
  Job& job = new_job(Command::kSplitCompletion, attributes_of(payload)->slot, has_data ? payload.get_address() : 0,
                     has_data ? payload.get_data_length() : 4);
  job.payload = &payload;
  job.arrived_ps = ready_ps;
  job.ready_ps = request_edge_ps(kHostMaster, ready_ps);
  masters_[kHostMaster].completions.push_back(&job);
  arrived();
}

PcixBus::Job& PcixBus::new_job(Command command, std::uint32_t slot, std::uint64_t address, std::uint32_t bytes) {
  if (free_jobs_.empty()) {
    owned_jobs_.push_back(std::make_unique<Job>());
    free_jobs_.reserve(owned_jobs_.size());
    free_jobs_.push_back(owned_jobs_.back().get());
  }
  Job& job = *free_jobs_.back();
  free_jobs_.pop_back();
  job = Job{};
  job.command = command;
  job.slot = slot;
  job.address = address;
  job.bytes = bytes;
  return job;
}

std::uint64_t PcixBus::request_edge_ps(std::uint32_t master, std::uint64_t at_ps) const {
  // A master that has more to do when its tenure ends has kept REQ# asserted.
  if (finishing_ && master == last_master_ && at_ps <= free_ps_) return free_ps_;
  return timing_.edge_ps(at_ps) + timing_.ps(params_.arbitration_clocks());
}

void PcixBus::arrived() {
  if (finishing_) return;  // finish_method plans
  if (tenure_.job == nullptr || now_ps() < tenure_.start_ps) {
    plan();
  } else {
    // In progress: the newcomer may take the grant away, which counts once the latency timer has run out.
    const std::uint32_t before = tenure_.bytes;
    limit_by_latency_timer(tenure_, now_ps());
    if (tenure_.bytes != before) schedule();
  }
}

void PcixBus::plan() {
  std::uint64_t wanted_ps = kNever;
  for (std::uint32_t master = 0; master < masters_.size(); ++master)
    wanted_ps = std::min(wanted_ps, wanted_from_ps(master));
  tenure_.job = nullptr;
  if (wanted_ps == kNever) return;
  const std::uint64_t start_ps = std::max(free_ps_, wanted_ps);
  for (std::uint32_t i = 1; i <= masters_.size() && tenure_.job == nullptr; ++i) {
    const auto master = static_cast<std::uint32_t>((last_master_ + i) % masters_.size());
    if (Job* const job = choose(masters_[master], start_ps)) tenure_ = tenure_of(master, *job, start_ps);
  }
  schedule();
}

void PcixBus::schedule() {
  finish_event_.cancel();
  finish_event_.notify(from_ps(end_ps(tenure_) - now_ps()));
}

bool PcixBus::behind_posted_write(const Job& completion) const {
  if (completion.command != Command::kSplitCompletion) return false;
  const Fifo<Job*>& requests = masters_[kHostMaster].requests;
  for (std::size_t i = 0; i < requests.size() && requests[i]->arrived_ps <= completion.arrived_ps; ++i) {
    if (requests[i]->host->kind == HostRequest::Kind::kMmioWrite) return true;
  }
  return false;
}

PcixBus::Job* PcixBus::earliest_completion(const Master& master) const {
  Job* best = nullptr;
  for (Job* job : master.completions) {
    if ((best == nullptr || job->ready_ps < best->ready_ps) && !behind_posted_write(*job)) best = job;
  }
  return best;
}

std::uint64_t PcixBus::wanted_from_ps(std::uint32_t master) const {
  const Master& who = masters_[master];
  std::uint64_t from_ps = who.requests.empty() ? kNever : who.requests.front()->ready_ps;
  if (const Job* const completion = earliest_completion(who)) from_ps = std::min(from_ps, completion->ready_ps);
  return from_ps;
}

std::uint64_t PcixBus::others_want_from_ps(std::uint32_t master) const {
  std::uint64_t from_ps = kNever;
  for (std::uint32_t other = 0; other < masters_.size(); ++other) {
    if (other != master) from_ps = std::min(from_ps, wanted_from_ps(other));
  }
  return from_ps;
}

PcixBus::Job* PcixBus::choose(const Master& master, std::uint64_t start_ps) const {
  Job* request = master.requests.empty() ? nullptr : master.requests.front();
  if (request != nullptr && request->ready_ps > start_ps) request = nullptr;
  Job* completion = earliest_completion(master);
  if (completion != nullptr && completion->ready_ps > start_ps) completion = nullptr;
  if (request == nullptr || completion == nullptr) return request != nullptr ? request : completion;
  return master.completion_is_next ? completion : request;
}

}  // namespace longhaul::pcix
