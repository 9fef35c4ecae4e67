// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/owed_work.h"

#include <cstddef>

#include "models/common/units.h"

namespace longhaul::host {
namespace {

constexpr std::size_t kTouchesExpected = 64;

}  // namespace

OwedWork::OwedWork(cpu::Core& core) : core_(core) { touches_.reserve(kTouchesExpected); }

void OwedWork::touch(const cpu::MemoryTouch& touch) {
  using Kind = cpu::MemoryTouch::Kind;
  touches_.push_back(touch);
  if (touch.kind != Kind::kRead && touch.kind != Kind::kSum)
    core_.cache().prefetch(touch.target, touch.bytes);
  if (touch.kind != Kind::kWrite) core_.cache().prefetch(touch.source, touch.bytes);
  any_ = true;
}

void OwedWork::spend() {
  const std::uint64_t start_ps = now_ps();
  core_.spend(work_, touches_);
  touches_.clear();
  any_ = false;
  // The core counts work without cost (a packet's count) together with work that has a cost.
  if (now_ps() != start_ps) work_.clear();
}

}  // namespace longhaul::host
