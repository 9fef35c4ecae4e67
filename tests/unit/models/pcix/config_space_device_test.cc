// SPDX-License-Identifier: Apache-2.0
// Registers of a device's own in configuration space, and who hears of writes.
#include <gtest/gtest.h>

#include <stdexcept>

#include "models/pcix/config_space.h"

namespace longhaul::pcix {
namespace {

constexpr ConfigIdentity kDevice{0x8086, 0x1a48, 0x02, 0x020000,  0x8086,
                                 0xa01f, 0xe4,   0xf0, 128U << 10};

TEST(ConfigSpaceDevice, ARegisterOfTheDevicesOwnHasItsWritableBits) {
  ConfigSpace config(kDevice);
  config.set_device_register(0x40, 0x0080'0000, 0x0000'3800);
  EXPECT_EQ(config.read(0x40, 4), 0x0080'0000U);
  config.write(0x40, 4, 0xffff'ffff);
  EXPECT_EQ(config.read(0x40, 4), 0x0080'3800U);
  EXPECT_THROW(config.set_device_register(0x3c, 0, 0), std::logic_error);
}

TEST(ConfigSpaceDevice, ACauseOfTheDevicesOwnIsClearedByOnes) {
  ConfigSpace config(kDevice);
  config.set_device_register(0x48, 0, 0, 0xff);
  config.note_device(0x48, 0x0c);
  config.write(0x48, 1, 0x04);
  EXPECT_EQ(config.read(0x48, 4), 0x08U);
}

TEST(ConfigSpaceDevice, WhoListensHearsOfWritesAndOfErrors) {
  ConfigSpace config(kDevice);
  std::uint32_t status_then = 0;
  config.set_listeners([&] { status_then = config.status_errors(); }, {});
  config.note_status(status::kReceivedTargetAbort);
  EXPECT_EQ(status_then, status::kReceivedTargetAbort);
  config.write(0x06, 2, status::kReceivedTargetAbort);
  EXPECT_EQ(status_then, 0U);
}

}  // namespace
}  // namespace longhaul::pcix
