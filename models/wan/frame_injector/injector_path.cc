// SPDX-License-Identifier: Apache-2.0
#include "models/wan/frame_injector/injector_path.h"

#include <algorithm>
#include <string>
#include <utility>

namespace longhaul::wan::frame_injector {
namespace {

constexpr char kCut[] = "cable out";
constexpr char kDark[] = "no carrier";

}  // namespace

InjectorPath::InjectorPath(const sc_core::sc_module_name& name, const FrameInjectorParams& params,
                           bool injects, CableEnd& output)
    : sc_module(name),
      output_(output),
      injects_(injects),
      wait_for_station_(params.wait_for() == "station"),
      shuffled_(params.order() == "shuffled"),
      gap_ps_(to_ps(params.gap())),
      most_rounds_(params.rounds()),
      next_odd_ps_(to_ps(params.begin())),
      maker_(params.seed(), std::string(sc_module::name()) + ".odd", params.burst()) {
  if (!injects) return;
  for (const OddKind kind : odd_kinds_named(params.frames(), sc_module::name())) {
    const OddKindInfo& known = info(kind);
    injected_.at(static_cast<std::size_t>(kind)) =
        std::make_unique<observe::Counter>(known.counter, "frame", known.description);
    for (std::uint32_t variant = 0; variant < OddFrameMaker::variants(kind); ++variant)
      round_.push_back({kind, variant});
  }
  begin_round();
}

void InjectorPath::learn(const Frame& frame) {
  if (frame.size() < ethernet::kHeaderBytes || !frame.fcs_matches()) return;
  const MacAddress source = ethernet::source(frame);
  if (ethernet::is_group(source) || source == MacAddress{}) return;
  const bool first = !station_;
  station_ = source;
  if (first) output_.kick();
}

void InjectorPath::set_cut(bool cut) {
  cut_ = cut;
  while (cut && !passing_.empty()) lose(passing_.pop_front(), kCut);
  if (!cut) output_.kick();
}

void InjectorPath::lose(const FrameRef& frame, const char* why) {
  lost.add();
  tap.report(now(), frame, observe::FrameFate::kDropped, why);
}

// ---- frames that pass

void InjectorPath::frame_received(const FrameRef& frame) {
  if (cut_) return lose(frame, kCut);
  passing_.push_back(frame);
  if (passing_.size() == 1) output_.kick();
}

std::uint64_t InjectorPath::ready_ps() const {
  return passing_.empty() ? odd_ready_ps() : now_ps();
}

FrameRef InjectorPath::take_frame() {
  const bool within_item = part_ != 0 && may_inject();
  if (within_item || passing_.empty()) return take_odd();
  FrameRef frame = passing_.pop_front();
  if (!output_.carrier()) {
    lose(frame, kDark);
    return {};
  }
  passed.add();
  tap.report(now(), frame, observe::FrameFate::kSent);
  return frame;
}

// ---- odd frames

std::uint64_t InjectorPath::odd_ready_ps() const {
  if (!may_inject() || item_ == round_.size() || (wait_for_station_ && !station_)) return kNoFrame;
  return part_ != 0 ? now_ps() : next_odd_ps_;
}

void InjectorPath::begin_round() {
  item_ = 0;
  if (!shuffled_) return;
  // Fisher and Yates. The share of an order differs from the others' by less than 2^-48.
  for (std::size_t left = round_.size(); left > 1; --left)
    std::swap(round_[left - 1], round_[maker_.random() % left]);
}

FrameRef InjectorPath::take_odd() {
  const OddItem item = round_[item_];
  FrameRef frame = maker_.make(item, part_, station_);
  const std::uint32_t slot = ethernet::kPreambleBytes + frame->octets() + ethernet::kGapBytes;
  next_odd_ps_ = now_ps() + transfer_ps(slot, output_.rate()) + gap_ps_;
  if (++part_ == maker_.parts(item)) {
    part_ = 0;
    ++item_;
    if (item_ == round_.size()) {
      rounds.add();
      if (most_rounds_ == 0 || rounds.value() < most_rounds_) begin_round();
    }
  }
  injected_.at(static_cast<std::size_t>(item.kind))->add();
  tap.report(now(), frame, observe::FrameFate::kSent, info(item.kind).name());
  return frame;
}

}  // namespace longhaul::wan::frame_injector
