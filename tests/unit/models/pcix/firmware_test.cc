// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/firmware.h"

#include <gtest/gtest.h>

namespace longhaul::pcix {
namespace {

ConfigIdentity identity(std::uint8_t pcix_capability) {
  return {0x8086, 0x1a48, 2, 0x020000, 0x8086, 0xa01f, pcix_capability, 0xf0, 0x20000};
}

TEST(Firmware, WritesReadByteCountSplitsAndLatencyTimer) {
  ConfigSpace config(identity(0xe4));
  FirmwareParams params;
  params.mmrbc.value = 2048;
  params.outstanding.value = 8;
  params.latency_timer.value = 0xf8;
  run_firmware(params, config, "sender.pcix");
  EXPECT_EQ(config.max_memory_read_bytes(), 2048U);
  EXPECT_EQ(config.max_outstanding_splits(), 8U);
  EXPECT_EQ(config.latency_timer(), 0xf8);
}

TEST(Firmware, DefaultsAreTheAdaptersPowerOnValues) {
  ConfigSpace config(identity(0xe4));
  run_firmware({}, config, "sender.pcix");
  EXPECT_EQ(config.max_memory_read_bytes(), 512U);
  EXPECT_EQ(config.max_outstanding_splits(), 3U);
  EXPECT_EQ(config.read(0xe6, 1) & 0x7cU, 0x20U);
}

TEST(Firmware, RefusesWhatTheFieldCannotHold) {
  ConfigSpace config(identity(0xe4));
  FirmwareParams params;
  params.outstanding.value = 5;
  try {
    run_firmware(params, config, "sender.pcix");
    FAIL() << "5 splits were accepted";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(
        error.what(),
        "sender.pcix.outstanding: 5 cannot be set, wants one of 1, 2, 3, 4, 8, 12, 16, 32");
  }
}

}  // namespace
}  // namespace longhaul::pcix
