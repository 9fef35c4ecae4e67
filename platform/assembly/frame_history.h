// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "platform/assembly/machine.h"
#include "platform/observe/loss_book.h"
#include "platform/observe/loss_watch.h"
#include "platform/observe/sequence_origins.h"

namespace longhaul::assembly {

/// What has become of frames since the run began, for the sinks that show frames: captures, timeline and waveforms. Built when the topology
/// stands, which outlives it.
class FrameHistory {
 public:
  explicit FrameHistory(const std::vector<std::unique_ptr<Machine>>& machines);

  observe::LossWatch& watch() const { return *watch_; }
  observe::LossBook& losses() const { return *losses_; }
  const observe::SequenceOrigins& origins() const { return *origins_; }

 private:
  std::unique_ptr<observe::LossWatch> watch_;
  std::unique_ptr<observe::LossBook> losses_;
  std::unique_ptr<observe::SequenceOrigins> origins_;
};

}  // namespace longhaul::assembly
