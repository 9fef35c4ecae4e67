// SPDX-License-Identifier: Apache-2.0
#include "models/wan/delay_box/delay_box_params.h"

#include "models/common/param_json.h"

namespace longhaul {
namespace {

constexpr Source kUser{Evidence::kChosen, "models/wan/delay_box/README.md#models"};
constexpr Range<Probability> kShare{{0.0}, {1.0}};
const Range<sc_core::sc_time> kDelays{sc_core::SC_ZERO_TIME, sc_core::sc_time(800, sc_core::SC_MS)};

}  // namespace

DelayPathParams::DelayPathParams(bool west)
    : delay{west ? "delay_west" : "delay_east",
            sc_core::SC_ZERO_TIME,
            "from a frame's last bit in at this port to its preamble out at the other",
            {Evidence::kChosen, "Nakamura et al. 2005: up to 800 ms each way"},
            kDelays},
      loss{west ? "loss_west" : "loss_east", {0}, "share of frames that are lost", kUser, kShare},
      bit_error_rate{west ? "bit_error_rate_west" : "bit_error_rate_east",
                     {0},
                     "share of bits that are flipped, in frame and FCS",
                     kUser,
                     kShare},
      reorder{west ? "reorder_west" : "reorder_east",
              {0},
              "share of frames that are held back by reorder_delay",
              kUser,
              kShare},
      reorder_delay{west ? "reorder_delay_west" : "reorder_delay_east",
                    sc_core::sc_time(100, sc_core::SC_US), "how long such a frame is held back",
                    kUser, kDelays},
      duplicate{west ? "duplicate_west" : "duplicate_east",
                {0},
                "share of frames that are sent twice",
                kUser,
                kShare},
      rate{
          west ? "rate_west" : "rate_east", {0}, "rate of a bottleneck; 0b/s is the line's", kUser},
      rate_mode{west ? "rate_mode_west" : "rate_mode_east",
                "shape",
                "what a bottleneck does to frames beyond its rate: queue or drop",
                kUser,
                {"shape", "police"}},
      rate_burst{west ? "rate_burst_west" : "rate_burst_east",
                 {0},
                 "bytes that an idle bottleneck lets pass at the line's rate",
                 kUser},
      rate_queue{west ? "rate_queue_west" : "rate_queue_east", units::MiB(1),
                 "bytes that wait at a bottleneck before frames are dropped", kUser} {}

DelayBoxParams delay_box_params_from(const nlohmann::json& json, const std::string& where,
                                     std::uint64_t seed) {
  DelayBoxParams params;
  params.seed.value = seed;
  configure(params, json, where);
  return params;
}

}  // namespace longhaul
