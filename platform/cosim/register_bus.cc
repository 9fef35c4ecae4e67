// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/register_bus.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

namespace longhaul::cosim {
namespace {

bool in_thread() {
  const sc_core::sc_curr_proc_kind kind = sc_core::sc_get_current_process_handle().proc_kind();
  return kind == sc_core::SC_THREAD_PROC_ || kind == sc_core::SC_CTHREAD_PROC_;
}

}  // namespace

RegisterBus::RegisterBus(const sc_core::sc_module_name& name, RtlBlock& block,
                         std::uint32_t map_bytes)
    : sc_core::sc_module(name), block_(block), map_bytes_(map_bytes) {
  target.bind(forwarder_);
}

void RegisterBus::connect(ClockDomain& clock, RegisterBusPins pins) {
  clock_ = &clock;
  pins_ = pins;
  attach();
}

void RegisterBus::attach() {
  if (attached_ || clock_ == nullptr) return;
  attached_ = true;
  clock_->attach(*this, block_.input_ps());
}

void RegisterBus::post(std::uint32_t address, std::uint32_t value) {
  static_cast<void>(queue(true, address, value, block_.input_ps()));
}

tlm::tlm_response_status RegisterBus::refusal(const tlm::tlm_generic_payload& payload) const {
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_data_length() != 4 || payload.get_streaming_width() < 4 ||
      payload.get_address() % 4 != 0) {
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  if (payload.get_address() >= map_bytes_) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (payload.is_read() && !in_thread()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

void RegisterBus::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  payload.set_response_status(refusal(payload));
  if (!payload.is_response_ok()) return;
  const auto address = static_cast<std::uint32_t>(payload.get_address());
  const std::uint64_t from_ps = block_.input_ps() + to_ps(delay);
  if (payload.is_write()) {
    std::uint32_t value = 0;
    std::memcpy(&value, payload.get_data_ptr(), sizeof value);
    static_cast<void>(queue(true, address, value, from_ps));
  } else if (payload.is_read()) {
    const std::uint32_t value = read(address, from_ps);
    delay = sc_core::SC_ZERO_TIME;
    std::memcpy(payload.get_data_ptr(), &value, sizeof value);
  }
}

std::uint32_t RegisterBus::read(std::uint32_t address, std::uint64_t from_ps) {
  const std::uint64_t number = queue(false, address, 0, from_ps);
  while (read_number_ != number) sc_core::wait(read_done_event_);
  return read_value_;
}

std::uint64_t RegisterBus::queue(bool write, std::uint32_t address, std::uint32_t value,
                                 std::uint64_t from_ps) {
  attach();
  queue_.push_back({address, value, write, from_ps, ++asked_});
  return asked_;
}

void RegisterBus::clocked(std::uint64_t edge_ps) {
  if (busy_) {
    if (pins_.acknowledge.get()) {
      finish();
    } else if (++patience_ > kPatienceClocks) {
      throw std::runtime_error(fmt::format("{}: the block did not acknowledge an access to 0x{:x}",
                                           name(), queue_.front().address));
    }
    return;  // the select falls for a clock between accesses
  }
  if (!open_) return;
  if (queue_.empty()) {
    attached_ = false;
    return clock_->detach(*this);
  }
  const Access& access = queue_.front();
  if (access.from_ps >= edge_ps) return;
  busy_ = true;
  patience_ = 0;
  pins_.select.set(true);
  pins_.write.set(access.write);
  pins_.address.set(access.address);
  pins_.write_data.set(access.value);
}

void RegisterBus::finish() {
  busy_ = false;
  pins_.select.set(false);
  const Access access = queue_.pop_front();
  if (access.write) return;
  read_number_ = access.number;
  read_value_ = pins_.read_data.get();
  block_.call_at_edge(*this);
}

}  // namespace longhaul::cosim
