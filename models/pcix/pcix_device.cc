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
                       const ConfigIdentity& identity, const DmaParams& dma_params,
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
  if (identity.msix_capability_offset != 0) {
    msix_ = std::make_unique<MsixTable>(
        identity.msix_vectors,
        [this](std::uint64_t address, std::uint32_t data) { write_message(address, data); });
    msix_bar_ = config_.memory_bar_at(identity.msix_bar);
  }
  SC_HAS_PROCESS(PcixDevice);
  SC_METHOD(drive_inta_method);
  sensitive << interrupt_event_;
}

FunctionInterface& PcixDevice::on_bus(const BusTiming& bus) {
  bus_ = &bus;
  dma_.dma_initiator.bind(dma_way_);
  return *this;
}

void PcixDevice::mmio_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  access_memory(payload, 0);
}
void PcixDevice::io_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  access_io(payload);
}
void PcixDevice::config_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  access_config(payload);
}

void PcixDevice::set_interrupt(bool level) {
  if (level != interrupt_level_) set_interrupts(level ? 1 : 0, level ? 1 : 0);
}

void PcixDevice::set_interrupts(std::uint64_t levels, std::uint64_t rises) {
  const bool level = levels != 0;
  const bool asks_anew = level && !interrupt_level_;
  interrupt_level_ = level;
  config_.set_interrupt_status(level);
  if (!sends_messages()) {
    if (asks_anew) interrupts.add();
    notify_in(interrupt_event_, 0);
    return;
  }
  for (std::uint32_t vector = 0; rises >> vector != 0; ++vector) {
    if ((rises >> vector & 1U) != 0) send_vector(vector);
    if (vector == 63) break;
  }
}

void PcixDevice::send_vector(std::uint32_t vector) {
  interrupts.add();
  if (config_.messages().msix_enabled()) return msix_->raise(vector);
  // The low bits of the message's data are the vector's number (PCI 2.3, 6.8.3.4).
  const std::uint32_t vectors = config_.messages().msi_vectors();
  write_message(config_.msi_address(), (config_.msi_data() & ~(vectors - 1)) | vector % vectors);
}

/// Writes a message as one DWORD. An MSI has 16 bits of data; the upper half is zero (PCI 2.3,
/// 6.8.1).
void PcixDevice::write_message(std::uint64_t address, std::uint32_t data) {
  const std::array<std::uint8_t, 4> message{
      static_cast<std::uint8_t>(data), static_cast<std::uint8_t>(data >> 8),
      static_cast<std::uint8_t>(data >> 16), static_cast<std::uint8_t>(data >> 24)};
  dma_.write(address, message.data(), message.size(), nullptr, 0);
}

void PcixDevice::access_msix(tlm::tlm_generic_payload& payload) {
  const auto offset = static_cast<std::uint32_t>(payload.get_address());
  if (payload.is_read()) {
    msix_->read(offset, payload.get_data_ptr(), payload.get_data_length());
  } else {
    msix_->write(offset, payload.get_data_ptr(), payload.get_data_length());
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

sc_core::sc_time PcixDevice::access_memory(tlm::tlm_generic_payload& payload, std::size_t bar) {
  const std::uint64_t offset = payload.get_address();
  const std::uint32_t length = payload.get_data_length();
  if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return sc_core::SC_ZERO_TIME;
  }
  const std::uint32_t size = config_.memory_size(bar);
  if (length == 0 || length > 8 || offset >= size || size - offset < length) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return sc_core::SC_ZERO_TIME;
  }
  access_bar_ = bar;
  access_offset_ = static_cast<std::uint32_t>(offset);
  access_bytes_ = length;
  if (msix_ && bar == msix_bar_) {
    access_msix(payload);
    return sc_core::SC_ZERO_TIME;
  }
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

sc_core::sc_time PcixDevice::access_config(tlm::tlm_generic_payload& payload) {
  const std::uint64_t offset = payload.get_address();
  const std::uint32_t length = payload.get_data_length();
  if ((length != 1 && length != 2 && length != 4) || offset >= 4096) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return sc_core::SC_ZERO_TIME;
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
    if (msix_)
      msix_->set_control(config_.messages().msix_enabled(), config_.messages().msix_masked());
    notify_in(interrupt_event_, 0);  // INTx disable or MSI enable may have changed
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return sc_core::SC_ZERO_TIME;
}

void PcixDevice::drive_inta_method() {
  inta_o.write(interrupt_level_ && !config_.intx_disabled() && !sends_messages());
}

}  // namespace longhaul::pcix
