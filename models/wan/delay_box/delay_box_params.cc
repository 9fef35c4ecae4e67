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
            {Evidence::kChosen, "Nakamura et al. 2005: up to 800 ms each way"},
            kDelays},
      loss{west ? "loss_west" : "loss_east", {0}, kUser, kShare},
      bit_error_rate{west ? "bit_error_rate_west" : "bit_error_rate_east", {0}, kUser, kShare},
      reorder{west ? "reorder_west" : "reorder_east", {0}, kUser, kShare},
      reorder_delay{west ? "reorder_delay_west" : "reorder_delay_east",
                    sc_core::sc_time(100, sc_core::SC_US), kUser, kDelays},
      duplicate{west ? "duplicate_west" : "duplicate_east", {0}, kUser, kShare},
      rate{west ? "rate_west" : "rate_east", {0}, kUser},
      rate_mode{west ? "rate_mode_west" : "rate_mode_east", "shape", kUser},
      rate_burst{west ? "rate_burst_west" : "rate_burst_east", {0}, kUser},
      rate_queue{west ? "rate_queue_west" : "rate_queue_east", units::MiB(1), kUser} {}

DelayBoxParams delay_box_params_from(const nlohmann::json& json, const std::string& where,
                                     std::uint64_t seed) {
  DelayBoxParams params;
  params.seed.value = seed;
  configure(params, json, where);
  return params;
}

}  // namespace longhaul
