// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "models/nic/adapter_module.h"
#include "models/nic/intel/engine_speed.h"
#include "models/nic/intel/kinds.h"

namespace longhaul::nic::intel {

/// The common part of adapters with Intel's controllers, beside their units (TxUnit, RxUnit).
template <class Params, class Tx, class Rx>
class IntelAdapter : public AdapterModule<Params, Tx, Rx> {
 public:
  std::vector<std::string> changeable() const override { return speed_names(this->params_); }

 protected:
  IntelAdapter(const sc_core::sc_module_name& name, std::uint32_t memory_bytes,
               const pcix::ConfigIdentity& identity, const Params& params)
      : AdapterModule<Params, Tx, Rx>(name, memory_bytes, identity, params),
        bus_status_(kind_named(kBuses, params.bus(), std::string(this->name()) + ".bus").status) {}

  const std::uint32_t bus_status_;  // bits of STATUS that depend on the slot

 private:
  void params_changed() override {
    this->tx().set_speed(tx_speed(this->params_));
    this->rx().set_speed(rx_speed(this->params_));
  }
};

}  // namespace longhaul::nic::intel
