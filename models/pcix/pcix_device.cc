// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/pcix_device.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace longhaul::pcix {
namespace {

ConfigIdentity with_memory_size(ConfigIdentity identity, std::uint32_t memory_size) {
  identity.memory_size = memory_size;
  return identity;
}

}  // namespace

PcixDevice::PcixDevice(const sc_core::sc_module_name& name, std::uint32_t memory_size,
                       const ConfigIdentity& identity, DmaParams dma_params,
                       const TargetParams& target_params)
    : sc_module(name),
      target_params_(target_params),
      config_(with_memory_size(identity, memory_size)),
      bank_(memory_size),
      dma_("dma", dma_params, [this](DmaEngine::Limits& limits) {
        limits.master_enabled = config_.master_enabled();
        limits.max_read_bytes = config_.max_memory_read_bytes();
        limits.max_outstanding = config_.max_outstanding_splits();
      }) {
  bus_socket.bind(static_cast<FunctionInterface&>(*this));
  dma_way_.register_nb_transport_fw(this, &PcixDevice::to_bus);
  mmio_target.register_b_transport(this, &PcixDevice::mmio_b_transport);
  io_target.register_b_transport(this, &PcixDevice::io_b_transport);
  config_target.register_b_transport(this, &PcixDevice::config_b_transport);
  SC_HAS_PROCESS(PcixDevice);
  SC_METHOD(drive_inta_method);
  sensitive << interrupt_event_;
}

FunctionInterface& PcixDevice::on_bus() {
  dma_.dma_initiator.bind(dma_way_);
  return *this;
}

void PcixDevice::mmio_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  access_memory(payload);
}
void PcixDevice::io_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  access_io(payload);
}
void PcixDevice::config_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  access_config(payload);
}

void PcixDevice::set_interrupt(bool level) {
  if (level == interrupt_level_) return;
  interrupt_level_ = level;
  config_.set_interrupt_status(level);
  if (level) interrupts.add();
  if (!config_.msi_enabled()) {
    notify_in(interrupt_event_, 0);
  } else if (level) {
    // A message is a DWORD write: 16 bits of data, the upper half zero (PCI 2.3, 6.8.1).
    const std::uint16_t data = config_.msi_data();
    const std::array<std::uint8_t, 4> message{static_cast<std::uint8_t>(data),
                                              static_cast<std::uint8_t>(data >> 8), 0, 0};
    dma_.write(config_.msi_address(), message.data(), message.size(), nullptr, 0);
  }
}

sc_core::sc_time PcixDevice::access_memory(tlm::tlm_generic_payload& payload) {
  const std::uint64_t offset = payload.get_address();
  const std::uint32_t length = payload.get_data_length();
  if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return sc_core::SC_ZERO_TIME;
  }
  if (length == 0 || length > 8 || offset >= bank_.size() || bank_.size() - offset < length) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return sc_core::SC_ZERO_TIME;
  }
  access_offset_ = static_cast<std::uint32_t>(offset);
  access_bytes_ = length;
  return access_memory_bar(payload);
}

sc_core::sc_time PcixDevice::access_memory_bar(tlm::tlm_generic_payload& payload) {
  std::uint8_t* data = payload.get_data_ptr();
  auto at = static_cast<std::uint32_t>(payload.get_address());
  for (std::uint32_t left = payload.get_data_length(); left > 0;) {
    const std::uint32_t lane = at % 4;
    const std::uint32_t bytes = std::min(4 - lane, left);
    if (payload.is_read()) {
      const std::uint32_t word = bank_.read(at) >> (8 * lane);
      for (std::uint32_t i = 0; i < bytes; ++i)
        data[i] = static_cast<std::uint8_t>(word >> (8 * i));
    } else {
      std::uint32_t word = 0;
      std::uint32_t mask = 0;
      for (std::uint32_t i = 0; i < bytes; ++i) {
        word |= static_cast<std::uint32_t>(data[i]) << (8 * (lane + i));
        mask |= 0xffU << (8 * (lane + i));
      }
      bank_.write(at, word, mask);
    }
    at += bytes;
    data += bytes;
    left -= bytes;
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return sc_core::SC_ZERO_TIME;
}

void PcixDevice::access_io(tlm::tlm_generic_payload& payload) {
  const auto offset = static_cast<std::uint32_t>(payload.get_address());
  const std::uint32_t length = payload.get_data_length();
  const std::uint32_t lane = offset % 4;
  if (io_ports_ == nullptr || length == 0 || lane + length > 4) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  access_offset_ = offset;
  access_bytes_ = length;
  std::uint8_t* const data = payload.get_data_ptr();
  if (payload.is_read()) {
    const std::uint32_t word = io_ports_->io_read(offset - lane);
    for (std::uint32_t i = 0; i < length; ++i)
      data[i] = static_cast<std::uint8_t>(word >> (8 * (lane + i)));
  } else {
    std::uint32_t word = 0;
    std::uint32_t mask = 0;
    for (std::uint32_t i = 0; i < length; ++i) {
      word |= static_cast<std::uint32_t>(data[i]) << (8 * (lane + i));
      mask |= 0xffU << (8 * (lane + i));
    }
    io_ports_->io_write(offset - lane, word, mask);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void PcixDevice::access_config(tlm::tlm_generic_payload& payload) {
  const std::uint64_t offset = payload.get_address();
  const std::uint32_t length = payload.get_data_length();
  if ((length != 1 && length != 2 && length != 4) || offset >= 4096) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  std::uint8_t* const data = payload.get_data_ptr();
  std::uint32_t value = 0;
  if (payload.is_read()) {
    value = config_.read(static_cast<std::uint32_t>(offset), length);
    for (std::uint32_t i = 0; i < length; ++i)
      data[i] = static_cast<std::uint8_t>(value >> (8 * i));
  } else {
    for (std::uint32_t i = 0; i < length; ++i)
      value |= static_cast<std::uint32_t>(data[i]) << (8 * i);
    config_.write(static_cast<std::uint32_t>(offset), length, value);
    notify_in(interrupt_event_, 0);  // INTx disable or MSI enable may have changed
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void PcixDevice::drive_inta_method() {
  inta_o.write(interrupt_level_ && !config_.intx_disabled() && !config_.msi_enabled());
}

}  // namespace longhaul::pcix
