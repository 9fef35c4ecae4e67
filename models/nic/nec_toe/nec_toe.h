// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/net/frame/ethernet_header.h"
#include "models/nic/adapter_module.h"
#include "models/nic/nec_toe/gigabit_line.h"
#include "models/nic/nec_toe/params.h"
#include "models/nic/terminator/core.h"

namespace longhaul::nic::nec_toe {

inline constexpr std::uint16_t kVendorNec = 0x1033;

/// An adapter with one of NEC-TOE's two offload engines: a function of the PCI bus, 4 KB of
/// registers in BAR 0, INTA#, and a gigabit port.
///
/// Its interface to the host is that of the Terminator: neither adapter's own is public. See
/// README.md for what is known of the engines and what is assumed.
class NecToe final : public AdapterModule<NecToeParams, terminator::SgeTx, terminator::SgeRx> {
 public:
  /// `device_id` is the engine's (nec_toe_type.cc). `index` numbers the adapters of a simulation
  /// from 0 and gives the default MAC address.
  NecToe(const sc_core::sc_module_name& name, const NecToeParams& params, std::uint16_t device_id,
         unsigned index);

  void append_rings(std::vector<std::pair<std::uint64_t, std::uint64_t>>& rings) const override {
    core_.append_rings(rings);
  }
  std::vector<std::string> changeable() const override { return {}; }
  const MacAddress& mac_address() const { return address_; }
  terminator::TpPath& path() { return core_.path(); }
  GigabitLine& line() { return line_; }

 private:
  void reset();

  const MacAddress address_;
  terminator::Core core_;
  GigabitLine line_;
};

}  // namespace longhaul::nic::nec_toe
