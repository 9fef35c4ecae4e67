// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/net/frame/ethernet_header.h"
#include "models/nic/adapter_module.h"
#include "models/nic/terminator/core.h"
#include "models/nic/terminator/mac_part.h"
#include "models/nic/terminator/memory_controller.h"
#include "models/nic/terminator/params.h"
#include "models/nic/terminator/plain_registers.h"
#include "models/nic/terminator/regs.h"
#include "models/nic/terminator/tcam.h"

namespace longhaul::nic::terminator {

/// A Chelsio N110 or T110: a Terminator 1 (T1B) with a PM3393 and a PHY, for the unmodified Linux
/// cxgb driver.
///
/// A PCI-X function with 4 KB of registers in BAR 0, power management, VPD, MSI, INTA# and one
/// Ethernet port. See README.md for registers, timing and what is not modelled.
class Terminator final : public AdapterModule<TerminatorParams, SgeTx, SgeRx> {
 public:
  /// `index` numbers the adapters of a simulation from 0 and gives the default MAC address. Throws
  /// ConfigError whose message starts with the module's name for parameters that cannot be built.
  Terminator(const sc_core::sc_module_name& name, const TerminatorParams& params, unsigned index);

  void append_rings(std::vector<std::pair<std::uint64_t, std::uint64_t>>& rings) const override;
  std::vector<std::string> changeable() const override;
  const MacAddress& mac_address() const { return address_; }
  MacPart& line() { return line_; }
  TpPath& path() { return core_.path(); }
  ResponseQueue& responses() { return core_.responses(); }

  observe::Counter resets{"resets", "1", "resets of the chip by leaving D3hot"};

 private:
  sc_core::sc_time access_config(tlm::tlm_generic_payload& payload) override;
  void start_of_simulation() override;
  std::uint32_t bus_mode() const;
  std::uint32_t part_requests();
  void bus_error(pcix::DmaStatus status);
  void clear_bus_causes();
  void reset();

  const MacAddress address_;
  PlainRegisters plain_{bank()};

  Core core_;
  MemoryController mc3_;
  MemoryController mc4_;
  Tcam tcam_;
  MacPart line_;
};

/// Builds an adapter from JSON parameters (see params.h; null for all defaults). Throws like the
/// constructor.
std::unique_ptr<Terminator> make_terminator(const std::string& name, const nlohmann::json& params,
                                            unsigned index);

}  // namespace longhaul::nic::terminator
