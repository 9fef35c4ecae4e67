// SPDX-License-Identifier: Apache-2.0
// Slots and arbitration; the phases of a tenure are in pcix_bus_tenure.cc, its accounts in
// pcix_bus_account.cc.
#include "models/pcix/pcix_bus.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/pcix/ordering.h"

namespace longhaul::pcix {
namespace {

/// The lowest number in a set.
std::uint32_t first_of(std::uint64_t masters) {
  return static_cast<std::uint32_t>(__builtin_ctzll(masters));
}
/// A set without that.
std::uint64_t without_first(std::uint64_t masters) { return masters & (masters - 1); }

}  // namespace

PcixBus::PcixBus(const sc_core::sc_module_name& name, const BusParams& params, std::uint32_t slots)
    : sc_module(name),
      params_(params),
      timing_(params, this->name()),
      arbitration_ps_(timing_.ps(timing_.arbitration_clocks())),
      parks_(params.parks_on_last_master()),
      slots_(slots),
      functions_(std::size_t{slots} * kFunctions),
      masters_(slots + 1),
      interrupts_("interrupt", std::size_t{slots} * kFunctions) {
  if (slots > kMostSlots)
    throw ConfigError(
        fmt::format("{}: {} slots, a bus has {} at most", this->name(), slots, kMostSlots));
  for (std::uint32_t i = 0; i < units(); ++i) {
    Function& place = functions_[i];
    place.slot = i % slots_;
    place.function = i / slots_;
    place.bus = this;
    place.unit = i;
    place.socket = std::make_unique<SlotSocket>(fmt::format("slot_{}", i).c_str(), *this, i);
    place.socket->bind(static_cast<SlotInterface&>(place));
  }
  host_socket.bind(static_cast<HostBus&>(*this));
}

bool PcixBus::has_host() {
  if (host_ == nullptr && host_socket.get_base_port().size() != 0) host_ = host_socket.operator->();
  return host_ != nullptr;
}

SlotSocket& PcixBus::slot(std::uint32_t number, std::uint32_t function) {
  if (number >= slots_)
    throw ConfigError(fmt::format("{}: no slot {}; slots are 0 to {}", name(), number, slots_ - 1));
  if (function >= kFunctions)
    throw ConfigError(fmt::format("{}: no function {} in slot {}; functions are 0 to {}", name(),
                                  function, number, kFunctions - 1));
  return *functions_[number + function * slots_].socket;
}

void SlotSocket::bind(base_target_socket_type& function) {
  auto* const socket = dynamic_cast<FunctionSocket*>(&function);
  if (socket == nullptr)
    throw ConfigError(
        fmt::format("{}: wants the bus_socket of a PcixDevice; a TLM-2.0 module goes "
                    "behind a TlmFunction",
                    name()));
  bus_.plug(unit_, socket->device());
  SlotSocketBase::bind(function);
}

void PcixBus::plug(std::uint32_t unit, PcixDevice& device) {
  Function& place = functions_[unit];
  if (timing_.is_pcix() && !device.config().is_pcix()) {
    throw ConfigError(
        fmt::format("{}: a conventional PCI device holds its bus to PCI: wants pcix.protocol 'pci' "
                    "and a clock of 66.67 MHz at most",
                    device.name()));
  }
  if (place.config != nullptr)
    throw ConfigError(
        fmt::format("{}: slot {} is taken, {} does not fit", name(), place.slot, device.name()));
  if (place.function > 0) {
    ConfigSpace* const first = functions_[place.slot].config;
    if (first == nullptr)
      throw ConfigError(fmt::format("{}: slot {} has no function 0, which {} needs", name(),
                                    place.slot, device.name()));
    first->set_multifunction();
    device.config().set_multifunction();
  }
  const std::uint32_t device_bits = device.target_params().width_bits();
  if (device_bits != 64 && device_bits != 32) {
    throw ConfigError(fmt::format("{}.width_bits: a device is 64 or 32 bit wide, not {}",
                                  device.name(), device_bits));
  }
  device.inta_o.bind(interrupts_[unit]);
  place.inside = &device.on_bus();
  place.config = &device.config();
  place.target = &device.target_params();
  place.width = std::min(timing_.width_bytes(), device_bits / 8);
}

std::uint32_t PcixBus::interrupt_line(std::uint32_t unit) const {
  const ConfigSpace* const config = functions_[unit].config;
  return slot_of(unit) + (config == nullptr ? 0 : config->interrupt_pin() - 1);
}

tlm::tlm_sync_enum PcixBus::from_device(std::uint32_t from, tlm::tlm_generic_payload& payload,
                                        tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  Attributes* const attributes = attributes_of(payload);
  const std::uint32_t bytes = payload.get_data_length();
  if (attributes == nullptr || bytes == 0 || bytes > DmaEngine::kMaxTransactionBytes ||
      !has_host()) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_COMPLETED;
  }
  const Function& place = functions_[from];
  attributes->slot = place.slot;
  attributes->function = place.function;
  attributes->relaxed_ordering =
      place.target->relaxed_ordering() && place.config->relaxed_ordering_enabled();
  const std::uint32_t master = master_of(from);
  Job& job = new_job(payload.is_read() ? Command::kMemoryRead : Command::kMemoryWrite, from,
                     payload.get_address(), bytes);
  job.payload = &payload;
  job.arrived_ps = now_ps();
  raise_request(job, master, now_ps());
  queue_request(master, job);
  arrived();
  return tlm::TLM_ACCEPTED;
}

