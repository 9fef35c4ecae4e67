// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/record_taps.h"

#include "models/common/units.h"
#include "platform/observe/digest.h"
#include "platform/observe/tcp_segment.h"

namespace longhaul::observe {
namespace {

// RecordLine::code of a frame: FrameFate, and these bits.
constexpr std::uint8_t kDamaged = 0x80;
constexpr std::uint8_t kTcp = 0x40;
constexpr std::uint8_t kIpv6 = 0x20;

/// Returns the last four bytes, in which hosts of one network differ.
std::uint32_t short_address(const std::array<std::uint8_t, 16>& address, bool ipv6) {
  const std::size_t from = ipv6 ? 12 : 0;
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8 | address.at(from + i);
  return word;
}

constexpr std::uint64_t words(std::uint32_t low, std::uint32_t high) {
  return low | std::uint64_t{high} << 32;
}

}  // namespace

FrameRecorder::FrameRecorder(RecordFile& file, FrameTap& tap, const std::string& name,
                             const std::string& description, Which which)
    : file_(file),
      tap_(tap),
      which_(which),
      stream_(file.add_stream(which == Which::kAll ? "frames" : "drops", name, description)) {
  tap_.listen(this);
}

void FrameRecorder::on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                             const char* why) {
  if (which_ == Which::kDropped && fate != FrameFate::kDropped) return;
  RecordLine line;
  line.time_ps = to_ps(at);
  line.kind = RecordLine::kFrame;
  line.code = static_cast<std::uint8_t>(fate) | (frame->fcs_matches() ? 0 : kDamaged);
  line.size = frame->octets();
  line.value[0] = digest(*frame);
  summarize(*frame, line);
  file_.put(stream_, &line, 1, why);
}

void FrameRecorder::summarize(const Frame& frame, RecordLine& line) {
  const std::optional<TcpSegment> tcp = tcp_segment(frame);
  if (!tcp) {
    static const SequenceOrigins kNone;
    line.value[2] = file_.label_number(describe_frame(frame, kNone));
    return;
  }
  line.code |= kTcp | (tcp->ipv6 ? kIpv6 : 0);
  line.value[2] =
      words(short_address(tcp->source, tcp->ipv6), short_address(tcp->destination, tcp->ipv6));
  line.value[3] = words(tcp->source_port | std::uint32_t{tcp->destination_port} << 16,
                        tcp->flags | std::uint32_t{tcp->window} << 16);
  line.value[4] = words(tcp->sequence, tcp->acknowledgment);
  line.value[5] = tcp->payload;
}

SpanRecorder::SpanRecorder(RecordFile& file, SpanTap& tap)
    : file_(file), tap_(tap), stream_(file.add_stream("events", tap.name(), tap.description())) {
  tap_.listen(this);
}

void SpanRecorder::on_span(const SpanTap& /*tap*/, std::uint64_t start_ps, std::uint64_t end_ps,
                           const char* label, std::uint64_t arg0, std::uint64_t arg1) {
  RecordLine line;
  line.time_ps = start_ps;
  line.kind = RecordLine::kEvent;
  line.value = {end_ps, 0, arg0, arg1, 0, 0};
  file_.put(stream_, &line, 1, label);
}

}  // namespace longhaul::observe
