// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/cost_book.h"

#include <gtest/gtest.h>

namespace longhaul::cpu {
namespace {

TEST(CostBook, BytesAreThousandthsOfACycleAndEventsAreWholeCycles) {
  CostBook book;
  book.byte_copied.value = 1250;
  book.byte_checksummed.value = 510;
  book.syscall.value = 1201;
  book.interrupt.value = 2502;
  EXPECT_EQ(book.millicycles(WorkKind::kByteCopied), 1250U);
  EXPECT_EQ(book.millicycles(WorkKind::kByteChecksummed), 510U);
  EXPECT_EQ(book.millicycles(WorkKind::kSyscall), 1'201'000U);
  EXPECT_EQ(book.millicycles(WorkKind::kInterrupt), 2'502'000U);
}

TEST(CostBook, EachCostHasAParameterOfItsOwnAndTheOtherKindsAreOnlyCounted) {
  CostBook book;
  std::uint32_t value = 1;
  std::apply([&](auto&... param) { ((param.value = value++), ...); }, book.fields());
  std::uint64_t seen = 0;
  for (std::size_t k = 0; k < kWorkKinds; ++k) {
    const std::uint64_t cost = book.millicycles(static_cast<WorkKind>(k));
    if (cost != 0) seen |= 1ULL << (cost >= 1000 ? cost / 1000 : cost);
  }
  EXPECT_EQ(seen, 0xfeU) << "a bit for each of the values 1 to 7";
  EXPECT_EQ(book.millicycles(WorkKind::kPacketRx), 0U);
}

TEST(CostBook, ALargestCostDoesNotOverflow) {
  CostBook book;
  book.syscall.value = ~0U;
  EXPECT_EQ(book.millicycles(WorkKind::kSyscall), 4'294'967'295'000U);
}

}  // namespace
}  // namespace longhaul::cpu
