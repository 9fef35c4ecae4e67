// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <array>
#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/divisor.h"
#include "models/common/observe/probe.h"
#include "models/memory/backing_store.h"
#include "models/memory/core_traffic.h"
#include "models/memory/device_access.h"
#include "models/memory/dma_observer.h"
#include "models/memory/interconnect.h"
#include "models/memory/memory_node.h"
#include "models/memory/memory_system_params.h"
#include "models/memory/node_map.h"

namespace longhaul::memory {

/// The memory of a machine: nodes with channels, banks and rows, the interconnect, and the bytes
/// themselves.
///
/// Cores move lines by stream() of core(i), which never waits: it returns how long the lines take
/// (README.md#timing). Devices' accesses come to dma_target as b_transport with annotated delay, in
/// the order of the calls, and never wait either. The delay grows by the time until a write's last
/// byte is in memory, or a read's last byte is back at the bridge.
///
/// An address outside the store answers TLM_ADDRESS_ERROR_RESPONSE and takes no time.
/// get_direct_mem_ptr() gives the whole store. FlowBook settles the time that cores and devices
/// take from each other, also from traffic whose time was already returned.
class MemorySystem final : public sc_core::sc_module, public CoreTraffic {
 public:
  tlm_utils::simple_target_socket_optional<MemorySystem> dma_target{"dma_target"};

  /// Uses a mapping that the caller owns. Throws ConfigError for parameters that do not fit each
  /// other.
  MemorySystem(const sc_core::sc_module_name& name, const MemorySystemParams& params,
               const MemoryMapping& mapping);
  /// Allocates `size` bytes, zero at first, from physical address 0. Throws ConfigError for
  /// parameters that do not fit each other, or if the host does not have the memory.
  MemorySystem(const sc_core::sc_module_name& name, const MemorySystemParams& params, Bytes size);
  ~MemorySystem() override;

  /// The port of core `index`, which is on node index % nodes. Throws ConfigError unless index <
  /// params().cores.
  CoreTraffic& core(std::uint32_t index);
  /// Traffic of core 0.
  std::uint64_t stream(const LineStream& lines) override;
  /// Reports devices' accesses to a core's cache. The cache must outlive the last access.
  void observe_dma(std::uint32_t core, DmaObserver& cache);

  /// Addresses below `address` do not answer to devices and cores from this call on.
  void hide_below(std::uint64_t address);

  const MemoryMapping& mapping() const { return store_.mapping(); }
  const MemorySystemParams& params() const { return params_; }
  std::uint32_t nodes() const { return map_.nodes(); }
  const MemoryNode& node(std::uint32_t index) const { return *nodes_[index]; }

  observe::Counter dma_bytes{"dma_bytes", "B", "bytes that devices read or wrote"};
  observe::Counter core_bytes{"core_bytes", "B", "bytes of cores' traffic"};
  observe::Counter remote_bytes{"remote_bytes", "B",
                                "bytes of cores and devices that another node's memory has"};
  observe::Counter supplied_bytes{"supplied_bytes", "B",
                                  "bytes that devices read from a core's cache"};
  observe::Counter busy_ps{"busy_ps", "ps",
                           "time for which the data buses were booked, mean of the nodes"};
  observe::Counter dma_waited_ps{"dma_waited_ps", "ps",
                                 "time by which others delayed DMA accesses"};
  observe::Counter core_waited_ps{"core_waited_ps", "ps",
                                  "time by which others delayed cores' traffic"};

 private:
  class Agent;
  /// Properties of the way from a requester's node to a line's home that do not change.
  struct Path {
    std::uint64_t one_way_ps = 0;
    std::uint64_t idle_ps = 0;  // latency of a single line without waits and rows
    std::uint64_t tail_ps = 0;  // from a line's last byte on bus and links to its arrival at the
                                // requester
    bool crosses = false;       // the interconnect has resources on this way
  };
  /// One node's share of a transfer.
  struct Part {
    std::uint32_t from = 0;
    std::uint32_t node = 0;
    std::uint64_t arrival_ps = 0;
    NodeAccess access;
    NodePlan plan;
    const Path* path = nullptr;
    std::uint64_t end_ps = 0;  // of the data, on bus and links
  };
  struct Parts {
    const Part* first;
    const Part* last;
    const Part* begin() const { return first; }
    const Part* end() const { return last; }
  };
  static constexpr std::size_t kMostNodes = 8;
  struct Observer {
    std::uint32_t core;
    DmaObserver* cache;
  };
  static constexpr std::size_t kDmaFlow = 0;
  static std::size_t read_flow(std::uint32_t core) { return 1 + std::size_t{2} * core; }
  static std::size_t write_flow(std::uint32_t core) { return 2 + std::size_t{2} * core; }

  std::uint64_t stream(std::uint32_t core, const LineStream& lines);
  void dma_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool direct(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  unsigned debug(tlm::tlm_generic_payload& payload) { return store_.debug(payload); }

  /// Splits consecutive bytes among the nodes and plans each share. The result is valid until the
  /// next call.
  Parts plan_parts(std::size_t flow, std::uint32_t from, std::uint64_t address, std::uint64_t bytes,
                   bool write, std::uint32_t ahead, std::uint64_t at_ps);
  /// Plans one node's share.
  void plan_part(Part& part, std::uint32_t from, std::uint32_t node, const NodeMap::Part& share,
                 std::size_t flow, bool write, std::uint32_t ahead, std::uint64_t at_ps);
  /// When the first bytes of a device's read are back, if its data come evenly.
  std::uint64_t first_back_ps(const Parts& parts, std::uint64_t address, std::uint32_t bytes,
                              std::uint64_t last_ps) const;
  /// Latency of a single line of a share that is planned and not yet booked, with waits and without
  /// rows.
  std::uint64_t line_latency_ps(const Part& part) const;
  /// Books a planned share until `end_ps` and counts it. Returns the delay by other requesters.
  std::uint64_t book_part(const Part& part, std::uint64_t end_ps);
  /// A cache supplies lines that a device reads. On a front-side bus they cross the bus and are
  /// written to memory, too.
  void supply(std::uint64_t address, std::uint64_t bytes, std::uint64_t at_ps);
  Path path_of(const Crossing& crossing) const;
  static Crossing crossing(const Part& part) {
    return {part.access.flow,  part.from,         part.node,
            part.access.lines, part.access.write, part.access.flow == kDmaFlow};
  }
  const Path& path(bool device, bool write, std::uint32_t from, std::uint32_t home) const {
    return paths_[((std::size_t{device} * 2 + std::size_t{write}) * map_.nodes() + from) *
                      map_.nodes() +
                  home];
  }
  void check_core(std::uint32_t index) const;
  void build();

  const MemorySystemParams params_;
  BackingStore store_;
  const NodeMap map_;
  const Divisor line_;
  const std::uint64_t core_ps_;
  const std::uint64_t controller_ps_;
  std::vector<std::unique_ptr<MemoryNode>> nodes_;
  std::unique_ptr<Interconnect> between_;
  std::vector<std::unique_ptr<Agent>> agents_;
  std::vector<Observer> observers_;
  std::vector<Path> paths_;  // see path()
  std::array<Part, kMostNodes> parts_;
  std::uint64_t busy_carry_ps_ = 0;
};

}  // namespace longhaul::memory
