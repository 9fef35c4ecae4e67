// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <memory>

#include "models/common/payload.h"
#include "models/memory/device_access.h"
#include "models/memory/memory_system.h"

namespace longhaul::memory::testing {

/// A bridge at dma_target.
struct Bridge final : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Bridge> dma_initiator{"dma_initiator"};
  explicit Bridge(const sc_core::sc_module_name& name) : sc_module(name) {}

  struct Result {
    tlm::tlm_response_status response;
    std::uint64_t ps;
  };
  Result access(tlm::tlm_command command, std::uint64_t address, std::uint32_t length,
                std::uint64_t delay_ps = 0) {
    tlm::tlm_generic_payload payload;
    set_access(payload, command, address, data.data(), length);
    sc_core::sc_time delay = from_ps(delay_ps);
    auto* const notes = new DeviceAccess;  // the payload's
    notes->first_bytes = first_bytes_;
    payload.set_extension(notes);
    dma_initiator->b_transport(payload, delay);
    first_ps_ = notes->first_delay_ps;
    return {payload.get_response_status(), to_ps(delay)};
  }
  /// From now on reads ask when their first bytes are back.
  void asks_for_first(std::uint32_t bytes) { first_bytes_ = bytes; }
  std::uint64_t first_ps() const { return first_ps_; }
  std::array<std::uint8_t, 65536> data{};

 private:
  std::uint32_t first_bytes_ = 0;
  std::uint64_t first_ps_ = 0;
};

/// A memory system with a bridge, and time to let pass; begins at 1 us.
class MemoryFixture : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kNode1 = 1ULL << 30;

  void build(const MemorySystemParams& params = memory_preset("opteron_hdama", "test"),
             Bytes size = units::GiB(2)) {
    memory = std::make_unique<MemorySystem>("memory", params, size);
    bridge.dma_initiator.bind(memory->dma_target);
    pass(1'000'000);
  }
  static void pass(std::uint64_t ps) { sc_core::sc_start(from_ps(ps)); }
  std::uint64_t read(std::uint64_t address, std::uint64_t bytes, std::uint32_t in_flight,
                     std::uint32_t core = 0) {
    return memory->core(core).stream({address, bytes, false, in_flight});
  }
  std::uint64_t write(std::uint64_t address, std::uint64_t bytes, std::uint32_t core = 0) {
    return memory->core(core).stream({address, bytes, true, 1});
  }
  Bridge::Result dma_read(std::uint64_t address, std::uint32_t length, std::uint64_t delay_ps = 0) {
    return bridge.access(tlm::TLM_READ_COMMAND, address, length, delay_ps);
  }
  Bridge::Result dma_write(std::uint64_t address, std::uint32_t length,
                           std::uint64_t delay_ps = 0) {
    return bridge.access(tlm::TLM_WRITE_COMMAND, address, length, delay_ps);
  }

  Bridge bridge{"bridge"};
  std::unique_ptr<MemorySystem> memory;
};

}  // namespace longhaul::memory::testing
