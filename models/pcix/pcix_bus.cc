// SPDX-License-Identifier: Apache-2.0
// Slots, and requests of devices and of the bridge. pcix_bus_tenure.cc handles the end of a tenure.
#include "models/pcix/pcix_bus.h"

#include <fmt/format.h>

#include <algorithm>

namespace longhaul::pcix {

using Command = BusJob::Command;
using Delayed = BusJob::Delayed;

PcixBus::PcixBus(const sc_core::sc_module_name& name, const BusParams& params, std::uint32_t slots)
    : sc_module(name),
      params_(params),
      timing_(params, this->name()),
      slots_(slots),
      places_(std::size_t{slots} * kFunctions),
      sockets_(places_.size()),
      interrupts_("interrupt", places_.size()),
      arbiter_(timing_, params.parks_on_last_master(), slots),
      planner_(timing_, params_, arbiter_, places_, slots),
      reporter_(timing_, places_),
      host_accesses_(timing_, params_, arbiter_, places_, reporter_,
                     {mmio_reads, mmio_writes, io_accesses, config_accesses, master_aborts,
                      target_aborts, retries}) {
  if (slots > kMostSlots)
    throw ConfigError(
        fmt::format("{}: {} slots, a bus has {} at most", this->name(), slots, kMostSlots));
  for (std::uint32_t i = 0; i < units(); ++i) {
    places_[i].slot = i % slots_;
    places_[i].function = i / slots_;
    Slot& slot = sockets_[i];
    slot.bus = this;
    slot.unit = i;
    slot.socket = std::make_unique<SlotSocket>(fmt::format("slot_{}", i).c_str(), *this, i);
    slot.socket->bind(static_cast<SlotInterface&>(slot));
  }
  host_socket.bind(static_cast<HostBus&>(*this));
}

bool PcixBus::has_host() {
  if (host_ == nullptr && host_socket.get_base_port().size() != 0) {
    host_ = host_socket.operator->();
    planner_.set_host(*host_);
    host_accesses_.set_host(*host_);
  }
  return host_ != nullptr;
}

SlotSocket& PcixBus::slot(std::uint32_t number, std::uint32_t function) {
  if (number >= slots_)
    throw ConfigError(fmt::format("{}: no slot {}; slots are 0 to {}", name(), number, slots_ - 1));
  if (function >= kFunctions)
    throw ConfigError(fmt::format("{}: no function {} in slot {}; functions are 0 to {}", name(),
                                  function, number, kFunctions - 1));
  return *sockets_[number + function * slots_].socket;
}

void PcixBus::plug(std::uint32_t unit, PcixDevice& device) {
  Place& place = places_[unit];
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
    ConfigSpace* const first = places_[place.slot].config;
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
  place.inside = &device.on_bus(timing_);
  place.config = &device.config();
  place.target = &device.target_params();
  place.width = std::min(timing_.width_bytes(), device_bits / 8);
}

std::uint32_t PcixBus::interrupt_line(std::uint32_t unit) const {
  const ConfigSpace* const config = places_[unit].config;
  const std::uint32_t pin = config == nullptr ? 0 : config->interrupt_pin();
  return places_[unit].slot + (pin == 0 ? 0 : pin - 1);
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
  const Place& place = places_[from];
  attributes->slot = place.slot;
  attributes->function = place.function;
  attributes->relaxed_ordering =
      place.target->relaxed_ordering() && place.config->relaxed_ordering_enabled();
  BusJob& job = arbiter_.new_job(payload.is_read() ? Command::kMemoryRead : Command::kMemoryWrite,
                                 from, payload.get_address(), bytes);
  job.payload = &payload;
  arbiter_.request(place.master(), job, now_ps());
  arrived();
  return tlm::TLM_ACCEPTED;
}

void PcixBus::request(HostRequest& request, std::uint64_t ready_ps) {
  has_host();
  BusJob& job = arbiter_.new_job(Command::kHost, 0, request.address, request.length);
  job.host = &request;
  arbiter_.request(kHostMaster, job, ready_ps);
  arrived();
}

void PcixBus::complete(tlm::tlm_generic_payload& payload, std::uint64_t ready_ps) {
  const Attributes& attributes = *attributes_of(payload);
  const std::uint32_t unit = attributes.slot + attributes.function * slots_;
  if (!timing_.is_pcix()) {
    // The device repeats its request until it finds the data, so no call is needed.
    BusJob& job = arbiter_.repeated(places_[unit].master());
    job.delayed = Delayed::kFetched;
    job.fetched_ps = ready_ps;
    return;
  }
  const bool has_data = payload.get_response_status() == tlm::TLM_OK_RESPONSE;
  // An error is reported by a Split Completion Message of one DWORD (PCI-X 1.0b, chapter 2).
  BusJob& job =
      arbiter_.new_job(Command::kSplitCompletion, unit, has_data ? payload.get_address() : 0,
                       has_data ? payload.get_data_length() : 4);
  job.payload = &payload;
  arbiter_.complete(kHostMaster, job, ready_ps);
  arrived();
}

void PcixBus::arrived() {
  if (arbiter_.ending()) return;  // finish() plans
  if (tenure_.job == nullptr || now_ps() < tenure_.start_ps) {
    plan();
  } else {
    // A tenure is in progress. The new request may take the grant away, which has an effect once
    // the latency timer has run out.
    const std::uint32_t before = tenure_.bytes;
    planner_.limit_by_latency_timer(tenure_, now_ps());
    if (tenure_.bytes != before) schedule();
  }
}

void PcixBus::plan() {
  const Arbiter::Grant grant = arbiter_.next();
  if (grant.job == nullptr) {
    tenure_.job = nullptr;
    return;
  }
  planner_.plan(tenure_, grant);
  schedule();
}

}  // namespace longhaul::pcix
