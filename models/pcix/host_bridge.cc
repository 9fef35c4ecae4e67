// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/host_bridge.h"

#include <algorithm>
#include <cstring>

#include "models/common/payload.h"
#include "models/pcix/address_map.h"

namespace longhaul::pcix {

HostBridge::HostBridge(const sc_core::sc_module_name& name, const HostBridgeParams& params)
    : sc_module(name),
      params_(params),
      upstream_link_(params.link_rate(), params.link_header_bytes(), params.link_payload_bytes()),
      downstream_link_(params.link_rate(), params.link_header_bytes(), params.link_payload_bytes()),
      access_(*new memory::DeviceAccess) {
  memory_payload_.set_extension(&access_);
  core_target.register_b_transport(this, &HostBridge::core_b_transport);
  bus_socket.bind(static_cast<HostPort&>(*this));
}

void HostBridge::end_of_elaboration() {
  // Not an access: asks whether the memory supports elided payload.
  std::uint8_t nothing = 0;
  set_access(memory_payload_, tlm::TLM_READ_COMMAND, 0, &nothing, 0);
  memory_initiator->transport_dbg(memory_payload_);
  if (!access_.knows_elision) EventQueue::get().stay_with_kernel();
  for (std::uint32_t unit = 0; unit < bus_socket->units(); ++unit) {
    lines_.emplace_back(*this, unit);  // at least as many as there are lines
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&bus_socket->interrupt(unit).value_changed_event());
    // The device, which is bound later, knows the line of its pin.
    sc_core::sc_spawn([this, unit] { pin_changed(bus_socket->interrupt_line(unit)); },
                      sc_core::sc_gen_unique_name("intx_method"), &options);
  }
}

void HostBridge::pin_changed(std::uint32_t line) {
  bool asserted = false;
  for (std::uint32_t unit = 0; unit < bus_socket->units(); ++unit)
    asserted = asserted ||
               (bus_socket->interrupt_line(unit) == line && bus_socket->interrupt(unit).read());
  InterruptLine& its = lines_[line];
  if (asserted == (its.told || its.arrives.is_set())) return;
  if (asserted) {
    its.arrives.set(now_ps() + to_ps(params_.interrupt_latency()));
  } else {
    its.arrives.cancel();
    tell(line, false);
  }
}

void HostBridge::tell(std::uint32_t line, bool asserted) {
  if (lines_[line].told == asserted) return;
  lines_[line].told = asserted;
  if (intx_receiver_ != nullptr) intx_receiver_->intx(line, asserted);
}

