// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/pcix_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "platform/cosim/bus/pcix_rules.h"

namespace longhaul::cosim {
namespace {

namespace command = pcix_command;
namespace group = pcix_group;

constexpr std::uint32_t kIdleClocks = 16;  // until the host looks at REQ# only
constexpr std::uint32_t kUpper = group::kAd64 | group::kCbe64 | group::kPar64;

}  // namespace

PcixHost::PcixHost(RtlBlock& block, ClockDomain& clock, const PcixPins& pins,
                   PcixAccessClient& client, BlockMemory& memory, PcixHostParams params,
                   CheckerSink* sink)
    : block_(block),
      clock_(clock),
      watcher_(clock.watch(*this, false)),
      pins_(pins),
      params_(std::move(params)),
      checker_(params_.prefix, sink),
      memory_(block, memory, params_.posted_writes, kPcixHostId,
              [this] { wake(block_.input_ps()); }),
      accesses_(block, *this, client, memory_, checker_, params_.patience, params_.wide) {
  watcher_.wake_by(pins_.req, 1);
  pins_.reset.wakes(watcher_);
}

void PcixHost::access(const PcixAccess& access) { queue(access, block_.input_ps()); }

void PcixHost::queue(const PcixAccess& access, std::uint64_t from_ps) {
  accesses_.add(access, from_ps);
  wake(from_ps);
}

void PcixHost::wake(std::uint64_t from_ps) {
  watcher_.wake();
  if (!std::exchange(held_, true)) clock_.hold(from_ps);
}

void PcixHost::reset_clock() {
  pins_.show_pattern(params_.trdy_low, params_.stop_low, params_.wide);
  checker_.reset();
  was_reset_ = true;
}

void PcixHost::clocked(std::uint64_t edge_ps) {
  edge_ps_ = edge_ps;
  ++clocks_;
  accesses_.tick();
  if (pins_.reset.active()) return reset_clock();
  const PcixClock device = pins_.driven();
  const bool asks = !pins_.req.high();
  const PcixClock mine = std::exchange(was_reset_, false) ? PcixClock{} : drive();
  const PcixClock bus = resolved(device, mine);
  const bool granted = owner_ == Owner::kDevice;
  pins_.show(bus);
  pins_.gnt.set(granted ? 0 : 1);
  pins_.idsel.set(idsel_ ? 1 : 0);
  checker_.clock(edge_ps, bus, device, mine, granted, params_.wide);
  if (listener_ != nullptr) listener_->on_clock(bus, device, mine, granted);
  bus_[2] = bus_[1];
  bus_[1] = bus_[0];
  bus_[0] = bus;
  asked_[1] = asked_[0];
  asked_[0] = asks;
  mine_ = mine;
  if ((clocks_ & 0xffU) == 0) accesses_.count_patience();
  rest(device, asks);
}

/// Returns what the host drives in this clock, by the bus two clocks before.
PcixClock PcixHost::drive() {
  const PcixClock seen = bus_[1];
  const bool free = !seen.frame && (!seen.irdy || !bus_[2].frame);
  auto due = PcixAccesses::Due::kNothing;
  if (!initiator_.active())
    due = accesses_.due(clocks_ < retry_completion_ ? 0 : memory_.due(edge_ps_));
  const bool wants = due != PcixAccesses::Due::kNothing;
  if (wants && free && owned_[1] == Owner::kHost) begin(due);
  PcixClock share;
  const bool own = initiator_.active();
  if (own) {
    share = initiator_.step(seen);
    if (initiator_.done()) end_work();
  }
  idsel_ = initiator_.active() && initiator_.idsel();
  const PcixClock target = target_.step(seen, own, params_.wide);
  if (target.drives != 0) {
    share.drives |= target.drives;
    share.devsel = target.devsel;
    share.trdy = target.trdy;
    share.stop = target.stop;
    share.ack64 = target.ack64;
  }
  grant(seen, asked_[1], initiator_.active() || wants);
  if (!params_.wide) share.drives &= ~kUpper;
  PcixClock mine = share;
  mine.drives |= raw_.drives & group::kSustained;  // a clock high before it is let go
  raw_ = share;
  add_parity(mine);
  return mine;
}

void PcixHost::add_parity(PcixClock& mine) const {
  const std::uint8_t cbe = (mine_.drives & group::kCbe) != 0 ? bus_[0].cbe : bus_[1].cbe;
  if ((mine_.drives & group::kAd) != 0) {
    mine.drives |= group::kPar;
    mine.par = pcix_parity(bus_[0].low(), cbe);
  }
  if ((mine_.drives & group::kAd64) != 0) {
    mine.drives |= group::kPar64;
    mine.par64 = pcix_parity(static_cast<std::uint32_t>(bus_[0].ad >> 32U), cbe >> 4U);
  }
}

/// Returns the levels of the wires. A wire is high while nobody drives it.
PcixClock PcixHost::resolved(const PcixClock& device, const PcixClock& host) const {
  constexpr std::uint64_t kLow = 0xffff'ffff;
  PcixClock bus;
  for (const PcixClock* const each : {&host, &device}) {
    const std::uint32_t drives = each->drives;
    if ((drives & group::kAd) != 0) bus.ad = (bus.ad & ~kLow) | (each->ad & kLow);
    if ((drives & group::kAd64) != 0) bus.ad = (bus.ad & kLow) | (each->ad & ~kLow);
    if ((drives & group::kCbe) != 0)
      bus.cbe = static_cast<std::uint8_t>((bus.cbe & 0xf0U) | (each->cbe & 0xfU));
    if ((drives & group::kCbe64) != 0)
      bus.cbe = static_cast<std::uint8_t>((bus.cbe & 0xfU) | (each->cbe & 0xf0U));
    if ((drives & group::kPar) != 0) bus.par = each->par;
    if ((drives & group::kPar64) != 0) bus.par64 = each->par64;
    bus.frame |= each->frame;
    bus.irdy |= each->irdy;
    bus.trdy |= each->trdy;
    bus.stop |= each->stop;
    bus.devsel |= each->devsel;
    bus.req64 |= each->req64;
    bus.ack64 |= each->ack64;
    bus.perr |= each->perr;
    bus.drives |= drives;
  }
  return bus;
}

/// Gives GNT# to one of both, by turns, with a clock for nobody between the two.
void PcixHost::grant(const PcixClock& seen, bool device_asks, bool host_asks) {
  if (seen.frame && !frame_seen_) started_ = true;
  frame_seen_ = seen.frame;
  if (owner_ == Owner::kNobody) {
    const bool host = host_asks && (!device_asks || last_owner_ == Owner::kDevice);
    if (host || device_asks) last_owner_ = owner_ = host ? Owner::kHost : Owner::kDevice;
    started_ = false;
  } else {
    const bool by_host = owner_ == Owner::kHost;
    const bool asks = by_host ? host_asks : device_asks;
    const bool other = by_host ? device_asks : host_asks;
    const bool quiet = !asks && !other && !by_host && !seen.frame && !seen.irdy;
    if ((other && (started_ || !asks)) || quiet) owner_ = Owner::kNobody;
  }
  owned_[1] = owned_[0];
  owned_[0] = owner_;
}

void PcixHost::begin(PcixAccesses::Due due) {
  completes_ = due == PcixAccesses::Due::kCompletion;
  if (completes_) {
    memory_.fill(work_);
    work_.wide = params_.wide && work_.bytes > 4;
  } else {
    accesses_.begin(work_);
  }
  initiator_.begin(work_);
}

void PcixHost::end_work() {
  if (!completes_) return accesses_.ended(work_);
  if (work_.ending == PcixEnding::kRetry) retry_completion_ = clocks_ + kPcixRetryClocks;
  if (memory_.ended(work_)) return;
  checker_.broken(pcix_rules::kCompletion, edge_ps_, "devsel",
                  "the device does not take the data of its own read");
}

bool PcixHost::claims(const PcixTaken& taken) {
  if (taken.command == command::kSplitCompletion)
    return (taken.address >> 8U & 0xffffU) == kPcixHostId;
  return taken.command == command::kReadDword || taken.command == command::kReadBlock ||
         taken.command == command::kReadBlockAlias || command::is_memory_write(taken.command);
}

PcixAnswer PcixHost::answer(const PcixTaken& taken) {
  PcixAnswer answer;
  if (taken.command == command::kSplitCompletion) return answer;
  const bool read = command::is_read(taken.command);
  if (read && memory_.tag_is_open(taken.tag())) {
    checker_.broken(pcix_rules::kCompletion, edge_ps_, "ad",
                    fmt::format("tag {} is that of a read that waits", taken.tag()));
    answer.kind = PcixAnswer::Kind::kTargetAbort;
    return answer;
  }
  if ((!read && !memory_.has_room(edge_ps_)) || params_.stalls.stalls()) {
    answer.kind = PcixAnswer::Kind::kRetry;
    return answer;
  }
  if (read) {
    answer.kind = PcixAnswer::Kind::kSplit;
    return answer;
  }
  answer.waits = params_.stalls.stalls() ? 2 : 0;
  answer.cut = params_.stalls.stalls();
  return answer;
}

void PcixHost::taken(const PcixTaken& taken) {
  if (taken.command == command::kSplitCompletion) return accesses_.complete(taken);
  if (taken.split) {
    memory_.take_read(taken);
  } else {
    memory_.take_write(taken);
  }
  block_.call_at_edge(*this);
}

bool PcixHost::busy() const {
  return !accesses_.empty() || initiator_.active() || !target_.idle() || memory_.due(edge_ps_) != 0;
}

/// Lets the clock stand still, or this object sleep, while nothing happens on the bus.
void PcixHost::rest(const PcixClock& device, bool asks) {
  if (busy()) {
    idle_clocks_ = 0;
    if (!std::exchange(held_, true)) clock_.hold(edge_ps_);
    return;
  }
  if (std::exchange(held_, false)) clock_.release();
  if (asks || device.drives != 0 || mine_.drives != 0 || owner_ == Owner::kDevice) {
    idle_clocks_ = 0;
  } else if (++idle_clocks_ >= kIdleClocks) {
    idle_clocks_ = 0;
    watcher_.sleep();
  }
}

}  // namespace longhaul::cosim
