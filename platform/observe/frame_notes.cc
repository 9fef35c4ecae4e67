// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/frame_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "models/common/units.h"

namespace longhaul::observe {

FrameNotes::FrameNotes(LossWatch& watch, const LossBook& losses, std::size_t most_notes)
    : watch_(watch), losses_(losses), most_notes_(most_notes) {
  watch_.listen(this);
}

FrameNotes::~FrameNotes() {
  watch_.ignore(this);
  for (PayloadMeter* meter : meters_) meter->on_retransmit({});
}

void FrameNotes::watch(PayloadMeter& meter) {
  meters_.push_back(&meter);
  meter.on_retransmit(
      [this](const Frame& frame, const TransportHeader& header) { on_retransmit(frame, header); });
}

void FrameNotes::on_loss(const Loss& loss) {
  add({loss.frame->id(), What::kDropped, {loss.ps, &loss.place, loss.why}});
}

void FrameNotes::on_retransmit(const Frame& frame, const TransportHeader& header) {
  const std::uint32_t bytes = std::max(1U, sequence_length(header));
  if (const auto loss = losses_.last_loss(header.flow, header.sequence, bytes))
    return add({frame.id(), What::kSentAgain, *loss});
  add({frame.id(), losses_.forgets() ? What::kSentAgainNotKnown : What::kSentAgainNotDropped, {}});
}

void FrameNotes::add(const Note& note) {
  if (notes_.size() < most_notes_) {
    notes_.push_back(note);
  } else if (left_out_++ == 0) {
    left_out_from_ps_ = now_ps();
  }
}

std::string FrameNotes::text(const Note& note) const {
  switch (note.what) {
    case What::kDropped: return "dropped later: " + note.loss.text();
    case What::kSentAgain: return "retransmission: of bytes dropped by " + note.loss.text();
    case What::kSentAgainNotDropped: return "retransmission: no part has dropped these bytes";
    case What::kSentAgainNotKnown: break;
  }
  return fmt::format("retransmission: the last {} losses are not of these bytes",
                     losses_.most_losses());
}

std::vector<std::string> FrameNotes::comments(std::uint64_t frame) {
  const auto earlier = [](const Note& a, const Note& b) { return a.frame < b.frame; };
  if (sorted_ != notes_.size()) std::stable_sort(notes_.begin(), notes_.end(), earlier);
  sorted_ = notes_.size();
  std::vector<std::string> all;
  for (auto note = std::lower_bound(notes_.begin(), notes_.end(), Note{frame, {}, {}}, earlier);
       note != notes_.end() && note->frame == frame; ++note) {
    all.push_back(text(*note));
  }
  return all;
}

}  // namespace longhaul::observe
