// SPDX-License-Identifier: Apache-2.0
#include "models/memory/backing_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "models/common/payload.h"
#include "models/memory/device_access.h"
#include "tests/unit/models/net/frame/packets.h"

namespace longhaul::memory {
namespace {

using testing::ByteVector;

struct BackingStoreTest : ::testing::Test {
  BackingStoreTest() { payload.set_extension(&access); }
  ~BackingStoreTest() override { payload.clear_extension(&access); }

  /// Reads as a device that takes elided payload; bytes that are not stored are 0xee.
  ByteVector read(std::uint64_t address, std::uint32_t bytes) {
    ByteVector data(bytes, 0xee);
    access = {};
    access.takes_blank = true;
    set_access(payload, tlm::TLM_READ_COMMAND, address, data.data(), bytes);
    store.move(payload);
    return data;
  }
  void write(std::uint64_t address, ByteVector data, std::uint32_t stored) {
    access = {};
    access.stored = stored;
    set_access(payload, tlm::TLM_WRITE_COMMAND, address, data.data(),
               static_cast<std::uint32_t>(data.size()));
    store.move(payload);
  }

  BackingStore store{units::KiB(64), "test"};
  DeviceAccess access;
  tlm::tlm_generic_payload payload;
};

TEST_F(BackingStoreTest, ReadsStoreWhatWasWrittenAndTellWhereZerosBegin) {
  *store.mapping().to_write(4096, 1) = 7;
  const ByteVector data = read(4000, 1000);
  EXPECT_EQ(access.stored, 160U);  // to the end of the line
  EXPECT_EQ(data[96], 7);
  EXPECT_EQ(data[159], 0);
  EXPECT_EQ(data[160], 0xee);
  read(8192, 1000);
  EXPECT_EQ(access.stored, 0U);
}

TEST_F(BackingStoreTest, WithoutAskingEverythingIsStored) {
  ByteVector data(512, 0xee);
  payload.clear_extension(&access);
  set_access(payload, tlm::TLM_READ_COMMAND, 0, data.data(), 512);
  store.move(payload);
  EXPECT_EQ(data, ByteVector(512, 0));
  payload.set_extension(&access);
}

TEST_F(BackingStoreTest, AfterDirectAccessTheBytesThemselvesAreLookedAt) {
  tlm::tlm_dmi dmi;
  set_access(payload, tlm::TLM_READ_COMMAND, 0, nullptr, 0);
  ASSERT_TRUE(store.direct(payload, dmi, sc_core::SC_ZERO_TIME));
  dmi.get_dmi_ptr()[700] = 3;
  EXPECT_EQ(read(600, 1000)[100], 3);
  EXPECT_EQ(access.stored, 1000U);
  read(2048, 1000);
  EXPECT_EQ(access.stored, 0U);
}

TEST_F(BackingStoreTest, RandomWritesWithZerosBehindReadAsTheyWereMeant) {
  std::mt19937 random(11);
  ByteVector plain(units::KiB(64).count);
  std::uint64_t blank = 0;
  for (int i = 0; i < 5'000; ++i) {
    const std::uint64_t address = random() % 60'000;
    const std::uint32_t bytes = 1 + random() % (random() % 4 == 0 ? 5000 : 300);
    if (random() % 2 == 0) {
      const std::uint32_t stored = random() % 3 == 0 ? bytes : random() % (bytes + 1);
      ByteVector data(bytes);
      std::generate(data.begin(), data.end(),
                    [&random] { return static_cast<std::uint8_t>(random()); });
      write(address, data, stored);
      std::fill(data.begin() + stored, data.end(), std::uint8_t{0});
      std::copy(data.begin(), data.end(), plain.begin() + static_cast<std::ptrdiff_t>(address));
    } else {
      ByteVector data = read(address, bytes);
      blank += access.stored < bytes ? 1 : 0;
      std::fill(data.begin() + access.stored, data.end(), std::uint8_t{0});
      ASSERT_TRUE(std::equal(data.begin(), data.end(),
                             plain.begin() + static_cast<std::ptrdiff_t>(address)))
          << i;
    }
  }
  EXPECT_GT(blank, 100U);
}

}  // namespace
}  // namespace longhaul::memory