void HostBridge::core_b_transport(int /*core*/, tlm::tlm_generic_payload& payload,
                                  sc_core::sc_time& delay) {
  if (address_map::is_memory(payload.get_address())) {
    memory_initiator->b_transport(payload, delay);
    return;
  }
  const std::uint64_t first = payload.get_address();
  const std::uint32_t length = payload.get_data_length();
  const std::uint64_t word =
      address_map::is_io(first) ? 4 : 8;  // I/O transactions are DWORDs (PCI 2.3, 3.2.2.1)
  if (length == 0 || first / word != (first + length - 1) / word) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  if (delay != sc_core::SC_ZERO_TIME) EventQueue::get().pass(to_ps(delay));
  delay = sc_core::SC_ZERO_TIME;
  access_device(payload);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void HostBridge::access_device(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const bool is_config = address_map::is_config(address);
  const bool is_io = address_map::is_io(address);
  const bool is_posted = payload.is_write() && !is_config && !is_io;
  (payload.is_read() ? core_reads : core_writes).add();
  if (is_posted) {
    while (posted_writes_ >= params_.posted_core_writes())
      EventQueue::get().pass_until(posted_room_);
    ++posted_writes_;
  }
  HostRequest& request = take_request();
  using Kind = HostRequest::Kind;
  request.kind = payload.is_read() ? (is_config ? Kind::kConfigRead
                                      : is_io   ? Kind::kIoRead
                                                : Kind::kMmioRead)
                                   : (is_config ? Kind::kConfigWrite
                                      : is_io   ? Kind::kIoWrite
                                                : Kind::kMmioWrite);
  request.slot = is_config ? static_cast<std::uint32_t>((address - address_map::kConfigBegin) /
                                                        address_map::kConfigBytes)
                           : 0;
  request.address = is_config ? address % address_map::kConfigBytes
                    : is_io   ? address - address_map::kIoBegin
                              : address;
  request.length = payload.get_data_length();
  if (payload.is_write()) std::memcpy(request.data.data(), payload.get_data_ptr(), request.length);
  bus_socket->request(request, now_ps() + to_ps(params_.downstream_latency()));
  if (is_posted) {
    EventQueue::get().pass(to_ps(params_.core_write_time()));
    return;
  }
  EventQueue::get().pass_until(request.done);
  if (payload.is_read()) std::memcpy(payload.get_data_ptr(), request.data.data(), request.length);
  free_requests_.push_back(&request);
}

HostRequest& HostBridge::take_request() {
  if (free_requests_.empty()) {
    owned_requests_.push_back(std::make_unique<HostRequest>());
    free_requests_.reserve(owned_requests_.size());
    free_requests_.push_back(owned_requests_.back().get());
  }
  HostRequest& request = *free_requests_.back();
  free_requests_.pop_back();
  return request;
}

HostPort::Decode HostBridge::decode(const tlm::tlm_generic_payload& payload, std::uint32_t offset,
                                    std::uint64_t start_ps) {
  const std::uint64_t address = payload.get_address();
  const std::uint32_t bytes = payload.get_data_length() - offset;
  const bool is_message = address_map::is_msi(address) && payload.is_write();
  if (!is_message && !address_map::is_memory(address)) return {Answer::kNotClaimed, 0};
  if (payload.is_read()) {
    if (split_reads_ >= params_.split_reads()) return {Answer::kRetry, 0};
    return {Answer::kAccept, fetched_bytes(address + offset, bytes)};
  }
  if (is_message) return {Answer::kAccept, bytes};
  std::uint64_t full = draining_bytes_;
  for (std::size_t i = 0; i < drains_.size() && drains_[i].done_ps <= start_ps; ++i)
    full -= drains_[i].bytes;
  const std::uint64_t depth = params_.posted_dma_bytes().count;
  const std::uint64_t room = depth > full ? depth - full : 0;
  const std::uint32_t taken =
      bus_socket->timing().bytes_that_fit(address + offset, bytes, flows_through(room, start_ps));
  if (taken == 0) return {Answer::kRetry, 0};
  return {Answer::kAccept, taken};
}

std::uint64_t HostBridge::flows_through(std::uint64_t room, std::uint64_t start_ps) const {
  const std::uint64_t bus_pace = bus_socket->timing().burst_ps(0, kPaceBytes);
  const std::uint64_t backlog_ps = last_drain_ps_ > start_ps ? last_drain_ps_ - start_ps : 0;
  // While earlier bytes drain, all of the burst stays in the buffer and must fit its room. After
  // that the buffer fills at the difference of the rates of bus and memory.
  if (room < bus_socket->timing().boundary_bytes() ||
      bus_socket->timing().bytes_in(backlog_ps) > room)
    return room;
  if (drain_pace_ <= bus_pace) return ~0U;
  return room * drain_pace_ / (drain_pace_ - bus_pace);
}

tlm::tlm_response_status HostBridge::take_write(tlm::tlm_generic_payload& payload,
                                                std::uint32_t offset, std::uint32_t bytes) {
  if (address_map::is_msi(payload.get_address())) {
    take_message(payload);
    return tlm::TLM_OK_RESPONSE;
  }
  while (!drains_.empty() && drains_.front().done_ps <= now_ps())
    draining_bytes_ -= drains_.pop_front().bytes;
  tlm::tlm_response_status response = tlm::TLM_INCOMPLETE_RESPONSE;
  const std::uint64_t booked_ps = access_memory(payload, offset, bytes, response);
  if (response != tlm::TLM_OK_RESPONSE) return response;
  // The burst has drained since its first data phase. Only its last part is still in the buffer.
  const std::uint64_t burst_ps =
      bus_socket->timing().burst_ps(payload.get_address() + offset, bytes);
  const std::uint64_t latency_ps = to_ps(params_.upstream_latency());
  const std::uint64_t begin_ps = now_ps() > burst_ps ? now_ps() - burst_ps : 0;
  const std::uint64_t on_link_ps = upstream_link_.book(begin_ps, bytes) - begin_ps;
  const auto drain_ps = std::max<std::uint64_t>({booked_ps - latency_ps, on_link_ps, 1});
  if (bytes >= kPaceBytes) drain_pace_ = drain_ps * kPaceBytes / bytes;
  const std::uint64_t left_ps = std::max(drain_ps, burst_ps) - burst_ps + latency_ps;
  last_drain_ps_ = std::max(last_drain_ps_, now_ps() + left_ps);
  const auto left = static_cast<std::uint32_t>(std::min<std::uint64_t>(
      {bytes, bus_socket->timing().bytes_in(left_ps), left_ps * bytes / drain_ps}));
  drains_.push_back({last_drain_ps_, left});
  draining_bytes_ += left;
  posted_dma.set(draining_bytes_);
  return response;
}

std::uint32_t HostBridge::fetched_bytes(std::uint64_t address, std::uint32_t bytes) const {
  if (bus_socket->timing().is_pcix()) return bytes;
  const std::uint64_t most = params_.delayed_read_bytes().count;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, most - address % most));
}

