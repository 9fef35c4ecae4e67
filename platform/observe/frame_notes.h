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
/// A frame is known by Frame::id(). A damaged copy of a frame, and a frame that RTL has made, have
/// their own ids: a note on one of them is not a note on the frame that was sent. Memory is
/// bounded: the first kMostNotes are kept (42 MB), and the rest is counted.
class FrameNotes final : public LossListener {
 public:
  static constexpr std::size_t kMostNotes = std::size_t{1} << 20;

  /// Records the losses of `watch` from this call on. `watch` and `losses` must outlive this
  /// object.
  FrameNotes(LossWatch& watch, const LossBook& losses, std::size_t most_notes = kMostNotes);
  FrameNotes(const FrameNotes&) = delete;
  FrameNotes& operator=(const FrameNotes&) = delete;
  ~FrameNotes() override;

  /// Uses the retransmissions that `meter` counts, as its only on_retransmit() listener. `meter`
  /// must outlive this object.
  void watch(PayloadMeter& meter);
  bool empty() const { return notes_.empty(); }
  /// One line about each event of the frame with the number `frame`, in order of time.
  std::vector<std::string> comments(std::uint64_t frame);
  /// The number of notes that were not kept because there were too many, and the time of the first
  /// of them.
  std::uint64_t left_out() const { return left_out_; }
  std::uint64_t left_out_from_ps() const { return left_out_from_ps_; }

  void on_loss(const Loss& loss) override;

 private:
  enum class What : std::uint8_t { kDropped, kSentAgain, kSentAgainNotDropped, kSentAgainNotKnown };
  struct Note {
    std::uint64_t frame;
    What what;
    PastLoss loss;  // loss of the frame, or of the bytes that it repeats
  };
  std::string text(const Note& note) const;
  void on_retransmit(const Frame& frame, const TransportHeader& header);
  void add(const Note& note);

  LossWatch& watch_;
  const LossBook& losses_;
  const std::size_t most_notes_;
  std::vector<PayloadMeter*> meters_;
  std::vector<Note> notes_;
  std::size_t sorted_ = 0;  // number of sorted notes
  std::uint64_t left_out_ = 0;
  std::uint64_t left_out_from_ps_ = 0;
};

}  // namespace longhaul::observe
