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

/// The history of frames since the run began, for the sinks that show frames: captures, timeline
/// and waves. A run without these has no FrameHistory, and its frames cost nothing more. It is
/// made after the topology is built, and the topology must outlive it.
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
