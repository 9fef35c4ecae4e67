// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/loss_watch.h"

#include <fmt/format.h>

#include "models/net/frame/not_lost.h"

namespace longhaul::observe {
namespace {

std::string part_of(const FrameTap& tap) {
  const sc_core::sc_object* const owner = tap.get_parent_object();
  return owner == nullptr ? tap.name() : owner->name();
}

}  // namespace

std::string PastLoss::text() const {
  constexpr std::uint64_t kPsInNs = 1000, kNsInS = 1'000'000'000;
  const std::uint64_t ns = ps / kPsInNs;
  return fmt::format("{} at {}.{:09} s ({})", *place, ns / kNsInS, ns % kNsInS, why);
}

LossWatch::Place::Place(LossWatch& owner, FrameTap& reports)
    : watch(owner), tap(reports), name(part_of(reports)) {}

void LossWatch::Place::on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                                const char* why) {
  if (fate != FrameFate::kDropped || !is_loss(why)) return;
  const Loss loss{to_ps(at), tap, name, frame, why};
  watch.listeners_.tell([&](LossListener& listener) { listener.on_loss(loss); });
}

LossWatch::LossWatch(const std::vector<FrameTap*>& taps) {
  for (FrameTap* tap : taps) places_.push_back(std::make_unique<Place>(*this, *tap));
}

LossWatch::~LossWatch() {
  if (!listeners_.any()) return;
  for (const auto& place : places_) place->tap.ignore(place.get());
}

void LossWatch::listen(LossListener* listener) {
  if (!listeners_.any()) {
    for (const auto& place : places_) place->tap.listen(place.get());
  }
  listeners_.add(listener);
}

void LossWatch::ignore(LossListener* listener) {
  if (!listeners_.any()) return;
  listeners_.remove(listener);
  if (listeners_.any()) return;
  for (const auto& place : places_) place->tap.ignore(place.get());
}

}  // namespace longhaul::observe
