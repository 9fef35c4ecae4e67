// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/common/observe/probe.h"
#include "models/net/frame/frame_tap.h"
#include "platform/observe/record_file.h"

namespace longhaul::observe {

/// Puts the frames of a FrameTap into a record, one stream a tap: all of them, or only those that
/// were dropped.
class FrameRecorder final : public FrameListener {
 public:
  enum class Which { kAll, kDropped };

  /// Listens from now on to its end; destroy it before the tap.
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

/// Puts the spans of a SpanTap into a record.
class SpanRecorder final : public SpanListener {
 public:
  /// Listens from now on to its end; destroy it before the tap.
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
