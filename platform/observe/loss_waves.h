// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "platform/observe/loss_watch.h"
#include "platform/observe/sequence_origins.h"
#include "platform/observe/wave_file.h"

namespace longhaul::observe {

/// Traces the frames that parts of the design drop: for each part a pulse a frame, `lost`, and
/// beside it as text why, and which frame it was, `last_lost`, until the next one. A part has its
/// rows from its first loss on. What is traced at the end is part of the trigger's cause, ahead of
/// others the part in which it happened.
class LossWaves final : public LossListener, public WaveSource {
 public:
  /// Where the rows of a tap stand, and what their names begin with.
  struct Place {
    std::string scope;
    std::string prefix;
  };
  /// A tap without a place of its own has its part's. `watch` outlives the recording, `origins`
  /// this.
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
    std::uint64_t ps = 0;  // of the last loss
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
