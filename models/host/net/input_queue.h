// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/ring_buffer.h"
#include "models/host/kernel/processor.h"
#include "models/host/net/net_device.h"

namespace longhaul::host {

class Interface;
class Stack;

/// Packets between hard interrupts and protocols on one processor (Linux: netif_rx(); BSD: ipintrq
/// and its swi).
class InputQueue final : public Softirq {
 public:
  explicit InputQueue(Stack& stack) : stack_(stack) {}
  /// Stores the packet and raises the softirq; in hardirq context. Returns false if the queue is
  /// full.
  bool put(Processor& processor, Interface& interface, const RxPacket& packet);
  /// Takes up to NetParams::napi_budget packets, as one net_rx_action() does. This one queue may
  /// use up its whole budget.
  bool run() override;

 private:
  struct Item {
    Interface* interface;
    RxPacket packet;
  };
  Stack& stack_;
  RingBuffer<Item> items_;
};

}  // namespace longhaul::host
