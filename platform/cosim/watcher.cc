// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/watcher.h"

#include <algorithm>

namespace longhaul::cosim {

Watcher& WatcherList::add(Transactor& transactor, bool samples) {
  changed_ = true;
  return *all_.emplace_back(std::make_unique<Watcher>(transactor, samples, changed_));
}

void WatcherList::sort() {
  changed_ = false;
  sampling_.clear();
  awake_.clear();
  quiet_before_.clear();
  quiet_after_.clear();
  for (const auto& watcher : all_) {
    if (watcher->asleep()) {
      auto& quiet = watcher->samples() ? quiet_before_ : quiet_after_;
      quiet.insert(quiet.end(), watcher->bits().begin(), watcher->bits().end());
      continue;
    }
    awake_.push_back(&watcher->transactor());
    if (watcher->samples()) sampling_.push_back(&watcher->transactor());
  }
}

void WatcherList::wake_changed(bool samplers) {
  for (const auto& watcher : all_) {
    const auto& bits = watcher->bits();
    if (watcher->samples() == samplers && watcher->asleep() &&
        std::any_of(bits.begin(), bits.end(), [](const auto& one) { return one.changed() != 0; }))
      watcher->wake();
  }
  sort();
}

}  // namespace longhaul::cosim
