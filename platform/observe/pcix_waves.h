// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/pcix/pcix_bus.h"
#include "models/pcix/pins.h"
#include "platform/observe/wave_file.h"

namespace longhaul::observe {

/// Traces a PCI-X bus at signal level. Each tenure of the bus becomes its clocks, with REQ#, GNT#,
/// parity, and rows of text that describe it. The bus has no event per clock. Only tenures that
/// begin in the recorded time are traced.
class PcixWaves final : public pcix::BusListener, public WaveSource {
 public:
  /// `slots` has the device's name for each slot, "" for an empty one. Bus and file must outlive
  /// this object.
  PcixWaves(const WaveScope& scope, pcix::PcixBus& bus, const std::vector<std::string>& slots);
  PcixWaves(const PcixWaves&) = delete;
  PcixWaves& operator=(const PcixWaves&) = delete;

  void on_tenure(const pcix::TenureRecord& tenure) override;
  void waves_begin() override;  ///< sets all signals undriven and deasserted
  std::uint64_t waves_horizon_ps() override;
  void waves_end() override;

 private:
  static constexpr std::uint64_t kNever = ~0ULL;
  static constexpr std::uint32_t kNobody = ~0U;
  struct Master {
    std::string name;
    Wave req;
    Wave gnt;
    std::uint64_t release_ps = kNever;  // REQ# falls then, unless the master has kept it
  };
  struct Bit {
    Wave wave;
    bool value = false;
    bool known = false;
  };

  void bit(Bit& bit, std::uint64_t ps, bool asserted);
  void level(const Wave& wave, std::uint64_t ps, bool asserted);
  /// Deasserts a REQ# whose tenure never came.
  void settle();
  void trace_request_and_grant(const pcix::TenureRecord& tenure);
  void trace_clock(const pcix::Pins& pins, std::uint64_t ps);
  std::string describe(const pcix::TenureRecord& tenure) const;
  std::string who(std::uint32_t agent) const;
  std::uint64_t period_ps() const { return bus_.timing().period_ps(); }

  WaveFile& file_;
  pcix::PcixBus& bus_;
  std::vector<Master> masters_;  // 0: the bridge; n + 1: slot n
  Wave transaction_;
  Wave phase_;
  Wave ad_;
  Wave cbe_;
  Bit frame_, irdy_, devsel_, trdy_, stop_, req64_, ack64_, par_, par64_;
  std::vector<pcix::Pins> clocks_;
  pcix::Pins before_;  // AD and C/BE# of the clock before, which PAR covers
  std::uint64_t last_start_ps_ = 0;
  std::uint64_t last_free_ps_ = 0;
  std::uint32_t granted_ = kNobody;  // master with GNT#
};

}  // namespace longhaul::observe
