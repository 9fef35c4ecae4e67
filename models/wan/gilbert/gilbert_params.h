// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <tuple>

#include "models/common/param.h"

namespace longhaul::wan::gilbert {

/// The channel for frames from one side. The parameters' names end in that side.
struct GilbertPathParams {
  explicit GilbertPathParams(bool west)
      : delay{west ? "delay_west" : "delay_east",
              {},
              "from a frame's last bit in to its preamble out",
              {Evidence::kChosen, "models/wan/gilbert/README.md#models"},
              Range<sc_core::sc_time>{{}, {800, sc_core::SC_MS}}},
        to_bad{west ? "to_bad_west" : "to_bad_east",
               {0},
               "probability at each frame that a good channel turns bad",
               {Evidence::kChosen, "models/wan/gilbert/README.md#models"},
               Range<Probability>{{0}, {1}}},
        to_good{west ? "to_good_west" : "to_good_east",
                {1},
                "probability at each frame that a bad channel turns good",
                {Evidence::kChosen, "models/wan/gilbert/README.md#models"},
                Range<Probability>{{0}, {1}}},
        loss_in_good{west ? "loss_in_good_west" : "loss_in_good_east",
                     {0},
                     "probability that a good channel loses a frame",
                     {Evidence::kChosen, "Gilbert 1960: a good channel is free of errors"},
                     Range<Probability>{{0}, {1}}},
        loss_in_bad{west ? "loss_in_bad_west" : "loss_in_bad_east",
                    {1},
                    "probability that a bad channel loses a frame",
                    {Evidence::kChosen, "models/wan/gilbert/README.md#models"},
                    Range<Probability>{{0}, {1}}} {}

  Param<sc_core::sc_time> delay;
  Param<Probability> to_bad;
  Param<Probability> to_good;
  Param<Probability> loss_in_good;
  Param<Probability> loss_in_bad;

  auto fields() { return std::tie(delay, to_bad, to_good, loss_in_good, loss_in_bad); }
};

/// Numbers of a GilbertBox.
struct GilbertParams {
  GilbertPathParams west{true};  ///< frames that arrive at the west port
  GilbertPathParams east{false};
  Param<std::uint64_t> seed{"seed",
                            1,
                            "seed of the random streams",
                            {Evidence::kChosen, "models/wan/gilbert/README.md#models"}};
  auto fields() { return std::tuple_cat(west.fields(), east.fields(), std::tie(seed)); }
};

}  // namespace longhaul::wan::gilbert
