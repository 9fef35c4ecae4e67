// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "models/common/observe/software_watcher.h"
#include "models/cpu/core.h"
#include "platform/guest/block_profile.h"
#include "platform/guest/console_port.h"
#include "platform/guest/exchange_listener.h"
#include "platform/guest/guest_listener.h"
#include "platform/guest/guest_process.h"
#include "platform/guest/interrupt_controller.h"

namespace longhaul::guest {

/// Runs a guest on a core. It takes the guest's requests one by one, spends the time of the work
/// before each request, and carries the request out. While the guest's own code executes, simulated
/// time stands still.
class GuestCpu final : public sc_core::sc_module {
 public:
  GuestCpu(const sc_core::sc_module_name& name, GuestOptions options, cpu::Core& core,
           InterruptController& interrupts, GuestListener& listener);

  GuestProcess& process() { return process_; }
  /// The profile of its code in the measured window; null for a guest without a table of blocks.
  BlockProfile* profile() { return profile_.get(); }

  /// Calls `watcher` from this call on; null: none, at the cost of one branch for each exchange.
  void watch(observe::SoftwareWatcher* watcher) { watcher_ = watcher; }
  /// Reports every exchange to `listener` from this call on; null: none, at the cost of two
  /// branches for each exchange.
  void listen(ExchangeListener* listener) { exchange_listener_ = listener; }

  /// `told` is called with the first physical address that devices can reach. The guest's kernel
  /// has set it by then, and has not yet looked for devices.
  void on_ram_begin(std::function<void(std::uint64_t)> told) { on_ram_begin_ = std::move(told); }

  observe::Level ram_begin{
      "ram_begin", "B",
      "first physical address that devices can reach: the kernel's image ends there"};
  observe::Counter exchanges{"exchanges", "1", "requests of the guest"};

 private:
  void run_thread();
  GuestProcess::Turn run();
  void pay();
  void take_touches();
  void serve();
  void serve_bus(std::uint32_t op, std::uint32_t size);
  void stay(cpu::CoreState state, std::uint64_t deadline_ps, bool interruptible);
  void serve_memory();
  void serve_message(std::uint32_t bytes);
  void serve_blocks(std::uint32_t count);
  void answer();

  GuestProcess process_;
  cpu::Core& core_;
  InterruptController& interrupts_;
  GuestListener& listener_;
  std::unique_ptr<BlockProfile> profile_;
  std::unique_ptr<ConsolePort> console_;
  observe::SoftwareWatcher* watcher_ = nullptr;
  ExchangeListener* exchange_listener_ = nullptr;
  std::array<std::array<std::uint64_t, cpu::kWorkKinds>, cpu::kWorkStates> paid_{};
  std::vector<cpu::MemoryTouch> touches_;
  std::function<void(std::uint64_t)> on_ram_begin_ = [](std::uint64_t) {};
  sc_core::sc_event never_event_{"never_event"};
};

}  // namespace longhaul::guest
