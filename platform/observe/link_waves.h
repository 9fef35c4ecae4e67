// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/net/frame/frame_tap.h"
#include "platform/observe/sequence_origins.h"
#include "platform/observe/wave_file.h"

namespace longhaul::observe {

/// Traces the frames on one direction of a link as a row of decoded text, each from its first bit
/// to its last.
class LinkWaves final : public FrameListener, public WaveSource {
 public:
  /// `name` is that of the row. With `numbers` each text begins with the frame's number, "#1234":
  /// a capture's packet id. The tap must outlive the recording; the origins must outlive this
  /// object.
  LinkWaves(const WaveScope& scope, const std::string& name, FrameTap& tap,
            std::uint64_t bits_per_s, const SequenceOrigins& origins, bool numbers = false);

  void on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                const char* why) override;
  void waves_begin() override;
  void waves_end() override { tap_.ignore(this); }

 private:
  WaveFile& file_;
  FrameTap& tap_;
  const std::uint64_t bits_per_s_;
  const SequenceOrigins& origins_;
  const bool numbers_;
  Wave packet_;
};

}  // namespace longhaul::observe
