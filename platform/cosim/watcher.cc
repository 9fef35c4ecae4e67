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
  sampling_ = 0;
  quiet_before_ = 0;
  quiet_.clear();
  awake_.clear();
  for (const auto& watcher : all_) {
    if (watcher->asleep()) {
      const auto& bits = watcher->bits();
      const auto at = watcher->samples() ? quiet_.begin() + quiet_before_ : quiet_.end();
      quiet_.insert(at, bits.begin(), bits.end());
      if (watcher->samples()) quiet_before_ += static_cast<std::uint32_t>(bits.size());
    } else {
      awake_.push_back({&watcher->transactor(), watcher->samples()});
      if (watcher->samples()) ++sampling_;
    }
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
