// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/cosim/bus/register_manager.h"

namespace longhaul::cosim {

/// The register bus of this tree's RTL (register_bus.h), of 8 to 64 bits: select with address,
/// direction and data, held until acknowledge. Byte enables and an error with the acknowledge are
/// optional.
struct PlainBusPins {
  Pin select, write, address, write_data, read_data, acknowledge, byte_enable, error;
  ResetPin reset;
};

inline constexpr Rule kPlainAcknowledge{
    "plain.acknowledge", "Longhaul",
    "Acknowledge is high only while select is, but for the clock after it."};

/// A register manager for that bus. The select falls for a clock between accesses. The rule
/// kPlainAcknowledge is checked if there is a sink.
class PlainBusManager final : public RegisterManager {
 public:
  /// `sink` may be nullptr. Throws std::invalid_argument for another data width.
  PlainBusManager(RtlBlock& block, ClockDomain& clock, const PlainBusPins& pins,
                  RegisterClient& client, const RegisterManagerParams& params, CheckerSink* sink);

  void sample() override {
    reset_ = pins_.reset.active();
    acknowledged_ = pins_.acknowledge.high();
    error_ = acknowledged_ && pins_.error.high();
    if (acknowledged_) read_data_ = pins_.read_data.get();
  }
  void clocked(std::uint64_t edge_ps) override;

 private:
  PlainBusPins pins_;
  bool reset_ = false;
  bool acknowledged_ = false;
  bool error_ = false;
  bool gap_ = false;  // the select was low at this edge after an access
  std::uint64_t read_data_ = 0;
};

}  // namespace longhaul::cosim