void PcixBus::request(HostRequest& request, std::uint64_t ready_ps) {
  has_host();
  Job& job = new_job(Command::kHost, 0, request.address, request.length);
  job.host = &request;
  job.arrived_ps = ready_ps;
  raise_request(job, kHostMaster, ready_ps);
  queue_request(kHostMaster, job);
  arrived();
}

void PcixBus::complete(tlm::tlm_generic_payload& payload, std::uint64_t ready_ps) {
  const Attributes& attributes = *attributes_of(payload);
  const std::uint32_t unit = attributes.slot + attributes.function * slots_;
  if (!timing_.is_pcix()) {
    // The device repeats its request until it finds the data; nobody has to be told.
    Job& job = *masters_[master_of(unit)].requests.front();
    job.delayed = Delayed::kFetched;
    job.fetched_ps = ready_ps;
    return;
  }
  const bool has_data = payload.get_response_status() == tlm::TLM_OK_RESPONSE;
  // An error is a Split Completion Message: one DWORD (PCI-X 1.0b, chapter 2).
  Job& job = new_job(Command::kSplitCompletion, unit, has_data ? payload.get_address() : 0,
                     has_data ? payload.get_data_length() : 4);
  job.payload = &payload;
  job.arrived_ps = ready_ps;
  raise_request(job, kHostMaster, ready_ps);
  queue_completion(kHostMaster, job);
  arrived();
}

PcixBus::Job& PcixBus::new_job(Command command, std::uint32_t unit, std::uint64_t address,
                               std::uint32_t bytes) {
  if (free_jobs_.empty()) {
    owned_jobs_.push_back(std::make_unique<Job>());
    free_jobs_.reserve(owned_jobs_.size());
    free_jobs_.push_back(owned_jobs_.back().get());
  }
  Job& job = *free_jobs_.back();
  free_jobs_.pop_back();
  job = Job{};
  job.command = command;
  job.unit = unit;
  job.address = address;
  job.bytes = bytes;
  return job;
}

void PcixBus::queue_request(std::uint32_t master, Job& job) {
  masters_[master].requests.push_back(&job);
  waiting_ |= std::uint64_t{1} << master;
}

void PcixBus::queue_completion(std::uint32_t master, Job& job) {
  masters_[master].completions.push_back(&job);
  waiting_ |= std::uint64_t{1} << master;
}

void PcixBus::raise_request(Job& job, std::uint32_t master, std::uint64_t at_ps) const {
  // A master that has more to do when its tenure ends has kept REQ# asserted.
  job.kept_request = finishing_ && master == last_master_ && at_ps <= free_ps_;
  job.requested_ps = job.kept_request ? free_ps_ : timing_.edge_ps(at_ps);
}

void PcixBus::ask_again(Job& job, std::uint64_t at_ps) const {
  job.kept_request = true;
  job.requested_ps = at_ps;
}

