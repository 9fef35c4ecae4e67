// SPDX-License-Identifier: Apache-2.0
// Settings with which a stack would stand still.
#include "models/host/net/net_params.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "models/common/param_json.h"

namespace longhaul::host {
namespace {

std::string net_refusal(const nlohmann::json& json) {
  NetParams params;
  try {
    configure(params, json, "host.net");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(NetParams, QueuesBudgetsAndBuffersOfNothingAreRefused) {
  EXPECT_EQ(net_refusal({{"qdisc_packets", 0}}),
            "host.net.qdisc_packets: 0 is out of range, wants 1 to 4294967295");
  EXPECT_EQ(net_refusal({{"napi_budget", 0}}),
            "host.net.napi_budget: 0 is out of range, wants 1 to 65535");
  EXPECT_EQ(net_refusal({{"napi_weight", 0}}),
            "host.net.napi_weight: 0 is out of range, wants 1 to 65535");
  EXPECT_EQ(net_refusal({{"send_buffer", "0B"}}),
            "host.net.send_buffer: \"0B\" is out of range, wants \"1B\" to \"1024GiB\"");
  EXPECT_EQ(
      net_refusal(
          {{"qdisc_packets", 1}, {"napi_budget", 1}, {"napi_weight", 1}, {"send_buffer", "1B"}}),
      "");
}

TEST(NetParams, AWindowScaleThatShiftsEverythingAwayIsRefused) {
  EXPECT_EQ(net_refusal({{"adv_win_scale", 64}}),
            "host.net.adv_win_scale: 64 is out of range, wants 0 to 31");
  EXPECT_EQ(net_refusal({{"adv_win_scale", 31}}), "");
}

}  // namespace
}  // namespace longhaul::host
