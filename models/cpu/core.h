// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/common/param.h"
#include "models/cpu/cost_book.h"
#include "models/cpu/line_cache.h"
#include "models/cpu/pipeline.h"
#include "models/cpu/work.h"
#include "models/memory/core_traffic.h"

namespace longhaul::cpu {

struct CoreParams {
  Param<Frequency> clock{
      "clock",
      {2'200'000'000},
      "clock of the core",
      {Evidence::kDatasheet, "AMD Opteron 248: 2.2 GHz (OPTERON-10G, section 3)"},
      Range<Frequency>{{100'000'000}, {10'000'000'000}}};
  /// Cache misses of a copy that are outstanding at once.
  Param<std::uint32_t> copy_in_flight{"copy_in_flight",
                                      3,
                                      "cache misses of a copy that are outstanding at once",
                                      {Evidence::kAssumed, "models/cpu/README.md#copies"},
                                      Range<std::uint32_t>{1, 64}};
  /// Misses of a copy's stores that are outstanding beside those of its loads. With 0, the loads
  /// and then the stores have copy_in_flight misses outstanding.
  Param<std::uint32_t> store_in_flight{
      "store_in_flight",
      0,
      "misses of a copy's stores outstanding beside its loads; 0 is loads, then stores",
      {Evidence::kAssumed, "models/cpu/README.md#copies"},
      Range<std::uint32_t>{0, 64}};
  /// Cache misses of a checksum's loads that are outstanding at once, in a pass of its own or with
  /// a copy.
  Param<std::uint32_t> sum_in_flight{"sum_in_flight",
                                     5,
                                     "cache misses of a checksum's loads outstanding at once",
                                     {Evidence::kDatasheet,
                                      "AMD 25112, A.15: 44 loads and stores in flight; Linux, "
                                      "csum-copy.S; models/cpu/README.md#checksums"},
                                     Range<std::uint32_t>{1, 64}};
  /// The most work of a guest between two exchanges. Bounds how late the guest takes an interrupt.
  Param<sc_core::sc_time> quantum{
      "quantum",
      {5, sc_core::SC_US},
      "longest work of a guest before it is paid for; bounds how late an interrupt comes",
      {Evidence::kChosen, "models/cpu/README.md#quantum"},
      Range<sc_core::sc_time>{{100, sc_core::SC_NS}, {1, sc_core::SC_MS}}};
  CostBook costs = cost_book_preset("k8", "");
  LineCacheParams cache;
  PipelineParams pipeline = pipeline_preset("k8", "");

  auto fields() {
    return std::tuple_cat(std::tie(clock, copy_in_flight, store_in_flight, sum_in_flight, quantum),
                          costs.fields(), cache.fields(), pipeline.fields());
  }
};

/// Reads a configuration: the pipeline and the cost book of the preset that it names, then its own
/// values over them. Throws ConfigError whose message starts with `where`.
CoreParams core_params_from(const nlohmann::json& json, const std::string& where);

/// One core: turns counted work into simulated time and memory traffic, and makes bus accesses. It
/// knows at every instant which state it is in. The software (a real guest or a modelled host)
/// drives it from an SC_THREAD or from fibers; every call below may wait.
class Core final : public sc_core::sc_module {
 public:
  /// Socket to the host bridge: device registers and configuration space.
  tlm_utils::simple_initiator_socket<Core> core_initiator{"core_initiator"};
  /// Port to memory: lines that miss the cache. If it is unbound, misses take no time.
  sc_core::sc_port<memory::CoreTraffic, 1, sc_core::SC_ZERO_OR_MORE_BOUND> memory_port{
      "memory_port"};

  /// `memory` is the size of the memory that the cache covers.
  Core(const sc_core::sc_module_name& name, CoreParams params, Bytes memory = {});

  const CoreParams& params() const { return params_; }
  LineCache& cache() { return cache_; }
  /// Lets pass the time that a core needs to leave its halt. Called from a thread or a fiber.
  void leave_halt();
  /// The least cost of a unit of work, in picoseconds, rounded up.
  std::uint64_t unit_cost_ps(WorkKind kind) const;

  /// Units of kExecuted that `bytes` take beyond their kByteCopied if one loop copies and sums
  /// them. The slower of the two activities sets the loop's time.
  std::uint64_t sum_beyond_copy(std::uint64_t bytes) const;

  /// Does the work: waits as long as it takes and adds the time to the states. `touches` are the
  /// parts of the work that go through memory, in order. Returns the time for which the core waited
  /// for memory, in picoseconds.
  std::uint64_t spend(const WorkBatch& work, const std::vector<MemoryTouch>& touches = {});
  /// Stays in `state` until `event`, but at most for `limit`. A core that was idle then takes its
  /// time to leave the halt.
  void stay(CoreState state, const sc_core::sc_time& limit, const sc_core::sc_event& event);

  /// One access of 1, 2, 4 or 8 bytes to the bus. The core stalls until a read is answered or a
  /// write is posted. An address that no device decodes reads as all ones.
  std::uint64_t read(std::uint64_t address, std::uint32_t size);
  void write(std::uint64_t address, std::uint32_t size, std::uint64_t value);
  /// Calls `listener` with the address of each write when the core begins it.
  void on_write(std::function<void(std::uint64_t address)> listener) {
    write_listener_ = std::move(listener);
  }

  observe::StateClock state{"state",
                            "what the core is doing",
                            {"user", "system", "softirq", "hardirq", "mmio_stall", "idle"}};
  observe::Counter mmio_reads{"mmio_reads", "1", "register and configuration reads"};
  observe::Counter mmio_writes{"mmio_writes", "1", "register and configuration writes"};
  observe::Counter bytes_copied{"bytes_copied", "B", "bytes copied by the core"};
  observe::Counter interrupts{"interrupts", "1", "interrupt handlers entered"};
  observe::Counter napi_polls{"napi_polls", "1", "NAPI polls"};
  observe::Counter syscalls{"syscalls", "1", "system calls"};
  observe::Counter packets_sent{"packets_sent", "1", "packets handed to drivers"};
  observe::Counter packets_received{"packets_received", "1", "packets taken from drivers"};
  observe::Counter context_switches{"context_switches", "1", "context switches"};
  observe::Counter cold_lines{
      "cold_lines", "1", "lines that copies, headers and descriptors did not find in the cache"};
  observe::Counter memory_wait_ps{"memory_wait_ps", "ps",
                                  "time that the core waited for such lines"};
  observe::SpanTap spans{"spans", "core states; no arguments"};

 private:
  void access(tlm::tlm_command command, std::uint64_t address, std::uint32_t size,
              std::uint64_t& value);
  /// The time of `parts` of a cycle, of which a cycle has `per_cycle`, rounded up.
  std::uint64_t cycles_to_ps(std::uint64_t parts, std::uint64_t per_cycle) const;
  /// Picoseconds that a touch takes beyond its work units, if it begins `begin_ps` from now.
  std::uint64_t stall_ps(const MemoryTouch& touch, std::uint64_t begin_ps);
  /// The same for a copy or a write. `source` and `target` are the lines that missed.
  std::uint64_t copy_ps(const MemoryTouch& touch, std::uint64_t source, std::uint64_t target,
                        std::uint64_t begin_ps);
  std::uint64_t stream_ps(std::uint64_t address, std::uint64_t lines, bool write,
                          std::uint64_t begin_ps, std::uint32_t in_flight);
  /// The counter for that kind of work; null if there is none.
  observe::Counter* counter_of(WorkKind kind);

  const CoreParams params_;
  LineCache cache_;
  struct Kind {
    std::uint64_t cost_ps = 0;  // of a unit
    observe::Counter* count = nullptr;
  };
  Kind kinds_[kWorkKinds];
  std::function<void(std::uint64_t)> write_listener_;
};

}  // namespace longhaul::cpu
