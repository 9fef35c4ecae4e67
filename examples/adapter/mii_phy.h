// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/nic/blocks/delay_timer.h"
#include "models/nic/blocks/link_partner.h"

namespace tc9021 {

/// The physical coding sublayer of 1000BASE-X (IEEE 802.3, clauses 36 and 37) behind a management
/// interface that the driver works bit by bit (22.2.4.5).
///
/// It answers at port address kAddress. A frame begins behind 32 ones; a bit is taken, or the next
/// one driven, at a rising edge of the clock.
class MiiPhy final : public sc_core::sc_module {
 public:
  static constexpr std::uint32_t kAddress = 1;

  /// `negotiation` is the time from the signal, or a restart, to the link. `changed`: up() may have
  /// changed.
  MiiPhy(const sc_core::sc_module_name& name, const sc_core::sc_time& negotiation,
         longhaul::nic::LinkPartner partner, std::function<void()> changed);

  /// The lines of the management interface; `from_mac`: the MAC drives the data line.
  void drive(bool clock, bool data, bool from_mac);
  /// The data line while the MAC does not drive it.
  bool data_out() const { return out_; }
  /// Light came or went.
  void set_signal(bool signal);
  bool up() const;

 private:
  enum class Phase { kPreamble, kCommand, kWriting, kReading };

  void take_bit(bool data);
  void next_bit();
  std::uint16_t read(std::uint32_t number);
  void write(std::uint32_t number, std::uint16_t value);
  std::uint16_t status();
  std::uint16_t partner_abilities() const;
  bool negotiates() const;
  void restart();

  // Management frames.
  bool clock_ = false;
  bool out_ = true;
  Phase phase_ = Phase::kPreamble;
  std::uint32_t ones_ = 0;
  std::uint32_t bits_ = 0;  // taken or left of the phase
  std::uint32_t shift_ = 0;
  std::uint32_t register_ = 0;

  // The sublayer.
  const longhaul::nic::LinkPartner partner_;
  std::function<void()> changed_;
  longhaul::nic::DelayTimer timer_;
  std::uint16_t control_;
  std::uint16_t advertised_;
  const sc_core::sc_time negotiation_;
  bool signal_ = false;
  bool complete_ = false;
  bool was_down_ = true;  // since the status was read
};

}  // namespace tc9021