void PcixBus::arrived() {
  if (finishing_) return;  // finish() plans
  if (tenure_.job == nullptr || now_ps() < tenure_.start_ps) {
    plan();
  } else {
    // In progress: the newcomer may take the grant away, which counts once the latency timer has
    // run out.
    const std::uint32_t before = tenure_.bytes;
    limit_by_latency_timer(tenure_, now_ps());
    if (tenure_.bytes != before) schedule();
  }
}

void PcixBus::plan() {
  std::uint64_t first_ps = kNever;
  for (std::uint64_t left = waiting_; left != 0; left = without_first(left)) {
    const std::uint32_t number = first_of(left);
    Master& master = masters_[number];
    master.candidate = earliest_completion(number);
    master.wanted_ps = wanted_from_ps(number, master.candidate);
    first_ps = std::min(first_ps, master.wanted_ps);
  }
  tenure_.job = nullptr;
  if (first_ps == kNever) return;
  const std::uint64_t start_ps = std::max(free_ps_, first_ps);
  std::uint64_t ready = 0;
  for (std::uint64_t left = waiting_; left != 0; left = without_first(left)) {
    if (masters_[first_of(left)].wanted_ps <= start_ps) ready |= std::uint64_t{1} << first_of(left);
  }
  // Round robin: those behind the last master come first.
  const std::uint64_t behind = ready & ~std::uint64_t{1} << last_master_;
  const std::uint32_t master = first_of(behind != 0 ? behind : ready);
  plan_tenure(tenure_, master, *choose(master, start_ps), start_ps);
  schedule();
}

void PcixBus::schedule() { end_of_tenure_.set(tenure_.end_ps); }

bool PcixBus::behind_posted_write(const Job& completion) const {
  if (completion.command != Command::kSplitCompletion || masters_[kHostMaster].requests.empty())
    return false;
  const bool relaxed = attributes_of(*completion.payload)->relaxed_ordering;
  if (passing(OrderClass::kReadCompletion, OrderClass::kPostedWrite, relaxed) != Passing::kMustNot)
    return false;
  const RingBuffer<Job*>& requests = masters_[kHostMaster].requests;
  for (std::size_t i = 0; i < requests.size() && requests[i]->arrived_ps <= completion.arrived_ps;
       ++i) {
    if (requests[i]->host->kind == HostRequest::Kind::kMmioWrite) return true;
  }
  return false;
}

PcixBus::Job* PcixBus::pick_completion(std::uint32_t master) const {
  const bool may_wait = !masters_[kHostMaster].requests.empty();
  Job* best = nullptr;
  std::uint64_t best_ps = kNever;
  for (Job* job : masters_[master].completions) {
    const std::uint64_t at_ps = ready_ps(master, *job);
    if (at_ps < best_ps && !(may_wait && behind_posted_write(*job))) {
      best = job;
      best_ps = at_ps;
    }
  }
  return best;
}

std::uint64_t PcixBus::rivals_want_from_ps(const Tenure& tenure) const {
  std::uint64_t from_ps = kNever;
  const std::uint64_t others = waiting_ & ~(std::uint64_t{1} << tenure.master);
  for (std::uint64_t left = others; left != 0; left = without_first(left)) {
    from_ps =
        std::min(from_ps, wanted_from_ps(first_of(left), earliest_completion(first_of(left))));
  }
  if (tenure.job->command == Command::kSplitCompletion && host_->completions_take_turns()) {
    for (const Job* other : masters_[kHostMaster].completions) {
      if (other != tenure.job && !behind_posted_write(*other))
        from_ps = std::min(from_ps, ready_ps(kHostMaster, *other));
    }
  }
  return from_ps;
}

PcixBus::Job* PcixBus::choose(std::uint32_t master, std::uint64_t start_ps) const {
  const RingBuffer<Job*>& requests = masters_[master].requests;
  Job* request = requests.empty() ? nullptr : requests.front();
  if (request != nullptr && ready_ps(master, *request) > start_ps) request = nullptr;
  Job* completion = masters_[master].candidate;
  if (completion != nullptr && ready_ps(master, *completion) > start_ps) completion = nullptr;
  if (request == nullptr || completion == nullptr) return request != nullptr ? request : completion;
  return masters_[master].completion_is_next ? completion : request;
}

}  // namespace longhaul::pcix
