// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/span_sink.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace longhaul::observe {
namespace {

// The structs below are the file's layout; the platform's hosts are little-endian.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

struct Header {
  char magic[8] = {'L', 'H', 'S', 'P', 'A', 'N', 'S', '1'};
  std::uint32_t header_bytes = sizeof(Header);
  std::uint32_t record_bytes = 0;
  std::uint32_t tracks = 0;
  std::uint32_t labels = 0;
  std::uint64_t records_offset = 0;
  std::uint64_t records = 0;
  std::uint64_t labels_offset = 0;
  std::uint64_t lost = 0;
  std::uint64_t first_lost_ps = 0;
};
static_assert(sizeof(Header) == 64);

struct Record {
  std::uint64_t start_ps;
  std::uint64_t end_ps;
  std::uint64_t arg0;
  std::uint64_t arg1;
  std::uint32_t track;
  std::uint32_t label;
};
static_assert(sizeof(Record) == 40);

void write_text(OutputFile& file, std::string_view text) {
  const auto size = static_cast<std::uint16_t>(
      std::min<std::size_t>(text.size(), std::numeric_limits<std::uint16_t>::max()));
  file.write(&size, sizeof size);
  file.write(text.data(), size);
}

}  // namespace

SpanSink::SpanSink(const std::string& path, const std::vector<SpanTap*>& taps,
                   std::uint64_t most_spans, LossWatch* losses, const SequenceOrigins* origins)
    : file_(path), taps_(taps), losses_(losses), origins_(origins), most_spans_(most_spans) {
  const Header none;
  file_.write(&none, sizeof none);
  for (SpanTap* tap : taps_) {
    track_of_.emplace(tap, static_cast<std::uint32_t>(track_of_.size()));
    write_text(file_, tap->name());
    write_text(file_, tap->description());
  }
  tracks_ = static_cast<std::uint32_t>(track_of_.size());
  if (losses_ != nullptr) {
    ++tracks_;
    write_text(file_, "lost frames");
    write_text(file_, "frames that a part dropped, with its reason");
    losses_->listen(this);
  }
  constexpr std::uint64_t kAlign = 8;
  const std::uint64_t zero = 0;
  file_.write(&zero, (kAlign - file_.offset() % kAlign) % kAlign);
  records_offset_ = file_.offset();
  for (SpanTap* tap : taps_) tap->listen(this);
}

SpanSink::~SpanSink() { stop(); }

void SpanSink::on_span(const SpanTap& tap, std::uint64_t start_ps, std::uint64_t end_ps,
                       const char* label, std::uint64_t arg0, std::uint64_t arg1) {
  put(start_ps, end_ps, arg0, arg1, track_of_.find(&tap)->second, label_number(label));
}

void SpanSink::on_loss(const Loss& loss) {
  std::uint64_t sequence = 0;
  if (const auto header = transport_header(*loss.frame)) {
    const std::uint32_t origin = origins_ == nullptr ? 0 : origins_->of(header->flow).value_or(0);
    sequence = header->sequence - origin;
  }
  const std::uint32_t label = label_number(loss.place + ": " + loss.why);
  put(loss.ps, loss.ps, loss.frame->id(), sequence, tracks_ - 1, label);
}

void SpanSink::put(std::uint64_t start_ps, std::uint64_t end_ps, std::uint64_t arg0,
                   std::uint64_t arg1, std::uint32_t track, std::uint32_t label) {
  if (spans_ == most_spans_) {
    if (lost_++ == 0) first_lost_ps_ = end_ps;
    return;
  }
  ++spans_;
  const Record record{start_ps, end_ps, arg0, arg1, track, label};
  file_.write(&record, sizeof record);
}

std::uint32_t SpanSink::label_number(const char* label) {
  const auto known = label_at_.find(label);
  if (known != label_at_.end()) return known->second;
  const std::uint32_t number = label_number(std::string(label));
  label_at_.emplace(label, number);
  return number;
}

std::uint32_t SpanSink::label_number(const std::string& label) {
  const auto [entry, is_new] = label_of_.emplace(label, static_cast<std::uint32_t>(labels_.size()));
  if (is_new) labels_.push_back(label);
  return entry->second;
}

void SpanSink::close() {
  stop();
  if (!closed_) {
    Header header;
    header.record_bytes = sizeof(Record);
    header.tracks = tracks_;
    header.labels = static_cast<std::uint32_t>(labels_.size());
    header.records_offset = records_offset_;
    header.records = spans_;
    header.labels_offset = file_.offset();
    header.lost = lost_;
    header.first_lost_ps = first_lost_ps_;
    for (const std::string& label : labels_) write_text(file_, label);
    file_.patch(0, &header, sizeof header);
    closed_ = true;
  }
  file_.close();
}

void SpanSink::stop() {
  for (SpanTap* tap : taps_) tap->ignore(this);
  taps_.clear();
  if (losses_ != nullptr) losses_->ignore(this);
  losses_ = nullptr;
}

}  // namespace longhaul::observe
