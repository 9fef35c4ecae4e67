// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "models/common/param.h"

namespace longhaul::wan {

/// The treatment of frames that arrive at one port of GNET-1. The parameters' names end in the
/// port: `delay_p0`.
struct Gnet1PortParams {
  explicit Gnet1PortParams(std::size_t port);

  Param<sc_core::sc_time> delay;      ///< the register rounds up to 4 ns, the release to 32 ns
  Param<Probability> bit_error_rate;  ///< per bit; at most one error in a word of 32 bits
  Param<BitRate> rate;                ///< of a bottleneck before the line; 0: none
  Param<Bytes> frame_overhead;        ///< cost of each frame at the bottleneck beside its own bytes
  Param<sc_core::sc_time> burst;      ///< time that an idle bottleneck saves up
  Param<sc_core::sc_time> queue_limit;  ///< queueing time from which tail drop sets in; 0: 3.36 s
  Param<sc_core::sc_time> red_min;      ///< average queueing time from which RED drops
  Param<sc_core::sc_time> red_max;      ///< average queueing time from which RED drops all; 0: RED
                                        ///< is off
  Param<Probability> red_probability;   ///< as the average reaches red_max
  Param<std::uint32_t> red_weight;      ///< the average moves 2^-w of the way at each frame
  Param<bool> atm;  ///< the bottleneck sends cells of 53 bytes, 48 of them payload
  Param<std::uint32_t> inter_frame_gap;  ///< bytes, for frames that leave at this port
  /// Offset of the clock of the device at this port from the box's 125 MHz (RTL only).
  Param<double> partner_ppm;

  auto fields() {
    return std::tie(delay, bit_error_rate, rate, frame_overhead, burst, queue_limit, red_min,
                    red_max, red_probability, red_weight, atm, inter_frame_gap, partner_ppm);
  }
};

/// Numbers of a GNET-1, for the RTL and its twin. A number that a register holds becomes a write at
/// reset.
struct Gnet1Params {
  std::array<Gnet1PortParams, 4> ports{Gnet1PortParams(0), Gnet1PortParams(1), Gnet1PortParams(2),
                                       Gnet1PortParams(3)};
  Param<std::uint64_t> seed{"seed",
                            1,
                            "seed of the random streams",
                            {Evidence::kChosen, "models/wan/gnet1/README.md#models"}};
  /// Words of 36 bits of each port's memory. Fewer than 4096 count as 4096.
  Param<std::uint32_t> memory_words{
      "memory_words",
      4U << 20,
      "words of 36 bits of each port's memory; fewer than 4096 count as 4096",
      {Evidence::kMeasured, "Kodama et al. 2003, section 2: 36 bit x 4 M words a port"},
      Range<std::uint32_t>{1, 4U << 20}};
  Param<bool> switch_mode{"switch_mode",
                          false,
                          "forwards by addresses between all ports, not in pairs",
                          {Evidence::kChosen, "models/wan/gnet1/README.md#models"}};
  /// Offset of the box's oscillator from nominal (RTL only).
  Param<double> clock_ppm{"clock_ppm",
                          0.0,
                          "offset of the box's oscillator, ppm (RTL only)",
                          {Evidence::kStandard, "IEEE 802.3 clause 36: 125 MHz within 100 ppm"},
                          Range<double>{-100, 100}};

  auto fields() {
    return std::tuple_cat(ports[0].fields(), ports[1].fields(), ports[2].fields(),
                          ports[3].fields(), std::tie(seed, memory_words, switch_mode, clock_ppm));
  }
};

/// Reads a configuration. `seed` is the box's own seed, unless the configuration gives one. Throws
/// ConfigError whose message starts with `where`.
Gnet1Params gnet1_params_from(const nlohmann::json& json, const std::string& where,
                              std::uint64_t seed);

/// A write on the register bus.
struct Gnet1Write {
  std::uint32_t offset;
  std::uint32_t value;
};

/// The writes, in order, that bring a box from its reset to `params`. Throws ConfigError whose
/// message starts with `where` for a value that no register can hold (a rate too low).
std::vector<Gnet1Write> gnet1_reset_writes(const Gnet1Params& params, const std::string& where);

}  // namespace longhaul::wan
