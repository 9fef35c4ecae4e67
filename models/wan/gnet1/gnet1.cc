// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1.h"

#include <fmt/format.h>

namespace longhaul::wan {
namespace {

using gnet1_regs::Counter;

/// A counter that is shown as a probe with its register's name.
struct Shown {
  Counter counter;
  const char* name;
  const char* unit;
  const char* description;
};

// Losses in the box, and flipped bits. Frames with a wrong FCS pass (rtl/gnet1/README.md#models);
// the device that drops them counts them.
constexpr Shown kShown[]{
    {Counter::kRxLost, "rx_lost", "frame", "found no room at reception, or the port off"},
    {Counter::kTailDrop, "tail_drop", "frame", "router queue full"},
    {Counter::kRedDrop, "red_drop", "frame", "RED"},
    {Counter::kSramDrop, "sram_drop", "frame", "memory full"},
    {Counter::kDiscards, "discards", "frame", "discarded as asked for"},
    {Counter::kNoRoute, "no_route", "frame", "no route"},
    {Counter::kFlips, "flips", "bit", "bits flipped"},
};

}  // namespace

Gnet1::Gnet1(const sc_core::sc_module_name& name) : sc_module(name) {
  for (std::size_t port = 0; port < kPorts; ++port) {
    for (const Shown& shown : kShown) {
      probes_.push_back(std::make_unique<observe::Counter>(
          fmt::format("{}_p{}", shown.name, port).c_str(), shown.unit, shown.description,
          [this, port, counter = shown.counter] {
            return std::uint64_t{counter_now(port, counter)};
          }));
    }
  }
}

}  // namespace longhaul::wan
