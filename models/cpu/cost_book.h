// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "models/common/param.h"
#include "models/cpu/work.h"

namespace longhaul::cpu {

/// The cost of a unit of each kind of work, in cycles. It covers work that executed blocks do not
/// show, because hardware, firmware or user space does it. Kinds that are not here are counted
/// only. cost_book_preset() gives the values; models/cpu/README.md#costs argues each.
struct CostBook {
  Param<std::uint32_t> user_syscall{
      "user_syscall_cycles", 0, "cycles of user space around a system call", {}};
  Param<std::uint32_t> syscall{
      "syscall_cycles", 0, "cycles to enter and leave the kernel for a system call", {}};
  /// Thousandths of a cycle per byte.
  Param<std::uint32_t> byte_copied{
      "byte_copied_millicycles", 0, "thousandths of a cycle to copy a byte", {}};
  Param<std::uint32_t> byte_checksummed{
      "byte_checksummed_millicycles", 0, "thousandths of a cycle to add a byte to a checksum", {}};
  Param<std::uint32_t> interrupt{
      "interrupt_cycles", 0, "cycles to enter and leave an interrupt's handler", {}};
  Param<std::uint32_t> context_switch{
      "context_switch_cycles", 0, "cycles to switch from one process to another", {}};
  Param<std::uint32_t> clock_read{"clock_read_cycles", 0, "cycles to read the system's clock", {}};
  /// A load that hits the second-level cache and on which the next load depends: a step along a
  /// list.
  Param<std::uint32_t> list_step{
      "list_step_cycles", 0, "cycles of a step along a list in the second-level cache", {}};

  auto fields() {
    return std::tie(user_syscall, syscall, byte_copied, byte_checksummed, interrupt, context_switch,
                    clock_read, list_step);
  }
  /// Thousandths of a cycle per unit. kDelayPs is a time and costs no cycles; kExecuted has its own
  /// unit.
  std::uint64_t millicycles(WorkKind kind) const;
};

/// The costs on a known pipeline under the Linux of its time. Throws ConfigError whose message
/// starts with `where` for another name.
CostBook cost_book_preset(const std::string& name, const std::string& where);
std::vector<std::string> cost_book_preset_names();

}  // namespace longhaul::cpu
