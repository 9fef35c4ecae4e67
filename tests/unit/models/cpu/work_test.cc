// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/work.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace longhaul::cpu {
namespace {

using Units = std::vector<std::tuple<CoreState, WorkKind, std::uint64_t>>;

Units in(const WorkBatch& work) {
  Units units;
  work.each([&](std::size_t state, std::size_t kind, std::uint64_t count) {
    units.emplace_back(static_cast<CoreState>(state), static_cast<WorkKind>(kind), count);
  });
  return units;
}

TEST(WorkBatch, TellsWhatWasAddedByStateAndKind) {
  WorkBatch work;
  EXPECT_EQ(in(work), Units());
  work.add(CoreState::kHardirq, WorkKind::kClockRead, 4);  // the last there is
  work.add(CoreState::kSystem, WorkKind::kByteCopied, 1000);
  work.add(CoreState::kUser, WorkKind::kDelayPs, 7);  // the first
  work.add(CoreState::kSystem, WorkKind::kByteCopied, 448);
  EXPECT_EQ(in(work), Units({{CoreState::kUser, WorkKind::kDelayPs, 7},
                             {CoreState::kSystem, WorkKind::kByteCopied, 1448},
                             {CoreState::kHardirq, WorkKind::kClockRead, 4}}));
}

TEST(WorkBatch, WhatWasClearedDoesNotComeBack) {
  WorkBatch work;
  work.add(CoreState::kSystem, WorkKind::kSyscall, 3);
  work.clear();
  EXPECT_EQ(in(work), Units());
  work.add(CoreState::kSystem, WorkKind::kSyscall, 1);
  EXPECT_EQ(in(work), Units({{CoreState::kSystem, WorkKind::kSyscall, 1}}));
}

}  // namespace
}  // namespace longhaul::cpu
