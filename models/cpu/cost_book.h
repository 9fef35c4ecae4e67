// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tuple>

#include "models/common/param.h"
#include "models/cpu/work.h"

namespace longhaul::cpu {

/// What a unit of each kind of work costs a core, in cycles: what executed blocks do not show, because hardware, firmware or
/// user space does it. Sources are argued in models/cpu/README.md. Kinds that are not here are counted only.
struct CostBook {
  Param<std::uint32_t> user_syscall{
      "user_syscall_cycles", 400, {Evidence::kAssumed, "models/cpu/README.md#user-space"}};
  Param<std::uint32_t> syscall{"syscall_cycles", 250, {Evidence::kAssumed, "models/cpu/README.md#system-calls"}};
  /// Thousandths of a cycle per byte.
  Param<std::uint32_t> byte_copied{"byte_copied_millicycles", 500, {Evidence::kAssumed, "models/cpu/README.md#copies"}};
  Param<std::uint32_t> byte_checksummed{
      "byte_checksummed_millicycles", 500, {Evidence::kAssumed, "models/cpu/README.md#checksums"}};
  Param<std::uint32_t> interrupt{"interrupt_cycles", 600, {Evidence::kAssumed, "models/cpu/README.md#interrupts"}};
  Param<std::uint32_t> context_switch{
      "context_switch_cycles", 600, {Evidence::kAssumed, "models/cpu/README.md#context-switches"}};
  Param<std::uint32_t> clock_read{"clock_read_cycles", 60, {Evidence::kAssumed, "models/cpu/README.md#clock-reads"}};

  auto fields() {
    return std::tie(user_syscall, syscall, byte_copied, byte_checksummed, interrupt, context_switch, clock_read);
  }
  /// Thousandths of a cycle per unit; kDelayPs is time already and costs none, kExecuted has a unit of its own.
  std::uint64_t millicycles(WorkKind kind) const;
};

}  // namespace longhaul::cpu
