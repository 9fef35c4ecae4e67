// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <tuple>

#include "models/common/param.h"
#include "models/net/eth.h"
#include "models/net/link/link_direction.h"
#include "models/net/link/phy.h"

namespace longhaul {

/// Numbers of a link, each with its evidence.
struct LinkParams {
  Param<std::string> phy{"phy",
                         "10gbase-r",
                         "PHY at both ends, which gives the rate",
                         {Evidence::kChosen, "models/net/link/README.md#timing"}};
  Param<std::uint32_t> length_m{"length_m",
                                10,
                                "length of the cable, metres",
                                {Evidence::kChosen, "models/net/link/README.md#timing"},
                                Range<std::uint32_t>{0, 40'000'000}};
  Param<sc_core::sc_time> delay_per_m{
      "delay_per_m",
      sc_core::sc_time(5, sc_core::SC_NS),
      "propagation delay of a metre",
      {Evidence::kAssumed, "models/net/link/README.md#open-numbers"}};
  /// One way. If not zero, replaces length_m * delay_per_m.
  Param<sc_core::sc_time> propagation{
      "propagation",
      sc_core::SC_ZERO_TIME,
      "propagation delay one way; if not 0, in the place of length times delay",
      {Evidence::kChosen, "models/net/link/README.md#timing"}};
  /// How much the clock of the device at each end is fast; its frames are faster by that share.
  Param<double> a_ppm{"a_ppm",
                      0.0,
                      "how much faster the device at end a sends, ppm",
                      {Evidence::kChosen, "models/net/link/README.md#timing"},
                      Range<double>{-100, 100}};
  Param<double> b_ppm{"b_ppm",
                      0.0,
                      "how much faster the device at end b sends, ppm",
                      {Evidence::kChosen, "models/net/link/README.md#timing"},
                      Range<double>{-100, 100}};
  auto fields() { return std::tie(phy, length_m, delay_per_m, propagation, a_ppm, b_ppm); }
};

/// A duplex Ethernet link between two ports: full duplex, point to point, by IEEE 802.3.
///
/// A frame occupies its direction for preamble (8 octets), frame, FCS and inter-packet gap (12) at
/// the PHY's exact rate. It is delivered when its last bit arrives. Errors: ConfigError for an
/// unknown PHY or a port that already has a link.
class Link final : public sc_core::sc_module {
 public:
  Link(const sc_core::sc_module_name& name, LinkParams params = {});

  LinkDirection a_to_b;
  LinkDirection b_to_a;

  /// Joins two ports. Called once, before the simulation starts. Throws ConfigError if the link is
  /// in use, a port already has a link, or both ports are the same.
  void connect(EthPort& a, EthPort& b);

  /// Cuts or mends the fibre. A cut loses the frames on the fibre, and both ends lose the light
  /// now. After a mend the light takes the propagation delay to arrive.
  void set_up(bool up);
  bool up() const { return up_; }

  const Phy& phy() const { return phy_; }
  sc_core::sc_time propagation() const { return from_ps(propagation_ps_); }
  const LinkParams& params() const { return params_; }

 private:
  const LinkParams params_;
  const Phy& phy_;
  const std::uint64_t propagation_ps_;
  bool up_ = true;
};

}  // namespace longhaul
