// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/exchange_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "platform/observe/digest.h"
#include "tests/unit/platform/observe/record_reader.h"
#include "tests/unit/platform/observe/scratch_dir.h"

namespace longhaul::guest {
namespace {

using cpu::CoreState;
using cpu::WorkKind;
using observe::RecordLine;
using ::testing::ElementsAre;

constexpr std::uint64_t word(std::uint64_t low, std::uint64_t high) { return low | high << 32; }

struct Exchanges : ::testing::Test {
  observe::ScratchDir dir;
  observe::RecordFile file{dir.path("record.bin")};
  ExchangeRecorder recorder{file, "sender"};
  std::unique_ptr<lh_page> page = std::make_unique<lh_page>();

  std::vector<RecordLine> lines() {
    file.close({});
    return observe::RecordReader(dir.bytes("record.bin")).lines;
  }
};

TEST_F(Exchanges, AnAccessHasAddressDataAnswerAndInterrupts) {
  page->op = LH_OP_READ;
  page->size = 4;
  page->address = 0xf000'0010;
  page->data = 0xffff'ffff'0000'0012;  // what is beyond the access is no part of it
  page->deadline_ps = 77;              // left over from an earlier request
  page->now_ps = 9000;
  page->intx_level = 2;
  page->msi_pending = 8;
  page->intx_unmasked = 6;
  recorder.on_work({}, {});
  recorder.on_exchange(8000, *page);
  const auto found = lines();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].time_ps, 8000U);
  EXPECT_EQ(found[0].kind, RecordLine::kExchange);
  EXPECT_EQ(found[0].code, LH_OP_READ);
  EXPECT_EQ(found[0].size, 4U);
  EXPECT_THAT(found[0].value, ElementsAre(0xf000'0010, 0x12, 9000, 0, word(2, 8), word(6, 0)));
}

TEST_F(Exchanges, WorkComesAheadSixKindsALine) {
  cpu::WorkBatch work;
  work.add(CoreState::kUser, WorkKind::kExecuted, 100);
  for (std::size_t kind = 0; kind < 6; ++kind)
    work.add(CoreState::kSoftirq, static_cast<WorkKind>(kind), kind + 1);
  page->op = LH_OP_SYNC;
  recorder.on_work(work, {});
  recorder.on_exchange(1, *page);
  const auto found = lines();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].kind, RecordLine::kWork);
  EXPECT_EQ(found[0].size, 6U);
  EXPECT_EQ(found[0].value[0], 100 | std::uint64_t{0 * cpu::kWorkKinds + 1} << 56);
  EXPECT_EQ(found[0].value[1], 1 | std::uint64_t{2 * cpu::kWorkKinds + 0} << 56);
  EXPECT_EQ(found[1].size, 1U);
  EXPECT_EQ(found[1].value[0], 6 | std::uint64_t{2 * cpu::kWorkKinds + 5} << 56);
  EXPECT_EQ(found[2].kind, RecordLine::kExchange);
}

TEST_F(Exchanges, WorkOfOneIsNotToldWithTheNext) {
  cpu::WorkBatch work;
  work.add(CoreState::kUser, WorkKind::kExecuted, 100);
  page->op = LH_OP_SYNC;
  recorder.on_work(work, {{cpu::MemoryTouch::Kind::kCopy, CoreState::kSystem, 1, 2, 3}});
  recorder.on_exchange(1, *page);
  recorder.on_work({}, {});
  recorder.on_exchange(2, *page);
  const auto found = lines();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NE(found[1].value[5], 0U);  // memory was touched
  EXPECT_EQ(found[2].value[5], 0U);
}

TEST_F(Exchanges, EachRequestHasWhatItUses) {
  const auto make = [&](std::uint32_t op, std::uint32_t size, std::uint32_t flags) {
    page->op = op;
    page->size = size;
    page->flags = flags;
    recorder.on_work({}, {});
    recorder.on_exchange(1, *page);
  };
  page->deadline_ps = 500;
  page->timer_ps = 600;
  page->ram_begin = 0x5f'f000;
  page->address = 0xdead;
  page->message[0] = 'x';
  make(LH_OP_ELAPSE, LH_STATE_SOFTIRQ, LH_FLAG_INTERRUPTIBLE);
  make(LH_OP_IDLE, 9, 9);
  make(LH_OP_MEMORY, 9, 9);
  make(LH_OP_MESSAGE, 1, LH_MESSAGE_PHASE);
  const auto found = lines();
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].size, LH_STATE_SOFTIRQ | LH_FLAG_INTERRUPTIBLE << 8);
  EXPECT_EQ(found[0].value[3], 500U);
  EXPECT_EQ(found[1].size, 0U);
  EXPECT_EQ(found[1].value[3], 600U);
  EXPECT_EQ(found[2].value[0], 0x5f'f000U);
  EXPECT_EQ(found[3].value[0], LH_MESSAGE_PHASE);
  EXPECT_EQ(found[3].value[1], observe::digest("x", 1));
}

}  // namespace
}  // namespace longhaul::guest
