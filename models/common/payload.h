// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tlm>

namespace longhaul {

/// Sets up a payload as an access of `length` bytes to or from `data`, with all bytes enabled and
/// no response yet. Extensions and the memory manager stay.
inline void set_access(tlm::tlm_generic_payload& payload, tlm::tlm_command command,
                       std::uint64_t address, void* data, std::uint32_t length) {
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(data));
  payload.set_data_length(length);
  payload.set_streaming_width(length);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

}  // namespace longhaul
