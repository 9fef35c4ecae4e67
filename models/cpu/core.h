// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/common/param.h"
#include "models/cpu/cost_book.h"
#include "models/cpu/work.h"
#include "platform/observe/probe.h"

namespace longhaul::cpu {

struct CoreParams {
  Param<Frequency> clock{"clock",
                         {2'200'000'000},
                         {Evidence::kDatasheet, "AMD Opteron 248: 2.2 GHz (OPTERON-10G, section 3)"},
                         Range<Frequency>{{100'000'000}, {10'000'000'000}}};
  /// Bytes on the memory bus for each byte copied: one read, one write, and one read for ownership of the line written.
  Param<std::uint32_t> copy_traffic{
      "copy_traffic", 3, {Evidence::kAssumed, "models/cpu/README.md#copies"}, Range<std::uint32_t>{0, 8}};
  /// Longest stretch of work that a guest may do before it is paid for; bounds how late it takes an interrupt.
  Param<sc_core::sc_time> quantum{"quantum",
                                  {5, sc_core::SC_US},
                                  {Evidence::kChosen, "models/cpu/README.md#quantum"},
                                  Range<sc_core::sc_time>{{100, sc_core::SC_NS}, {1, sc_core::SC_MS}}};
  CostBook costs;

  auto fields() { return std::tuple_cat(std::tie(clock, copy_traffic, quantum), costs.fields()); }
};

/// One core: turns counted work into simulated time and memory traffic, makes its bus accesses, and knows at every instant
/// which state it is in. The software (a real guest or a modelled host) drives it from one SC_THREAD; every call below may
/// wait.
class Core final : public sc_core::sc_module {
 public:
  /// To the host bridge: device registers and configuration space.
  tlm_utils::simple_initiator_socket<Core> core_initiator{"core_initiator"};
  /// To memory: traffic of copies. A payload with TLM_IGNORE_COMMAND stands for so many bytes read and written; the
  /// annotated delay that comes back is when memory is done with them.
  tlm_utils::simple_initiator_socket<Core> memory_initiator{"memory_initiator"};

  Core(const sc_core::sc_module_name& name, CoreParams params);

  const CoreParams& params() const { return params_; }
  /// What a unit costs at least, in picoseconds rounded up.
  std::uint64_t unit_cost_ps(WorkKind kind) const;

  /// Does the work: waits as long as it takes (cycles; for copies, memory if that is slower) and accounts it to its states.
  void spend(const WorkBatch& work);
  /// Stays in `state` until `event` or for `limit`, whichever is first.
  void stay(CoreState state, const sc_core::sc_time& limit, const sc_core::sc_event& event);

  /// One access of 1, 2, 4 or 8 bytes to the bus; the core stalls until it is answered (read) or posted (write). An address
  /// that nobody decodes reads as all ones.
  std::uint64_t read(std::uint64_t address, std::uint32_t size);
  void write(std::uint64_t address, std::uint32_t size, std::uint64_t value);

  observe::StateClock state{
      "state", "what the core is doing", {"user", "system", "softirq", "hardirq", "mmio_stall", "idle"}};
  observe::Counter mmio_reads{"mmio_reads", "1", "register and configuration reads"};
  observe::Counter mmio_writes{"mmio_writes", "1", "register and configuration writes"};
  observe::Counter bytes_copied{"bytes_copied", "B", "bytes copied by the core"};
  observe::Counter interrupts{"interrupts", "1", "interrupt handlers entered"};
  observe::Counter napi_polls{"napi_polls", "1", "NAPI polls"};
  observe::Counter syscalls{"syscalls", "1", "system calls"};
  observe::Counter packets_sent{"packets_sent", "1", "packets handed to drivers"};
  observe::Counter packets_received{"packets_received", "1", "packets taken from drivers"};
  observe::Counter context_switches{"context_switches", "1", "context switches"};
  observe::SpanTap spans{"spans", "core states; no arguments"};

 private:
  void access(tlm::tlm_command command, std::uint64_t address, std::uint32_t size, std::uint64_t& value);
  std::uint64_t cycles_to_ps(std::uint64_t millicycles) const;
  /// Picoseconds until memory has moved the bytes of a copy.
  std::uint64_t memory_ps(std::uint64_t bytes);
  void count(const WorkBatch& work);

  const CoreParams params_;
  std::uint64_t unit_cost_ps_[kWorkKinds] = {};
};

}  // namespace longhaul::cpu
