// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/drivers/intel_driver.h"

namespace longhaul::host {

/// The driver of an Intel 82545 or 82546 (models/nic/e1000), like Linux's e1000 of 2002 to 2004 or
/// FreeBSD's em.
class E1000Driver final : public IntelDriver {
 public:
  /// `fiber` is the medium, which follows from the device's id.
  E1000Driver(const sc_core::sc_module_name& name, const DriverSetup& setup,
              const E1000DriverParams& params, bool fiber);
  nlohmann::json describe_params() const override;

 private:
  void reset_adapter() override;
  void start_adapter() override;
  bool find_link() override;
  void watch() override;
  TxFormat tx_format() const override;
  RxFormat rx_format() const override;

  void start_link();
  void start_fiber();
  void start_copper();
  void start_tx();
  void start_rx();
  void resolve_pause();
  void set_throttle(std::uint32_t interrupts_per_s);
  std::uint16_t phy_read(std::uint32_t number) const;
  void phy_write(std::uint32_t number, std::uint16_t value) const;
  std::uint32_t phy_access(std::uint32_t command) const;
  std::uint32_t buffer_bytes() const;
  std::uint32_t rx_memory_kib() const;  ///< KiB of the adapter's packet buffer for receive

  const E1000DriverParams params_;
  const bool fiber_;
  bool had_link_ = false;
  std::uint64_t watched_sent_ = 0;
  std::uint64_t watched_received_ = 0;
};

}  // namespace longhaul::host
