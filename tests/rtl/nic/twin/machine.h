// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>
#include <vector>

#include "models/net/link/link.h"
#include "models/nic/adapter_type.h"
#include "models/pcix/host_bridge.h"
#include "models/pcix/pcix_bus.h"
#include "tests/rtl/nic/twin/twin_memory.h"
#include "tests/rtl/nic/twin/wire_end.h"

namespace longhaul::nic_twin {

/// A machine without a processor model: memory, bridge, PCI-X bus, one adapter, its link and far
/// end. Its register accesses wait for the bus, so they are called in a thread.
class Machine final : public sc_core::sc_module, private pcix::MsiReceiver {
 public:
  static constexpr std::uint64_t kBar = 0xf000'0000;
  static constexpr std::uint64_t kMemoryBytes = 8U << 20;
  struct Edge {
    std::uint64_t at_ps;
    bool rise;
  };

  Machine(const sc_core::sc_module_name& name, const std::string& adapter,
          const nlohmann::json& params);

  TwinMemory memory;
  pcix::PcixBus bus;
  pcix::HostBridge bridge;
  std::unique_ptr<nic::Adapter> nic;
  Link link;
  WireEnd far;
  std::vector<Edge> edges;  ///< of the interrupt pin; a message is a rise

  std::uint32_t read(std::uint32_t offset, std::uint32_t bytes = 4);
  void write(std::uint32_t offset, std::uint32_t value, std::uint32_t bytes = 4);
  /// Firmware's part: BAR, bus mastering, PCI-X command register, and INTx or MSI.
  void power_up(std::uint32_t read_code, std::uint32_t outstanding_code, bool messages);
  /// When something last happened at memory, wire or interrupt pin.
  std::uint64_t last_ps() const;
  sc_core::sc_event interrupted{"interrupted"};

 private:
  void msi(std::uint64_t address, std::uint16_t data) override;
  void pin_method();
  void access(tlm::tlm_command command, std::uint64_t address, void* data, std::uint32_t bytes);
  std::uint32_t config_of(std::uint32_t capability);

  tlm_utils::simple_initiator_socket<Machine> core_{"core"};
};

}  // namespace longhaul::nic_twin
