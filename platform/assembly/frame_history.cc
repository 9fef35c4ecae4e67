// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/frame_history.h"

#include "platform/observe/probe_walk.h"

namespace longhaul::assembly {

FrameHistory::FrameHistory(const std::vector<std::unique_ptr<Machine>>& machines, bool captures)
    : watch_(std::make_unique<observe::LossWatch>(observe::ProbeWalk().frame_taps)),
      losses_(std::make_unique<observe::LossBook>(*watch_)),
      origins_(std::make_unique<observe::SequenceOrigins>()) {
  if (captures) notes_ = std::make_unique<observe::FrameNotes>(*watch_, *losses_);
  for (const auto& machine : machines) {
    for (const auto& [device, adapter] : machine->adapters()) {
      if (captures) notes_->watch(*machine->payload_meter(device));
      origins_->watch(adapter->sent_frames());
    }
  }
}

}  // namespace longhaul::assembly
