// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/units.h"

namespace longhaul::nic_twin {

/// How fast a memory is.
struct MemoryPace {
  std::uint64_t latency_ps = 60'000;  ///< of a read
  std::uint64_t line_ps = 13'000;     ///< of 64 bytes
};

/// Host memory with a log of what the device wrote. Accesses are served one after another.
class TwinMemory final : public sc_core::sc_module {
 public:
  static constexpr std::uint64_t kLine = 64;
  struct Write {
    std::uint64_t at_ps;  ///< when the last byte is in memory
    std::uint64_t address;
    std::uint32_t bytes;
  };

  tlm_utils::simple_target_socket<TwinMemory> target{"target"};
  std::vector<std::uint8_t> bytes;
  std::vector<Write> writes;
  MemoryPace pace;
  std::uint64_t last_ps = 0;  ///< of the last access
  std::uint64_t reads = 0;

  TwinMemory(const sc_core::sc_module_name& name, std::size_t size) : sc_module(name), bytes(size) {
    target.register_b_transport(this, &TwinMemory::serve);
    target.register_transport_dbg(this, &TwinMemory::debug);
  }

 private:
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    const std::uint32_t length = payload.get_data_length();
    if (address > bytes.size() || length > bytes.size() - address) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    const std::uint64_t lines = (address % kLine + length + kLine - 1) / kLine;
    free_ps_ = std::max(now_ps() + to_ps(delay), free_ps_) + lines * pace.line_ps;
    last_ps = free_ps_;
    if (payload.is_read()) {
      ++reads;
      delay = from_ps(free_ps_ + pace.latency_ps - now_ps());
      std::memcpy(payload.get_data_ptr(), &bytes[address], length);
    } else {
      delay = from_ps(free_ps_ - now_ps());
      std::memcpy(&bytes[address], payload.get_data_ptr(), length);
      writes.push_back({free_ps_, address, length});
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned debug(tlm::tlm_generic_payload&) { return 0; }

  std::uint64_t free_ps_ = 0;
};

}  // namespace longhaul::nic_twin