void HostBridge::take_read(tlm::tlm_generic_payload& payload, std::uint32_t offset,
                           std::uint32_t bytes) {
  ++split_reads_;
  if (active_reads_ < params_.active_reads()) return fetch({&payload, offset, bytes});
  waiting_reads_.push_back({&payload, offset, bytes});
  waiting_reads.set(waiting_reads_.size());
}

void HostBridge::fetch(const Fetch& read) {
  ++active_reads_;
  tlm::tlm_generic_payload& payload = *read.payload;
  const auto first = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(params_.completion_start_bytes().count, read.bytes));
  tlm::tlm_response_status response = tlm::TLM_INCOMPLETE_RESPONSE;
  access_.first_bytes = first;
  access_.first_delay_ps = 0;
  const std::uint64_t memory_last_ps =
      now_ps() + access_memory(payload, read.offset, read.bytes, response);
  const bool answered = access_.first_delay_ps != 0;
  std::uint64_t ready_ps = answered ? now_ps() + access_.first_delay_ps : memory_last_ps;
  // The link passes data on as they come from memory. It adds time only if it is slower, or still
  // busy with earlier data.
  LinkPipe& link = downstream_link();
  const std::uint64_t first_ps = link.time_ps(first);
  const std::uint64_t link_from_ps =
      std::max(link.free_ps(), ready_ps - std::min(ready_ps, first_ps));
  ready_ps = std::max(ready_ps, link_from_ps + first_ps);
  const std::uint64_t link_last_ps = link.book(link_from_ps, read.bytes);
  if (first < read.bytes && response == tlm::TLM_OK_RESPONSE) {
    // The completion may start once the rest is sure to arrive no later than the bus needs it.
    const std::uint64_t last_ps = std::max(memory_last_ps, link_last_ps);
    const std::uint64_t bus_ps =
        bus_socket->timing().burst_ps(payload.get_address() + read.offset, read.bytes);
    if (last_ps > ready_ps + bus_ps) ready_ps = last_ps - bus_ps;
  }
  payload.set_response_status(response == tlm::TLM_OK_RESPONSE ? response
                                                               : tlm::TLM_GENERIC_ERROR_RESPONSE);
  bus_socket->complete(payload, ready_ps + to_ps(params_.downstream_latency()));
}

