// SPDX-License-Identifier: Apache-2.0
// Settings with which a driver would not run: refused, up to the last value that runs.
#include "models/host/drivers/driver_params.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "models/common/param.h"

namespace longhaul::host {
namespace {

template <class Params>
std::string refusal_by(Params (*make)(const nlohmann::json&, const std::string&),
                       const nlohmann::json& json) {
  try {
    make(json, "host.eth0");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(DriverParams, AThrottleThatTheAdapterCannotCountToIsRefused) {
  for (const std::uint32_t rate : {2U, 59U}) {
    EXPECT_EQ(refusal_by(e1000_driver_params, {{"throttle", rate}}),
              "host.eth0.throttle: " + std::to_string(rate) +
                  " interrupts/s are fewer than the 60 that the adapter can count to; 0 is no "
                  "limit, 1 by the traffic");
  }
  for (const std::uint32_t rate : {0U, 1U, 60U}) {
    EXPECT_EQ(refusal_by(e1000_driver_params, {{"throttle", rate}}), "");
  }
}

TEST(DriverParams, AReceiveTailThatWouldNeverMoveIsRefused) {
  EXPECT_EQ(refusal_by(e1000_driver_params, {{"rx_tail_every", 256}}),
            "host.eth0.rx_tail_every: 256 is more than 256 descriptors less 0 spare ones and one "
            "let go on");
  EXPECT_EQ(refusal_by(e1000_driver_params, {{"rx_tail_every", 128}}), "");
  const auto ixgb = [](std::uint32_t spare) {
    return refusal_by(ixgb_driver_params,
                      {{"rx_descriptors", 64}, {"rx_spare", spare}, {"rx_tail_every", 32}});
  };
  EXPECT_EQ(ixgb(32),
            "host.eth0.rx_tail_every: 32 is more than 64 descriptors less 32 spare ones and one "
            "let go on");
  EXPECT_EQ(ixgb(31), "");
}

TEST(DriverParams, AWakeThatTheSendingRingCannotReachIsRefused) {
  EXPECT_EQ(refusal_by(e1000_driver_params, {{"tx_wake", 256}}),
            "host.eth0.tx_wake: of 256 descriptors more than 256 are never free");
  EXPECT_EQ(refusal_by(ixgb_driver_params, {{"tx_descriptors", 64}, {"tx_wake", 63}}),
            "host.eth0.tx_wake: of 64 descriptors more than 63 are never free");
  EXPECT_EQ(refusal_by(ixgb_driver_params, {{"tx_descriptors", 64}, {"tx_wake", 62}}), "");
}

}  // namespace
}  // namespace longhaul::host
