// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_system.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/memory/front_side_bus.h"
#include "models/memory/hyper_transport.h"

namespace longhaul::memory {
namespace {

constexpr std::uint64_t kInterleave = 4096;

/// When the last of `lines` arrives, if `in_flight` lines are requested at once and each further
/// one when one has come.
std::uint64_t pipelined_ps(std::uint64_t lines, std::uint64_t in_flight, std::uint64_t latency_ps,
                           std::uint64_t line_ps) {
  return (lines - 1) / in_flight * latency_ps + (lines - 1) % in_flight * line_ps + latency_ps;
}

}  // namespace

/// The port of one core.
class MemorySystem::Agent final : public CoreTraffic {
 public:
  Agent(MemorySystem& system, std::uint32_t index) : system_(system), index_(index) {}
  std::uint64_t stream(const LineStream& lines) override { return system_.stream(index_, lines); }

 private:
  MemorySystem& system_;
  const std::uint32_t index_;
};

MemorySystem::MemorySystem(const sc_core::sc_module_name& name, const MemorySystemParams& params,
                           const MemoryMapping& mapping)
    : sc_module(name),
      params_(params),
      store_(mapping),
      map_(mapping.size, params.nodes(), params.node_interleave() ? kInterleave : 0),
      line_(params.dram.line().count),
      core_ps_(to_ps(params.core_latency())),
      controller_ps_(to_ps(params.controller_latency())) {
  build();
}

MemorySystem::MemorySystem(const sc_core::sc_module_name& name, const MemorySystemParams& params,
                           Bytes size)
    : sc_module(name),
      params_(params),
      store_(size, this->name()),
      map_(size.count, params.nodes(), params.node_interleave() ? kInterleave : 0),
      line_(params.dram.line().count),
      core_ps_(to_ps(params.core_latency())),
      controller_ps_(to_ps(params.controller_latency())) {
  build();
}

MemorySystem::~MemorySystem() = default;

void MemorySystem::build() {
  check_memory_params(params_, name());
  const std::size_t flows = 1 + std::size_t{2} * params_.cores();
  for (std::uint32_t i = 0; i < params_.nodes(); ++i) {
    nodes_.push_back(
        std::make_unique<MemoryNode>(fmt::format("node{}", i).c_str(), params_.dram, flows));
  }
  if (params_.interconnect.interconnect() == "front_side_bus") {
    between_ = std::make_unique<FrontSideBus>("bus", params_.interconnect, line_.value(), flows);
  } else {
    between_ = std::make_unique<HyperTransport>("links", params_.interconnect, params_.nodes(),
                                                line_.value(), flows);
  }
  for (const bool device : {false, true}) {
    for (const bool write : {false, true}) {
      for (std::uint32_t from = 0; from < nodes(); ++from) {
        for (std::uint32_t home = 0; home < nodes(); ++home) {
          paths_.push_back(
              path_of({device ? kDmaFlow : read_flow(0), from, home, 1, write, device}));
        }
      }
    }
  }
  for (std::uint32_t i = 0; i < params_.cores(); ++i)
    agents_.push_back(std::make_unique<Agent>(*this, i));
  dma_target.register_b_transport(this, &MemorySystem::dma_b_transport);
  dma_target.register_get_direct_mem_ptr(this, &MemorySystem::direct);
  dma_target.register_transport_dbg(this, &MemorySystem::debug);
}

MemorySystem::Path MemorySystem::path_of(const Crossing& crossing) const {
  const MemoryNode& memory = *nodes_[crossing.home];
  const std::uint64_t line_ps = between_->line_ps(crossing);
  const std::uint64_t move_ps = std::max(memory.line_ps(), line_ps);
  const std::uint64_t fixed_ps =
      (crossing.device ? 0 : core_ps_) + controller_ps_ + memory.cas_ps();
  Path path;
  path.one_way_ps = between_->one_way_ps(crossing);
  path.idle_ps = std::max(2 * path.one_way_ps + fixed_ps + move_ps, between_->probe_ps(crossing));
  path.tail_ps = path.idle_ps - path.one_way_ps - move_ps;
  path.crosses = line_ps != 0;
  return path;
}

CoreTraffic& MemorySystem::core(std::uint32_t index) {
  check_core(index);
  return *agents_[index];
}

void MemorySystem::observe_dma(std::uint32_t core, DmaObserver& cache) {
  check_core(core);
  observers_.push_back({core, &cache});
}

void MemorySystem::check_core(std::uint32_t index) const {
  if (index < agents_.size()) return;
  throw ConfigError(fmt::format("{}: no core {}, it has {}", name(), index, agents_.size()));
}

void MemorySystem::hide_below(std::uint64_t address) {
  store_.hide_below(address);
  if (address != 0 && dma_target.size() > 0) dma_target->invalidate_direct_mem_ptr(0, address - 1);
}

std::uint64_t MemorySystem::stream(const LineStream& lines) { return stream(0, lines); }

std::uint64_t MemorySystem::stream(std::uint32_t core, const LineStream& lines) {
  // Bytes outside of the store cost nothing.
  const MemoryMapping& memory = store_.mapping();
  const std::uint64_t first = std::max(lines.address, memory.base);
  const std::uint64_t missed = first - lines.address;
  const std::uint64_t end = memory.base + memory.size;
  if (lines.bytes <= missed || first >= end) return 0;
  const std::uint64_t last = first + std::min(lines.bytes - missed, end - first);
  const std::uint64_t now = now_ps() + lines.begin_ps;
  const std::size_t flow = lines.write ? write_flow(core) : read_flow(core);
  const std::uint32_t from = core % map_.nodes();
  const std::uint32_t in_flight = std::max(lines.in_flight, 1U);
  const Parts parts =
      plan_parts(flow, from, first - memory.base, last - first, lines.write, in_flight, now);

  std::uint64_t number = 0;
  std::uint64_t latency_sum_ps = 0;  // over all lines
  std::uint64_t start_ps = now;      // of the first line, if only latency delays it
  std::uint64_t data_end_ps = now;
  for (const Part& part : parts) {
    number += part.access.lines;
    if (!lines.write) latency_sum_ps += part.access.lines * line_latency_ps(part);
    start_ps = std::max(start_ps, now + part.plan.queue_ps + part.plan.row_ps + part.plan.stall_ps);
    data_end_ps = std::max(data_end_ps, part.end_ps + (lines.write ? 0 : part.path->tail_ps));
  }
  std::uint64_t end_ps = data_end_ps;
  if (!lines.write) {
    const std::uint64_t latency_ps = latency_sum_ps / number;
    end_ps = std::max(end_ps, start_ps + pipelined_ps(number, in_flight, latency_ps,
                                                      nodes_[parts.begin()->node]->line_ps()));
  }
  for (const Part& part : parts) {
    core_waited_ps.add(book_part(part, lines.write ? part.end_ps : end_ps));
  }
  core_bytes.add(last - first);
  if (!lines.write) return end_ps - now;
  const std::uint64_t buffered_ps = params_.write_buffer() * nodes_[parts.begin()->node]->line_ps();
  return end_ps - now > buffered_ps ? end_ps - now - buffered_ps : 0;
}

MemorySystem::Parts MemorySystem::plan_parts(std::size_t flow, std::uint32_t from,
                                             std::uint64_t address, std::uint64_t bytes, bool write,
                                             std::uint32_t ahead, std::uint64_t at_ps) {
  Part* part = parts_.data();
  if (map_.together(address, bytes)) {  // true for nearly all accesses
    plan_part(*part, from, map_.node_of(address), map_.whole(address, bytes), flow, write, ahead,
              at_ps);
    return {part, part + 1};
  }
  for (std::uint32_t node = 0; node < map_.nodes(); ++node) {
    const NodeMap::Part share = map_.part(node, address, bytes);
    if (share.bytes != 0) plan_part(*part++, from, node, share, flow, write, ahead, at_ps);
  }
  return {parts_.data(), part};
}

void MemorySystem::plan_part(Part& part, std::uint32_t from, std::uint32_t node,
                             const NodeMap::Part& share, std::size_t flow, bool write,
                             std::uint32_t ahead, std::uint64_t at_ps) {
  const std::uint64_t lines =
      line_.quotient(line_.remainder(share.address) + share.bytes + line_.value() - 1);
  part.from = from;
  part.node = node;
  part.path = &path(flow == kDmaFlow, write, part.from, part.node);
  part.access.flow = flow;
  part.access.address = share.address;
  part.access.bytes = share.bytes;
  part.access.lines = lines;
  part.access.write = write;
  part.access.ahead = ahead;
  part.arrival_ps = at_ps + part.path->one_way_ps;
  nodes_[part.node]->plan(part.access, part.arrival_ps, part.plan);
  part.end_ps = part.plan.end_ps;
  if (part.path->crosses)
    part.end_ps = std::max(part.end_ps, between_->quote(crossing(part), part.plan.start_ps));
}

std::uint64_t MemorySystem::first_back_ps(const Parts& parts, std::uint64_t address,
                                          std::uint32_t bytes, std::uint64_t last_ps) const {
  const Part& part = *parts.begin();
  const std::uint64_t lines = line_.quotient(line_.remainder(address) + bytes + line_.value() - 1);
  // Bytes on two nodes are waited for together.
  if (parts.end() - parts.begin() > 1 || lines >= part.access.lines) return last_ps;
  const std::uint64_t data_ps = part.end_ps - part.plan.start_ps;
  return part.plan.start_ps + data_ps * lines / part.access.lines + part.path->tail_ps;
}

std::uint64_t MemorySystem::line_latency_ps(const Part& part) const {
  return part.path->idle_ps + nodes_[part.node]->wait_ps(part.access.flow, part.plan.start_ps) +
         (part.path->crosses ? between_->wait_ps(crossing(part), part.plan.start_ps) : 0);
}

std::uint64_t MemorySystem::book_part(const Part& part, std::uint64_t end_ps) {
  MemoryNode& memory = *nodes_[part.node];
  memory.book(part.access, part.plan, end_ps);
  if (part.path->crosses) between_->book(crossing(part), part.plan.start_ps, end_ps);
  busy_carry_ps_ += part.plan.work_ps;
  busy_ps.add(map_.each(busy_carry_ps_));
  busy_carry_ps_ -= map_.each(busy_carry_ps_) * map_.nodes();
  if (part.from != part.node) remote_bytes.add(part.access.bytes);
  const bool device = part.access.flow == kDmaFlow;
  (device ? (part.access.write ? memory.dma_write_bytes : memory.dma_read_bytes)
          : (part.access.write ? memory.core_write_bytes : memory.core_read_bytes))
      .add(part.access.bytes);
  const std::uint64_t alone_ps = part.arrival_ps + part.plan.row_ps +
                                 part.access.lines * memory.line_ps() + part.plan.stall_ps;
  return part.plan.end_ps > alone_ps ? part.plan.end_ps - alone_ps : 0;
}

void MemorySystem::dma_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  const std::uint64_t bytes = payload.get_data_length();
  if (!store_.covers(address, bytes)) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  auto* const access = payload.get_extension<DeviceAccess>();
  if (bytes > 0) {
    if (payload.is_write() || !store_.mapping().is_blank(address, bytes))
      store_.mapping().prefetch(address);
    for (const Observer& observer : observers_) observer.cache->prefetch(address, bytes);
    const std::uint64_t at_ps = now_ps() + to_ps(delay);
    // The bridge requests all lines at once.
    const auto lines = static_cast<std::uint32_t>(line_.quotient(bytes) + 1);
    const Parts parts = plan_parts(kDmaFlow, params_.io_node(), address - store_.mapping().base,
                                   bytes, payload.is_write(), lines, at_ps);
    std::uint64_t end_ps = at_ps;
    for (const Part& part : parts) {
      dma_waited_ps.add(book_part(part, part.end_ps));
      end_ps = std::max(end_ps, part.end_ps + (payload.is_read() ? part.path->tail_ps : 0));
    }
    delay = from_ps(end_ps - now_ps());
    if (access != nullptr && payload.is_read()) {
      access->first_delay_ps =
          first_back_ps(parts, address, access->first_bytes, end_ps) - now_ps();
    }
    dma_bytes.add(bytes);
    if (payload.is_read()) supply(address, bytes, at_ps);
  }
  store_.move(payload, access);
  if (!payload.is_write()) return;
  for (const Observer& observer : observers_) observer.cache->dma_wrote(address, bytes);
}

void MemorySystem::supply(std::uint64_t address, std::uint64_t bytes, std::uint64_t at_ps) {
  for (const Observer& observer : observers_) {
    const std::uint64_t supplied = std::min(observer.cache->dma_reads(address, bytes), bytes);
    supplied_bytes.add(supplied);
    if (supplied == 0 || !between_->supply_writes_back()) continue;
    const Parts parts =
        plan_parts(write_flow(observer.core), params_.io_node(), address - store_.mapping().base,
                   supplied, true, static_cast<std::uint32_t>(line_.quotient(supplied) + 1), at_ps);
    for (const Part& part : parts) core_waited_ps.add(book_part(part, part.end_ps));
  }
}

bool MemorySystem::direct(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  return store_.direct(
      payload, dmi,
      from_ps(core_ps_ + controller_ps_ + nodes_[0]->cas_ps() + nodes_[0]->line_ps()));
}

}  // namespace longhaul::memory
