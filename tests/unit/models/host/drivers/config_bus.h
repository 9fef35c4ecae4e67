// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "models/pcix/address_map.h"
#include "tests/unit/models/host/kernel/kernel_fixture.h"

namespace longhaul::host::testing {

/// Configuration space of one function: 256 bytes, of which software can set the bits in
/// `writable`.
struct FakeFunction {
  std::array<std::uint8_t, 256> bytes{};
  std::array<std::uint8_t, 256> writable{};

  FakeFunction(std::uint16_t vendor, std::uint16_t device, std::uint32_t pin = 1,
               bool multifunction = false) {
    put(0x00, vendor | std::uint32_t{device} << 16U);
    writable[0x04] = 0x07;
    bytes[0x0e] = multifunction ? 0x80 : 0;
    writable[0x3c] = 0xff;
    bytes[0x3d] = static_cast<std::uint8_t>(pin);
  }
  /// Base address register `i`: the bits that software finds set when it has written ones, and
  /// those that are wired to one.
  FakeFunction& bar(std::uint32_t i, std::uint32_t mask, std::uint32_t wired = 0) {
    put(0x10 + 4 * i, wired);
    for (std::uint32_t k = 0; k < 4; ++k)
      writable[0x10 + 4 * i + k] = static_cast<std::uint8_t>(mask >> (8 * k));
    return *this;
  }
  std::uint32_t get(std::uint32_t at) const {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
  }
  void put(std::uint32_t at, std::uint32_t value) { std::memcpy(bytes.data() + at, &value, 4); }
};

/// A bus with nothing on it but configuration space, and what a test has behind BARs; where nobody
/// is, reads get no data and an error.
struct ConfigBus final : sc_core::sc_module {
  struct Write {
    std::uint32_t at;
    std::uint32_t size;
    std::uint32_t value;
    std::uint16_t command;  ///< register of that function meanwhile
  };
  tlm_utils::simple_target_socket<ConfigBus> target{"target"};
  std::map<std::pair<std::uint32_t, std::uint32_t>, FakeFunction> functions;  // by slot and number
  std::vector<std::pair<std::uint32_t, std::uint32_t>> asked;                 // whose IDs were read
  std::vector<Write> writes;
  std::function<void(tlm::tlm_generic_payload&)> mmio;

  explicit ConfigBus(const sc_core::sc_module_name& name) : sc_module(name) {
    target.register_b_transport(this, &ConfigBus::access);
  }
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
    namespace map = pcix::address_map;
    if (mmio && map::is_mmio(payload.get_address())) return mmio(payload);
    ASSERT_TRUE(map::is_config(payload.get_address()));
    const std::uint64_t offset = payload.get_address() - map::kConfigBegin;
    const auto slot = static_cast<std::uint32_t>(offset / map::kConfigBytes);
    const auto number =
        static_cast<std::uint32_t>(offset % map::kConfigBytes / map::kFunctionBytes);
    const auto at = static_cast<std::uint32_t>(offset % map::kFunctionBytes);
    if (payload.is_read() && at == 0) asked.emplace_back(slot, number);
    const auto found = functions.find({slot, number});
    if (found == functions.end())
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    FakeFunction& function = found->second;
    const std::uint32_t size = payload.get_data_length();
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), function.bytes.data() + at, size);
    } else {
      std::uint32_t value = 0;
      std::memcpy(&value, payload.get_data_ptr(), size);
      writes.push_back({at, size, value, static_cast<std::uint16_t>(function.get(4))});
      for (std::uint32_t i = 0; i < size; ++i) {
        std::uint8_t& byte = function.bytes[at + i];
        const std::uint8_t mask = function.writable[at + i];
        byte = static_cast<std::uint8_t>((byte & ~mask) | (payload.get_data_ptr()[i] & mask));
      }
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// A processor in front of such a bus.
struct ConfigTest : ::testing::Test {
  cpu::Core core{"core", one_gigahertz(), units::MiB(1)};
  ConfigBus bus{"bus"};
  Processor processor{"cpu", core, round_kernel()};
  std::vector<std::unique_ptr<Program>> programs;

  ConfigTest() { core.core_initiator.bind(bus.target); }
  FakeFunction& add(std::uint32_t slot, std::uint32_t number, const FakeFunction& function) {
    return bus.functions.insert_or_assign({slot, number}, function).first->second;
  }
  /// Runs `body` as a program, to its end.
  void run(std::function<void()> body) {
    programs.push_back(
        std::make_unique<Program>("program", processor, [body](Program&) { body(); }));
    sc_core::sc_start(from_ps(kMs));
    ASSERT_TRUE(programs.back()->done());
  }
};

}  // namespace longhaul::host::testing
