// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "platform/observe/loss_watch.h"
#include "platform/observe/sequence_origins.h"
#include "platform/observe/wave_file.h"

namespace longhaul::observe {

/// Traces the frames that parts of the design drop. For each part it has `lost`, a pulse for each
/// frame, and `last_lost`, the reason and the frame as text until the next loss. A part has its
/// rows from its first loss on. Losses at the end are shown with the trigger's cause, first those
/// of the part in which it happened.
class LossWaves final : public LossListener, public WaveSource {
 public:
  /// The scope of a tap's rows, and the prefix of their names.
  struct Place {
    std::string scope;
    std::string prefix;
  };
  /// A tap without a place has its part's place. `watch` must outlive the recording; `origins` must
  /// outlive this object.
  LossWaves(WaveFile& file, std::uint32_t rank, LossWatch& watch, const SequenceOrigins& origins,
            std::unordered_map<const FrameTap*, Place> places);

  void on_loss(const Loss& loss) override;
  void waves_begin() override { watch_.listen(this); }
  void waves_end() override;

 private:
  struct Rows {
    const std::string* part;
    std::string scope;
    Wave lost;
    Wave last;
    std::uint64_t ps = 0;  // time of the last loss
  };
  Rows& rows_of(const Loss& loss);
  void explain(const Rows& rows);

  WaveFile& file_;
  const std::uint32_t rank_;
  LossWatch& watch_;
  const SequenceOrigins& origins_;
  const std::unordered_map<const FrameTap*, Place> places_;
  std::vector<Rows> rows_;  // in order of their first loss
  std::unordered_map<const FrameTap*, std::size_t> index_;
};

}  // namespace longhaul::observe
