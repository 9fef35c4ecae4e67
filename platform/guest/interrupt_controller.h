// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/pcix/host_bridge.h"

namespace longhaul::guest {

/// A PC's interrupt controller for one core: the levels of the INTx lines, and a latch for each MSI
/// vector.
class InterruptController final : public sc_core::sc_module,
                                  public pcix::IntxReceiver,
                                  public pcix::MsiReceiver {
 public:
  static constexpr std::uint32_t kVectors = 32;

  explicit InterruptController(const sc_core::sc_module_name& name) : sc_module(name) {}

  void intx(std::uint32_t line, bool level) override {
    const std::uint32_t bit = line < kVectors ? 1U << line : 0U;
    intx_level_ = level ? intx_level_ | bit : intx_level_ & ~bit;
    intx_lines.set(intx_level_);
    if (level) notify_in(pending_event_, 0);
  }
  /// The message's data is the vector. An unknown vector is dropped, as by a real APIC.
  void msi(std::uint64_t address, std::uint16_t data) override {
    if (data >= kVectors) return;
    msi_latched_ |= 1U << data;
    msi_messages.set(msi_latched_);
    notify_in(pending_event_, 0);
  }

  std::uint32_t intx_level() const { return intx_level_; }
  /// Whether an interrupt is pending for a core that accepts the INTx lines in `unmasked`.
  bool pending(std::uint32_t unmasked) const {
    return (intx_level_ & unmasked) != 0 || msi_latched_ != 0;
  }
  /// Returns and clears the latched messages: edge-triggered interrupts are taken once.
  std::uint32_t take_msi() {
    const std::uint32_t taken = msi_latched_;
    msi_latched_ = 0;
    msi_messages.set(0);
    return taken;
  }
  /// Notified when an interrupt becomes pending.
  const sc_core::sc_event& pending_event() const { return pending_event_; }

  observe::Signal intx_lines{
      "intx", kVectors, "interrupt lines, asserted: INTA# of slot n is line n, INTB# line n + 1"};
  observe::Signal msi_messages{"msi", kVectors,
                               "MSI vectors that have arrived and that the core has not seen"};

 private:
  std::uint32_t intx_level_ = 0;
  std::uint32_t msi_latched_ = 0;
  sc_core::sc_event pending_event_{"pending_event"};
};

}  // namespace longhaul::guest
