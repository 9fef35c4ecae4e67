// SPDX-License-Identifier: Apache-2.0
#include "platform/python/bindings/watching.h"

#include <algorithm>
#include <string>
#include <utility>

#include "models/common/units.h"

namespace nb = nanobind;

namespace longhaul::bindings {
namespace {

using observe::Counter;
using observe::FrameTap;
using observe::Gauge;
using observe::Level;
using observe::Probe;
using observe::Signal;
using observe::SpanTap;
using observe::StateClock;

/// A value reported by a probe, kept until no process runs.
struct Change {
  std::uint64_t at_ps;
  std::uint64_t value;
};

nb::object in_python(const Change& change) { return nb::int_(change.value); }

struct SeenFrame {
  std::uint64_t at_ps;
  observe::FrameFate fate;
  std::uint32_t octets;  // with FCS
  const char* why;
  std::string head;
};

nb::object in_python(const SeenFrame& frame) {
  const char* fate = "dropped";
  if (frame.fate == observe::FrameFate::kSent) fate = "sent";
  if (frame.fate == observe::FrameFate::kReceived) fate = "received";
  return nb::make_tuple(fate, frame.octets, frame.why,
                        nb::bytes(frame.head.data(), frame.head.size()));
}

struct SeenSpan {
  std::uint64_t at_ps;  // begin
  std::uint64_t end_ps;
  const char* label;
  std::uint64_t arg0;
  std::uint64_t arg1;
};

nb::object in_python(const SeenSpan& span) {
  return nb::make_tuple(span.end_ps, span.label, span.arg0, span.arg1);
}

/// Keeps values that are reported while processes run, and passes them to Python after the instant.
template <class Said>
class Queued : public Subscription {
 public:
  void drain() final {
    std::vector<Said> said;
    said.swap(said_);
    if (said.empty()) return;
    const nb::gil_scoped_acquire lock;
    for (const Said& each : said) told_(each.at_ps, in_python(each));
  }

 protected:
  using Subscription::Subscription;
  std::vector<Said> said_;
};

template <class Source>
class OfValues final : public Queued<Change>, private observe::ValueListener {
 public:
  OfValues(Source& probe, nb::callable told) : Queued(std::move(told)), probe_(probe) {
    probe_.listen(this);
  }
  ~OfValues() override { probe_.ignore(this); }

 private:
  void on_value(const Probe&, std::uint64_t value) override { said_.push_back({now_ps(), value}); }
  Source& probe_;
};

class OfFrames final : public Queued<SeenFrame>, private observe::FrameListener {
 public:
  OfFrames(FrameTap& tap, nb::callable told) : Queued(std::move(told)), tap_(tap) {
    tap_.listen(this);
  }
  ~OfFrames() override { tap_.ignore(this); }

 private:
  static constexpr std::uint32_t kHeadBytes = 128;  // all headers
  void on_frame(const sc_core::sc_time& at, const FrameRef& frame, observe::FrameFate fate,
                const char* why) override {
    const std::uint32_t head = std::min(frame->size(), kHeadBytes);
    said_.push_back({to_ps(at), fate, frame->octets(), why,
                     std::string(reinterpret_cast<const char*>(frame->data()), head)});
  }
  FrameTap& tap_;
};

class OfSpans final : public Queued<SeenSpan>, private observe::SpanListener {
 public:
  OfSpans(SpanTap& tap, nb::callable told) : Queued(std::move(told)), tap_(tap) {
    tap_.listen(this);
  }
  ~OfSpans() override { tap_.ignore(this); }

 private:
  void on_span(const SpanTap&, std::uint64_t start_ps, std::uint64_t end_ps, const char* label,
               std::uint64_t arg0, std::uint64_t arg1) override {
    said_.push_back({start_ps, end_ps, label, arg0, arg1});
  }
  SpanTap& tap_;
};

/// Watches a probe that has no listeners: reads its value and compares it with the last one.
template <class Source>
class Polled final : public Subscription {
 public:
  Polled(const Source& probe, nb::callable told)
      : Subscription(std::move(told)), probe_(probe), last_(present(probe)) {}
  void drain() override {
    const std::uint64_t now = present(probe_);
    if (now == last_) return;
    last_ = now;
    const nb::gil_scoped_acquire lock;
    told_(now_ps(), shown(probe_, now));
  }

 private:
  static std::uint64_t present(const StateClock& clock) { return clock.state(); }
  template <class Number>
  static std::uint64_t present(const Number& probe) {
    return probe.value();
  }
  static nb::object shown(const StateClock& clock, std::uint64_t state) {
    return nb::cast(clock.states()[state].c_str());
  }
  template <class Number>
  static nb::object shown(const Number&, std::uint64_t value) {
    return nb::int_(value);
  }

  const Source& probe_;
  std::uint64_t last_;
};

template <class Source, class... Others, class Visitor>
bool visit_as(Probe& probe, Visitor&& visitor) {
  if (auto* typed = dynamic_cast<Source*>(&probe)) {
    visitor(*typed);
    return true;
  }
  if constexpr (sizeof...(Others) == 0) {
    return false;
  } else {
    return visit_as<Others...>(probe, visitor);
  }
}

}  // namespace

const char* kind_of(const Probe& probe) {
  if (dynamic_cast<const Counter*>(&probe) != nullptr) return "counter";
  if (dynamic_cast<const Level*>(&probe) != nullptr) return "level";
  if (dynamic_cast<const Signal*>(&probe) != nullptr) return "signal";
  if (dynamic_cast<const Gauge*>(&probe) != nullptr) return "gauge";
  if (dynamic_cast<const StateClock*>(&probe) != nullptr) return "states";
  if (dynamic_cast<const FrameTap*>(&probe) != nullptr) return "frames";
  return "spans";
}

nb::object value_of(const Probe& probe) {
  if (const auto* counter = dynamic_cast<const Counter*>(&probe)) return nb::int_(counter->value());
  if (const auto* level = dynamic_cast<const Level*>(&probe)) return nb::int_(level->value());
  if (const auto* signal = dynamic_cast<const Signal*>(&probe)) return nb::int_(signal->value());
  if (const auto* gauge = dynamic_cast<const Gauge*>(&probe)) return nb::int_(gauge->value());
  const auto* const clock = dynamic_cast<const StateClock*>(&probe);
  if (clock == nullptr) return nb::none();
  nb::dict spent;
  for (std::size_t state = 0; state < clock->states().size(); ++state)
    spent[clock->states()[state].c_str()] = static_cast<std::int64_t>(clock->spent_ps(state));
  return spent;
}

std::unique_ptr<Subscription> Subscription::to(Probe& probe, nb::callable told) {
  std::unique_ptr<Subscription> made;
  visit_as<Level, Signal>(probe, [&](auto& p) {
    made = std::make_unique<OfValues<std::decay_t<decltype(p)>>>(p, told);
  });
  visit_as<Counter, Gauge, StateClock>(
      probe, [&](auto& p) { made = std::make_unique<Polled<std::decay_t<decltype(p)>>>(p, told); });
  visit_as<FrameTap>(probe, [&](FrameTap& tap) { made = std::make_unique<OfFrames>(tap, told); });
  visit_as<SpanTap>(probe, [&](SpanTap& tap) { made = std::make_unique<OfSpans>(tap, told); });
  return made;
}

}  // namespace longhaul::bindings
