// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tuple>

#include "models/common/param.h"

namespace longhaul {

/// The treatment of frames that arrive at one side of a DelayBox. The parameters' names end in that
/// side.
struct DelayPathParams {
  explicit DelayPathParams(bool west);

  /// From a frame's last bit in to its preamble out.
  Param<sc_core::sc_time> delay;
  Param<Probability> loss;            ///< per frame
  Param<Probability> bit_error_rate;  ///< per bit of frame and FCS
  Param<Probability> reorder;         ///< per frame: delayed by reorder_delay more
  Param<sc_core::sc_time> reorder_delay;
  Param<Probability> duplicate;  ///< per frame: sent twice
  Param<BitRate> rate;           ///< 0: the line's rate
  Param<std::string> rate_mode;  ///< "shape" (queue) or "police" (drop)
  Param<Bytes> rate_burst;
  Param<Bytes> rate_queue;

  auto fields() {
    return std::tie(delay, loss, bit_error_rate, reorder, reorder_delay, duplicate, rate, rate_mode,
                    rate_burst, rate_queue);
  }
};

/// Numbers of a DelayBox.
struct DelayBoxParams {
  DelayPathParams west{true};  ///< frames that arrive at the west port
  DelayPathParams east{false};
  Param<std::uint64_t> seed{"seed",
                            1,
                            "seed of the random streams",
                            {Evidence::kChosen, "models/wan/delay_box/README.md#models"}};
  /// Frame memory of each direction, in octets of frames with FCS.
  Param<Bytes> memory{
      "memory",
      {1'000'000'000},
      "frame memory of each direction, octets of frames with FCS",
      {Evidence::kFitted, "Nakamura et al. 2005: full line rate at 800 ms: 10 Gb/s x 800 ms"}};
  /// Treatment of frames with a wrong FCS: "drop" or "pass".
  Param<std::string> bad_fcs{"bad_fcs",
                             "drop",
                             "what happens to frames that arrive with a wrong FCS",
                             {Evidence::kAssumed, "models/wan/delay_box/README.md#open-numbers"},
                             {"drop", "pass"}};
  /// Treatment of PAUSE frames: "drop" (without effect), "honour" (they hold that port's output) or
  /// "pass".
  Param<std::string> pause{
      "pause",
      "drop",
      "what PAUSE frames that arrive do: end here, hold the port's output, or pass",
      {Evidence::kAssumed, "models/wan/delay_box/README.md#open-numbers"},
      {"drop", "honour", "pass"}};

  auto fields() {
    return std::tuple_cat(west.fields(), east.fields(), std::tie(seed, memory, bad_fcs, pause));
  }
};

/// Reads a configuration. `seed` is the box's own seed, unless the configuration gives one. Throws
/// ConfigError whose message starts with `where`.
DelayBoxParams delay_box_params_from(const nlohmann::json& json, const std::string& where,
                                     std::uint64_t seed);

}  // namespace longhaul