void HostBridge::completion_gone(const tlm::tlm_generic_payload&) {
  --split_reads_;
  --active_reads_;
  if (waiting_reads_.empty()) return;
  fetch(waiting_reads_.pop_front());
  waiting_reads.set(waiting_reads_.size());
}

HostBridge::ReadLimits HostBridge::read_limits(const BusTiming& timing) const {
  constexpr ReadLimits kErratum56{1024, 2};
  // The erratum shows at 133 MHz only; slower buses need no limit.
  constexpr std::uint64_t k100Megahertz = 10'000;  // ps
  const bool limited = params_.split_completion_workaround() && timing.is_pcix() &&
                       timing.period_ps() < k100Megahertz;
  return limited ? kErratum56 : ReadLimits{DmaEngine::kMaxTransactionBytes, 32};
}

void HostBridge::host_done(HostRequest& request) {
  if (request.kind == HostRequest::Kind::kMmioWrite) {
    free_requests_.push_back(&request);
    if (posted_writes_-- == params_.posted_core_writes()) posted_room_.notify();
    return;
  }
  // The completion pushes the DMA writes that crossed the bus before it.
  const std::uint64_t at_ps =
      std::max(now_ps() + to_ps(params_.upstream_latency()), last_drain_ps_);
  request.done.notify_in(at_ps - now_ps());
}

std::uint64_t HostBridge::access_memory(tlm::tlm_generic_payload& payload, std::uint32_t offset,
                                        std::uint32_t bytes, tlm::tlm_response_status& response) {
  set_access(memory_payload_, payload.get_command(), payload.get_address() + offset,
             payload.get_data_ptr() + offset, bytes);
  Attributes& attributes = *attributes_of(payload);
  access_.takes_blank =
      // A delayed read may be fetched in parts, some of them twice.
      attributes.takes_blank && bus_socket->timing().is_pcix();
  access_.stored = attributes.stored - std::min(attributes.stored, offset);
  if (payload.is_write() && access_.stored < bytes && !access_.knows_elision)
    memory_payload_.set_data_ptr(with_zeros(payload.get_data_ptr() + offset, bytes));
  sc_core::sc_time delay = params_.upstream_latency();
  memory_initiator->b_transport(memory_payload_, delay);
  if (access_.takes_blank && access_.knows_elision) attributes.stored = access_.stored;
  response = memory_payload_.get_response_status();
  return to_ps(delay);
}

std::uint8_t* HostBridge::with_zeros(const std::uint8_t* data, std::uint32_t bytes) {
  whole_.assign(bytes, 0);
  std::copy_n(data, access_.stored, whole_.begin());
  access_.stored = ~0U;
  return whole_.data();
}

void HostBridge::take_message(const tlm::tlm_generic_payload& payload) {
  std::uint16_t data = payload.get_data_ptr()[0];
  if (payload.get_data_length() > 1)
    data = static_cast<std::uint16_t>(data | payload.get_data_ptr()[1] << 8);
  const std::uint64_t at_ps =
      std::max(now_ps() + to_ps(params_.upstream_latency()), last_drain_ps_);
  messages_.push_back({at_ps, payload.get_address(), data});
  if (messages_.size() == 1) message_due_.set(at_ps);
}

void HostBridge::deliver_messages() {
  while (!messages_.empty() && messages_.front().at_ps <= now_ps()) {
    const Message message = messages_.pop_front();
    messages.add();
    if (msi_receiver_ != nullptr) msi_receiver_->msi(message.address, message.data);
  }
  if (!messages_.empty()) message_due_.set(messages_.front().at_ps);
}

}  // namespace longhaul::pcix
