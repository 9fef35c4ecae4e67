// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <tuple>

#include "models/common/param.h"

namespace longhaul::wan::frame_injector {

inline constexpr Source kUser{Evidence::kChosen, "models/wan/frame_injector/README.md#models"};

/// Numbers of a FrameInjectorBox.
struct FrameInjectorParams {
  Param<std::string> frames{"frames", "all",
                            "kinds of odd frames: all, or names with commas between", kUser};
  Param<std::string> towards{
      "towards", "west", "which way odd frames go", kUser, {"west", "east", "both"}};
  Param<std::string> wait_for{"wait_for",
                              "station",
                              "whether the first odd frame waits for a frame of the station",
                              kUser,
                              {"station", "nothing"}};
  Param<sc_core::sc_time> begin{
      "begin", {}, "simulated time before which no odd frame is sent", kUser};
  Param<sc_core::sc_time> gap{"gap",
                              {100, sc_core::SC_US},
                              "least time between the end of an odd frame and the next one",
                              kUser};
  Param<std::uint64_t> rounds{"rounds", 1, "how often all odd frames are sent; 0 is without end",
                              kUser};
  Param<std::string> order{
      "order", "listed", "order of the odd frames of a round", kUser, {"listed", "shuffled"}};
  Param<std::uint32_t> burst{"burst", 32, "frames of a smallest_burst", kUser,
                             Range<std::uint32_t>{1, 100'000}};
  Param<sc_core::sc_time> cut_every{
      "cut_every", {}, "from one cut of the cable to the next; 0 is no cut", kUser};
  Param<sc_core::sc_time> cut_for{"cut_for", {}, "how long the cable is dark at each cut", kUser};
  Param<std::uint64_t> seed{"seed", 1, "seed of the random streams", kUser};

  auto fields() {
    return std::tie(frames, towards, wait_for, begin, gap, rounds, order, burst, cut_every, cut_for,
                    seed);
  }
};

/// Reads a configuration. `seed` is the box's own seed, unless the configuration gives one. Throws
/// ConfigError whose message starts with `where`, also for values that exclude each other.
FrameInjectorParams frame_injector_params_from(const nlohmann::json& json, const std::string& where,
                                               std::uint64_t seed);

}  // namespace longhaul::wan::frame_injector
