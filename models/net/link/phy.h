// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/common/units.h"
#include "models/net/link/octet_clock.h"

namespace longhaul {

/// A kind of Ethernet physical layer, reduced to the properties that set the pace of frames.
struct Phy {
  const char* name;
  BitRate line_rate;          ///< symbols per second on the fibre
  std::uint32_t payload_num;  ///< MAC bits ...
  std::uint32_t payload_den;  ///< ... per line bits: line coding, and SONET overhead on the WAN PHY
  BitRate mac_rate;           ///< rate of the MAC's interface; the unit of pause quanta follows
                              ///< from it
  std::uint32_t stretch_bits;  ///< ifsStretchRatio: bits sent per octet of gap that the MAC adds; 0
                               ///< without rate control
  const char* source;

  /// The time of an octet at a clock that is fast by `ppb` parts in 10^9.
  constexpr OctetTime octet(std::int64_t ppb = 0) const {
    return OctetTime::of(line_rate.bits_per_s,
                         payload_num * static_cast<std::uint64_t>(kBillion + ppb),
                         payload_den * std::uint64_t{kBillion});
  }
  static constexpr std::int64_t kBillion = 1'000'000'000;
};

/// The PHY called `name` ("10gbase-r", "10gbase-w", "1000base-x", "1000base-t", "100base-tx").
/// Throws ConfigError whose message starts with `where` if there is none.
const Phy& phy_named(const std::string& name, const std::string& where);

}  // namespace longhaul
