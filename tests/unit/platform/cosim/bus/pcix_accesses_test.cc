// SPDX-License-Identifier: Apache-2.0
// The host's accesses to a device that answers wrongly, or not at all.
#include "platform/cosim/bus/pcix_accesses.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/unit/platform/cosim/bus/bus_fixture.h"

namespace longhaul::cosim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kPatience = 100;  // clocks

struct NoMemory final : BlockMemory {
  void read(std::uint64_t, std::uint8_t*, std::uint32_t, MemoryClient&, std::uint64_t) override {}
  void write(std::uint64_t, const std::uint8_t*, std::uint32_t, MemoryClient&,
             std::uint64_t) override {}
};

struct NoTransactor final : Transactor {
  void clocked(std::uint64_t) override {}
};

struct NoClient final : PcixAccessClient {
  void pcix_access_done(const PcixAccess&) override {}
};

/// A block that is its clock only, so that its time goes on.
struct NoLogic final : RtlModel {
  std::uint8_t clock = 0;
  void eval(std::uint64_t) override {}
};

/// A device that the test plays.
class PcixAccessesTest : public ::testing::Test {
 protected:
  PcixAccessesTest() {
    block.set_model(model);
    block.add_clock({&model.clock}, {{100'000'000}});
    bus_test::run_until(1'000'000);
  }

  /// A read of registers gets a Split Response. Returns its transaction, with its tag.
  PcixWork split(std::uint64_t address, std::uint32_t bytes) {
    PcixAccess access;
    access.address = address;
    access.bytes = bytes;
    accesses.add(access, 0);
    return attempt(PcixEnding::kSplit);
  }
  PcixWork attempt(PcixEnding ending) {
    accesses.tick();
    PcixWork work;
    EXPECT_EQ(accesses.due(0), PcixAccesses::Due::kAccess);
    accesses.begin(work);
    work.ending = ending;
    accesses.ended(work);
    return work;
  }
  static PcixTaken completion(const PcixWork& of, std::uint64_t first, std::uint32_t bytes) {
    PcixTaken taken;
    taken.command = pcix_command::kSplitCompletion;
    taken.address = (of.attributes & 0x1f00'0000U) | std::uint64_t{kPcixHostId} << 8U | first;
    taken.bytes = bytes;
    std::fill(taken.data.begin(), taken.data.end(), std::uint8_t{0x5a});
    return taken;
  }
  PcixAccess over() {
    PcixAccess access;
    EXPECT_TRUE(accesses.take_early(access));
    return access;
  }

  NoLogic model;
  RtlBlock block{"block"};
  bus_test::Violations violations;
  PcixChecker checker{"slot.", &violations};
  NoMemory nothing;
  NoTransactor owner;
  NoClient client;
  PcixMemory memory{block, nothing, 1, kPcixHostId, [] {}};
  PcixAccesses accesses{block, owner, client, memory, checker, kPatience, true};
};

TEST_F(PcixAccessesTest, ASplitCompletionInPiecesAnswersARead) {
  const PcixWork work = split(0x1004, 8);
  accesses.complete(completion(work, 0x04, 4));
  PcixAccess none;
  EXPECT_FALSE(accesses.take_early(none));
  accesses.complete(completion(work, 0x08, 4));
  const PcixAccess access = over();
  EXPECT_EQ(access.status, BusStatus::kOk);
  EXPECT_THAT(access.data, ::testing::Each(0x5a));
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_F(PcixAccessesTest, ASplitCompletionThatNobodyWaitsForIsTold) {
  PcixWork other = split(0x1000, 4);
  other.attributes ^= 1U << 24U;
  accesses.complete(completion(other, 0, 4));
  EXPECT_THAT(violations.told, ElementsAre("pcix.completion slot.ad"));
  EXPECT_FALSE(accesses.empty());
}

TEST_F(PcixAccessesTest, ASplitCompletionWithMoreBytesThanAskedForIsToldAndTheReadFails) {
  accesses.complete(completion(split(0x1000, 8), 0, 12));
  EXPECT_THAT(violations.told, ElementsAre("pcix.completion slot.ad"));
  const PcixAccess access = over();
  EXPECT_EQ(access.status, BusStatus::kSlaveError);
  EXPECT_THAT(access.data, ::testing::Each(0xff));
}

TEST_F(PcixAccessesTest, ASplitCompletionOutOfOrderIsTold) {
  accesses.complete(completion(split(0x1000, 8), 4, 4));
  EXPECT_THAT(violations.told, ElementsAre("pcix.completion slot.ad"));
  EXPECT_EQ(over().status, BusStatus::kSlaveError);
}

TEST_F(PcixAccessesTest, AReadThatIsNotAnsweredEndsAfterThePatienceOfThePortMap) {
  split(0x1000, 4);
  for (std::uint32_t clock = 0; clock < kPatience; ++clock) accesses.tick();
  accesses.count_patience();
  EXPECT_THAT(violations.told, IsEmpty());
  accesses.tick();
  accesses.count_patience();
  EXPECT_THAT(violations.told, ElementsAre("pcix.read_answered slot.trdy"));
  EXPECT_EQ(over().status, BusStatus::kTimeout);
  accesses.tick();
  accesses.count_patience();
  EXPECT_THAT(violations.told, ::testing::SizeIs(1));
}

TEST_F(PcixAccessesTest, AReadThatGetsRetryForEverEndsTheSameWay) {
  PcixAccess access;
  access.address = 0x1000;
  access.bytes = 4;
  accesses.add(access, 0);
  for (std::uint32_t clock = 0; clock <= kPatience; clock += kPcixRetryClocks) {
    attempt(PcixEnding::kRetry);
    for (std::uint32_t i = 1; i < kPcixRetryClocks; ++i) accesses.tick();
  }
  accesses.count_patience();
  EXPECT_THAT(violations.told, ElementsAre("pcix.read_answered slot.trdy"));
  EXPECT_EQ(over().status, BusStatus::kTimeout);
}

}  // namespace
}  // namespace longhaul::cosim
