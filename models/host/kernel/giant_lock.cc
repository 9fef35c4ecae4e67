// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/giant_lock.h"

#include <algorithm>
#include <cassert>

namespace longhaul::host {

GiantLock::GiantLock(const sc_core::sc_module_name& name, const std::vector<Processor*>& processors)
    : sc_module(name), processors_(processors) {
  for (Processor* const processor : processors_) processor->set_giant(*this);
}

bool GiantLock::is_open_to_processes() const {
  return is_free() &&
         std::none_of(processors_.begin(), processors_.end(),
                      [](const Processor* processor) { return processor->wants_giant(); });
}

void GiantLock::take() {
  assert(is_free() && "a lock that is held is taken");
  state.enter(kHeld);
  takings.add();
}

void GiantLock::release() {
  assert(!is_free() && "a lock that is free is released");
  state.enter(kFree);
  pass_on();
}

void GiantLock::given_up() {
  if (is_free()) pass_on();
}

void GiantLock::pass_on() {
  if (is_open_to_processes()) return waiting_.wake_one();
  for (Processor* const processor : processors_) {
    if (processor->wants_giant()) processor->notice();
  }
}

}  // namespace longhaul::host
