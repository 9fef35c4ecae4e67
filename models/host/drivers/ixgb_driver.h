// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/drivers/intel_driver.h"

namespace longhaul::host {

/// The driver of an Intel 82597EX (models/nic/ixgb), like Linux's ixgb of 2003 to 2006.
class IxgbDriver final : public IntelDriver {
 public:
  IxgbDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
             const IxgbDriverParams& params);
  nlohmann::json describe_params() const override;

 private:
  void reset_adapter() override;
  void start_adapter() override;
  bool find_link() override;
  TxFormat tx_format() const override;
  RxFormat rx_format() const override;

  void set_flow_control();
  void start_tx();
  void start_rx();
  std::uint32_t adapter_buffer() const;  ///< size by RCTL.BSIZE

  const IxgbDriverParams params_;
};

}  // namespace longhaul::host
