// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/common/observe/probe.h"
#include "platform/observe/loss_watch.h"
#include "platform/observe/output_file.h"
#include "platform/observe/sequence_origins.h"

namespace longhaul::observe {

/// Writes the spans of SpanTaps to a binary file of fixed-size records (format:
/// README.md#spansbin).
///
/// There is one track for each tap, and one record for each span in order of reporting; labels are
/// interned. With a LossWatch a last track, "lost frames", has an instant for each frame that any
/// part drops. It has the label "PART: reason", the frame's number (a capture's packet id), and for
/// TCP its relative sequence number.
///
/// The file is bounded: after `most_spans` the rest is counted, not kept, and the header has their
/// number and the time of the first. A failed write stops the simulation; check() and close() throw
/// its SinkError.
class SpanSink final : public SpanListener, public LossListener {
 public:
  /// 20 million spans of 40 bytes: 800 MB.
  static constexpr std::uint64_t kMostSpans = 20'000'000;

  /// Listens to all `taps` from this call on.
  SpanSink(const std::string& path, const std::vector<SpanTap*>& taps,
           std::uint64_t most_spans = kMostSpans, LossWatch* losses = nullptr,
           const SequenceOrigins* origins = nullptr);
  SpanSink(const SpanSink&) = delete;
  SpanSink& operator=(const SpanSink&) = delete;
  ~SpanSink() override;

  void on_span(const SpanTap& tap, std::uint64_t start_ps, std::uint64_t end_ps, const char* label,
               std::uint64_t arg0, std::uint64_t arg1) override;
  void on_loss(const Loss& loss) override;
  /// Stops listening, writes the label table and the header's numbers, and gives the file its name.
  void close();
  /// Throws the SinkError of the first failed write, if there was one.
  void check() const { file_.check(); }
  /// Spans that were not recorded because the file was full.
  std::uint64_t lost() const { return lost_; }

 private:
  void stop();
  void put(std::uint64_t start_ps, std::uint64_t end_ps, std::uint64_t arg0, std::uint64_t arg1,
           std::uint32_t track, std::uint32_t label);
  std::uint32_t label_number(const char* label);
  std::uint32_t label_number(const std::string& label);

  OutputFile file_;
  std::vector<SpanTap*> taps_;
  LossWatch* losses_;
  const SequenceOrigins* const origins_;
  std::unordered_map<const SpanTap*, std::uint32_t> track_of_;
  std::unordered_map<const char*, std::uint32_t> label_at_;  // by address: a label is static text
  // By content: the same text may be at two addresses.
  std::unordered_map<std::string, std::uint32_t> label_of_;
  std::vector<std::string> labels_;
  const std::uint64_t most_spans_;
  std::uint32_t tracks_ = 0;
  std::uint64_t records_offset_ = 0;
  std::uint64_t spans_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t first_lost_ps_ = 0;
  bool closed_ = false;
};

}  // namespace longhaul::observe
