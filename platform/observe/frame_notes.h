// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/observe/loss_book.h"
#include "platform/observe/payload_meter.h"

namespace longhaul::observe {

/// Comments on frames that were sent: where a frame was dropped later, and that it is a
/// retransmission, and of which bytes.
///
/// A frame is known by Frame::id(). A damaged copy of a frame, and a frame that RTL has made anew,
/// have ids of their own: a note on one of them is none on the frame that was sent. Bounded: the
/// first kMostNotes are kept (42 MB); the rest is counted.
class FrameNotes final : public LossListener {
 public:
  static constexpr std::size_t kMostNotes = std::size_t{1} << 20;

  /// Notes what `watch` tells from now on; it and `losses` outlive this.
  FrameNotes(LossWatch& watch, const LossBook& losses, std::size_t most_notes = kMostNotes);
  FrameNotes(const FrameNotes&) = delete;
  FrameNotes& operator=(const FrameNotes&) = delete;
  ~FrameNotes() override;

  /// Retransmissions are those that `meter`, which outlives this, counts. Its one on_retransmit().
  void watch(PayloadMeter& meter);
  bool empty() const { return notes_.empty(); }
  /// One line about each thing that happened to the frame with the number `frame`, in order of
  /// time.
  std::vector<std::string> comments(std::uint64_t frame);
  /// Notes that were not kept because there were too many, and when the first of those was due.
  std::uint64_t left_out() const { return left_out_; }
  std::uint64_t left_out_from_ps() const { return left_out_from_ps_; }

  void on_loss(const Loss& loss) override;

 private:
  enum class What : std::uint8_t { kDropped, kSentAgain, kSentAgainNotDropped, kSentAgainNotKnown };
  struct Note {
    std::uint64_t frame;
    What what;
    PastLoss loss;  // of the frame, or of the bytes that it brings again
  };
  std::string text(const Note& note) const;
  void on_retransmit(const Frame& frame, const TransportHeader& header);
  void add(const Note& note);

  LossWatch& watch_;
  const LossBook& losses_;
  const std::size_t most_notes_;
  std::vector<PayloadMeter*> meters_;
  std::vector<Note> notes_;
  std::size_t sorted_ = 0;  // of notes_
  std::uint64_t left_out_ = 0;
  std::uint64_t left_out_from_ps_ = 0;
};

}  // namespace longhaul::observe
