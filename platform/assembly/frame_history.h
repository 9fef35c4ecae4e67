// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "platform/assembly/machine.h"
#include "platform/observe/frame_notes.h"
#include "platform/observe/loss_book.h"
#include "platform/observe/loss_watch.h"
#include "platform/observe/sequence_origins.h"

namespace longhaul::assembly {

/// What happened to frames since the run began, for the sinks that show frames: captures, timeline
/// and waveforms. A run with none of them has no FrameHistory, and its frames cost nothing more.
/// Built when the topology stands, which outlives it.
class FrameHistory {
 public:
  /// `captures`: whether packets get comments.
  FrameHistory(const std::vector<std::unique_ptr<Machine>>& machines, bool captures);

  observe::LossWatch& watch() const { return *watch_; }
  const observe::LossBook& losses() const { return *losses_; }
  const observe::SequenceOrigins& origins() const { return *origins_; }
  /// Null without captures.
  observe::FrameNotes* notes() const { return notes_.get(); }

 private:
  std::unique_ptr<observe::LossWatch> watch_;
  std::unique_ptr<observe::LossBook> losses_;
  std::unique_ptr<observe::SequenceOrigins> origins_;
  std::unique_ptr<observe::FrameNotes> notes_;
};

}  // namespace longhaul::assembly
