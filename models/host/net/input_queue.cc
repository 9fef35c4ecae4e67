// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/input_queue.h"

#include "models/host/net/stack.h"

namespace longhaul::host {

bool InputQueue::put(Processor& processor, Interface& interface, const RxPacket& packet) {
  if (items_.size() >= stack_.params().input_queue_packets()) return false;
  items_.push_back({&interface, packet});
  stack_.input_backlog.add(1);
  processor.raise(*this);
  return true;
}

bool InputQueue::run() {
  Processor& processor = *Processor::current();
  for (std::uint32_t left = stack_.params().napi_budget(); left > 0 && !items_.empty(); --left) {
    const Item item = items_.pop_front();
    stack_.input_backlog.add(-1);
    stack_.input(*item.interface, item.packet);
    processor.pay();
  }
  return !items_.empty();
}

}  // namespace longhaul::host
