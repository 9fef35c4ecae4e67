// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/common/observe/probe.h"
#include "models/net/frame/frame_tap.h"
#include "platform/observe/record_file.h"

namespace longhaul::observe {

/// Records the frames of a FrameTap, one stream for each tap: all frames, or only dropped ones.
class FrameRecorder final : public FrameListener {
 public:
  enum class Which { kAll, kDropped };

  /// Listens for its lifetime. Destroy it before the tap.
  FrameRecorder(RecordFile& file, FrameTap& tap, const std::string& name,
                const std::string& description, Which which);
  FrameRecorder(const FrameRecorder&) = delete;
  FrameRecorder& operator=(const FrameRecorder&) = delete;
  ~FrameRecorder() override { tap_.ignore(this); }

  void on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                const char* why) override;

 private:
  void summarize(const Frame& frame, RecordLine& line);

  RecordFile& file_;
  FrameTap& tap_;
  const Which which_;
  const std::uint16_t stream_;
};

/// Records the spans of a SpanTap.
class SpanRecorder final : public SpanListener {
 public:
  /// Listens for its lifetime. Destroy it before the tap.
  SpanRecorder(RecordFile& file, SpanTap& tap);
  SpanRecorder(const SpanRecorder&) = delete;
  SpanRecorder& operator=(const SpanRecorder&) = delete;
  ~SpanRecorder() override { tap_.ignore(this); }

  void on_span(const SpanTap& tap, std::uint64_t start_ps, std::uint64_t end_ps, const char* label,
               std::uint64_t arg0, std::uint64_t arg1) override;

 private:
  RecordFile& file_;
  SpanTap& tap_;
  const std::uint16_t stream_;
};

}  // namespace longhaul::observe
