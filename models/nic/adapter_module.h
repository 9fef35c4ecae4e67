// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/common/param_json.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/adapter.h"
#include "models/pcix/pcix_device.h"

namespace longhaul::nic {

/// An adapter that is one function of the bus with one MAC. Implements the members that are the
/// same in all such adapters.
///
/// `Params` has `dma`, `target` and `mac_unit`; `Tx` and `Rx` have `taps` and `ring_memory()`. The
/// constructor of a derived class must end with set_units().
template <class Params, class Tx, class Rx>
class AdapterModule : public pcix::PcixDevice, public Adapter {
 public:
  pcix::PcixDevice* function() override { return this; }
  EthPort& port() override { return mac_.port; }
  observe::FrameTap& received_frames() override { return rx_unit_->taps; }
  observe::FrameTap& sent_frames() override { return tx_unit_->taps; }
  void append_rings(std::vector<std::pair<std::uint64_t, std::uint64_t>>& rings) const override {
    rings.push_back(rx_unit_->ring_memory());
    rings.push_back(tx_unit_->ring_memory());
  }
  nlohmann::json describe_params() const override { return describe(params_); }
  void change(const std::string& name, const nlohmann::json& value,
              const std::string& where) override {
    configure(params_, nlohmann::json{{name, value}}, where);
    params_changed();
  }
  const Params& params() const { return params_; }
  const EthMac& mac() const { return mac_; }
  Tx& tx() { return *tx_unit_; }
  Rx& rx() { return *rx_unit_; }

 protected:
  AdapterModule(const sc_core::sc_module_name& name, std::uint32_t memory_bytes,
                const pcix::ConfigIdentity& identity, const Params& params)
      : PcixDevice(name, memory_bytes, identity, params.dma, params.target),
        params_(params),
        mac_("mac", params.mac_unit) {}
  void set_units(Tx& tx, Rx& rx) {
    tx_unit_ = &tx;
    rx_unit_ = &rx;
  }
  /// Called after change() has set a parameter, for units that keep a copy of it.
  virtual void params_changed() {}

  Params params_;
  EthMac mac_;

 private:
  Tx* tx_unit_ = nullptr;
  Rx* rx_unit_ = nullptr;
};

}  // namespace longhaul::nic
