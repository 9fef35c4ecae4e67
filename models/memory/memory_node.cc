// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_node.h"

#include <algorithm>

#include "models/common/wide_math.h"

namespace longhaul::memory {
namespace {

/// Whole clocks that a line needs on the data bus.
std::uint64_t line_time_ps(const DramParams& params) {
  const Frequency clock{params.transfer_rate().hz / params.transfers_per_clock()};
  const std::uint64_t per_clock =
      std::uint64_t{params.channels()} * params.channel_bytes() * params.transfers_per_clock();
  return (params.line().count + per_clock - 1) / per_clock * clock.period_ps();
}

}  // namespace

MemoryNode::MemoryNode(const sc_core::sc_module_name& name, const DramParams& params,
                       std::size_t flows)
    : sc_module(name),
      line_ps_(line_time_ps(params)),
      line_bytes_(params.line().count),
      cas_ps_(to_ps(params.cas_latency())),
      read_gap_ps_(to_ps(params.write_to_read()) + to_ps(params.cas_latency())),
      write_gap_ps_(to_ps(params.read_to_write())),
      turn_lines_(params.turn_lines()),
      banks_(params),
      bus_(flows),
      streams_(flows) {}

void MemoryNode::plan(const NodeAccess& access, std::uint64_t at_ps, NodePlan& plan) {
  plan.stall_ps = 0;
  plan.row_ps = open_rows(access, at_ps, plan.stall_ps);
  plan.start_ps = bus_.free_ps(access.flow, at_ps + plan.row_ps);
  plan.queue_ps = plan.start_ps - (at_ps + plan.row_ps);
  if (last_write_ != access.write && plan.start_ps >= last_end_ps_) {
    plan.start_ps =
        std::max(plan.start_ps, last_end_ps_ + (access.write ? write_gap_ps_ : read_gap_ps_));
  }
  plan.start_ps = banks_.after_refresh(plan.start_ps);
  const std::uint64_t data_ps = access.lines * line_ps_;
  plan.end_ps = bus_.quote(access.flow, plan.start_ps, data_ps);
  const std::uint64_t turns_ps = turn_work_ps(access, plan.start_ps, plan.end_ps);
  plan.work_ps = data_ps + turns_ps;
  if (turns_ps > 0) plan.end_ps = bus_.quote(access.flow, plan.start_ps, plan.work_ps);
  plan.end_ps += plan.stall_ps;
  // Refreshes during the access delay everyone. They may push the end past one more refresh.
  std::uint64_t refreshes = banks_.refreshes(plan.start_ps, plan.end_ps);
  if (refreshes > 0)
    refreshes = banks_.refreshes(plan.start_ps, plan.end_ps + refreshes * banks_.refresh_ps());
  plan.end_ps += refreshes * banks_.refresh_ps();
}

void MemoryNode::book(const NodeAccess& access, const NodePlan& plan, std::uint64_t end_ps) {
  const std::uint64_t now = now_ps();
  bus_.book(access.flow, now, plan.start_ps, end_ps, plan.work_ps, access.write);
  streams_[access.flow] = {plan.start_ps, end_ps, access.address, access.bytes};
  if (access.write) banks_.written(banks_.row_of(access.address + access.bytes - 1), plan.end_ps);
  busy_ps.add(plan.work_ps);
  turn_ps.add(plan.work_ps - access.lines * line_ps_);
  if (plan.end_ps > last_end_ps_) {
    last_end_ps_ = plan.end_ps;
    last_write_ = access.write;
  }
}

void MemoryNode::open_later_rows(const NodeAccess& access, std::uint64_t row, std::uint64_t last,
                                 std::uint64_t first_ps, std::uint64_t& stall_ps) {
  std::uint64_t lines =
      ((row + 1) * banks_.page_bytes() - access.address + line_bytes_ - 1) / line_bytes_;
  while (++row <= last) {
    // A row is opened as soon as the controller knows of a line in it.
    const std::uint64_t ahead_ps = std::min<std::uint64_t>(lines, access.ahead - 1) * line_ps_;
    const std::uint64_t needed_ps = first_ps + lines * line_ps_ + stall_ps;
    const std::uint64_t delay_ps = open_row(access.flow, row, needed_ps - ahead_ps, true).delay_ps;
    if (delay_ps > ahead_ps) stall_ps += delay_ps - ahead_ps;
    lines += banks_.page_bytes() / line_bytes_;
  }
}

void MemoryNode::count_opened(std::size_t flow, std::uint64_t row, std::uint64_t at_ps,
                              const DramBanks::Opened& opened) {
  row_opens.add();
  if (!opened.conflict) return;
  row_conflicts.add();
  // A flow that is in the middle of the closed row opens it again and pays for that.
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Stream& other = streams_[i];
    if (i == flow || at_ps < other.start_ps || at_ps >= other.end_ps) continue;
    const std::uint64_t done =
        times_over(other.bytes, at_ps - other.start_ps, 0, other.end_ps - other.start_ps);
    const std::uint64_t its_row = banks_.row_of(other.address + done);
    if (its_row == row || !banks_.same_bank(its_row, row)) continue;
    banks_.open(its_row, at_ps + opened.delay_ps);
    bus_.owe(i, banks_.conflict_ps());
    row_opens.add();
    row_conflicts.add();
    break;
  }
}

std::uint64_t MemoryNode::turn_work_ps(const NodeAccess& access, std::uint64_t from_ps,
                                       std::uint64_t to_ps) {
  const std::uint64_t opposite_ps = bus_.opposite_ps(access.flow, from_ps, to_ps, access.write);
  if (opposite_ps < line_ps_) return 0;
  const std::uint64_t opposite = opposite_ps / line_ps_;
  turn_carry_ += std::min(access.lines, opposite);
  const std::uint64_t turns = turn_carry_ / turn_lines_;
  turn_carry_ %= turn_lines_;
  return turns * (read_gap_ps_ + write_gap_ps_);
}

}  // namespace longhaul::memory
