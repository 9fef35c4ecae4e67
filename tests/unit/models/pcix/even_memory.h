// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <algorithm>
#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/common/units.h"
#include "models/memory/backing_store.h"
#include "models/memory/device_access.h"

namespace longhaul::pcix {

/// A memory with even times, so that a bus's own clocks can be told to the picosecond: accesses are
/// served one after another at `bytes_per_s`, in whole lines of 64 B, and reads come back 60 ns
/// later.
class EvenMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket_optional<EvenMemory> dma_target{"dma_target"};

  EvenMemory(const sc_core::sc_module_name& name, Bytes size, std::uint64_t bytes_per_s)
      : sc_module(name), bytes_per_s_(bytes_per_s), store_(size, this->name()) {
    dma_target.register_b_transport(this, &EvenMemory::serve);
    dma_target.register_get_direct_mem_ptr(this, &EvenMemory::direct);
    dma_target.register_transport_dbg(this, &EvenMemory::debug);
  }

  const memory::MemoryMapping& mapping() const { return store_.mapping(); }
  void hide_below(std::uint64_t address) { store_.hide_below(address); }
  /// Bytes that devices have moved.
  std::uint64_t moved() const { return moved_; }

 private:
  static constexpr std::uint64_t kLine = 64;
  static constexpr std::uint64_t kLatencyPs = 60'000;

  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    const std::uint64_t bytes = payload.get_data_length();
    if (!store_.covers(address, bytes)) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    const std::uint64_t lines = (address % kLine + bytes + kLine - 1) / kLine;
    const std::uint64_t start_ps = std::max(now_ps() + to_ps(delay), free_ps_);
    const std::uint64_t line_ps = kLine * 1'000'000 / (bytes_per_s_ / 1'000'000);
    free_ps_ = start_ps + lines * line_ps;
    moved_ += bytes;
    delay = from_ps(free_ps_ + (payload.is_read() ? kLatencyPs : 0) - now_ps());
    if (auto* const access = payload.get_extension<memory::DeviceAccess>()) {
      const std::uint64_t first_lines = (address % kLine + access->first_bytes + kLine - 1) / kLine;
      access->first_delay_ps = start_ps + first_lines * line_ps + kLatencyPs - now_ps();
    }
    store_.move(payload);
  }
  bool direct(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
    return store_.direct(payload, dmi, from_ps(kLatencyPs));
  }
  unsigned debug(tlm::tlm_generic_payload& payload) { return store_.debug(payload); }

  const std::uint64_t bytes_per_s_;
  memory::BackingStore store_;
  std::uint64_t free_ps_ = 0;
  std::uint64_t moved_ = 0;
};

}  // namespace longhaul::pcix
