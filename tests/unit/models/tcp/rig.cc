// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/models/tcp/rig.h"

#include <fmt/format.h>

namespace longhaul::tcp::rig {

std::vector<std::string> data_of(const Host& host, std::uint32_t mss, bool with_times) {
  std::vector<std::string> texts;
  for (const Sighting& sighting : host.sent) {
    const Segment& segment = sighting.segment;
    if (segment.length == 0 && !segment.has(kFin)) continue;
    const auto in_segments = [mss](std::uint64_t bytes) {
      return bytes % mss == 0 ? fmt::format("{}", bytes / mss) : fmt::format("{}B", bytes);
    };
    std::string text = in_segments(segment.offset);
    if (with_times) text = fmt::format("{}:{}", sighting.at / kMs, text);
    if (segment.length != mss) text += fmt::format("+{}B", segment.length);
    if (segment.has(kFin)) text += "F";
    if (sighting.lost) text += "x";
    texts.push_back(text);
  }
  return texts;
}

void Lone::establish(std::uint64_t window) {
  window_ = window;
  connection().connect({Pair::kIssA, 1000});
  Segment reply;
  reply.seq = Pair::kIssB;
  reply.ack = Pair::kIssA + 1;
  reply.flags = kSyn | kAck;
  reply.window = static_cast<std::uint16_t>(std::min<std::uint64_t>(window, 65535));
  reply.options.mss = 1000;
  reply.options.sack_permitted = config.sack;
  reply.options.timestamps = config.timestamps;
  if (config.timestamps) reply.options.ts_echo = host.sent.back().segment.options.ts_value;
  if (config.window_scaling && shift > 0) reply.options.window_scale = shift;
  connection().receive(reply);
  ack(0);  // the window, scaled
  host.sent.clear();
}

Segment Lone::from_peer(std::uint64_t acked) const {
  Segment segment;
  segment.seq = Pair::kIssB + 1;
  segment.ack = static_cast<std::uint32_t>(Pair::kIssA + 1 + acked);
  segment.flags = kAck;
  segment.window = static_cast<std::uint16_t>(std::min<std::uint64_t>(window_ >> shift, 65535));
  if (config.timestamps) {
    segment.options.timestamps = true;
    segment.options.ts_value = static_cast<std::uint32_t>(calendar.now() / kMs + 1);
    segment.options.ts_echo = segment.options.ts_value;
  }
  return segment;
}

void Lone::ack(std::uint64_t acked,
               const std::vector<std::pair<std::uint64_t, std::uint64_t>>& sacks) {
  Segment segment = from_peer(acked);
  acked_ = acked;
  for (const auto& [begin, end] : sacks) {
    segment.options.sack[segment.options.sack_count++] = {
        static_cast<std::uint32_t>(Pair::kIssA + 1 + begin),
        static_cast<std::uint32_t>(Pair::kIssA + 1 + end)};
  }
  connection().receive(segment);
}

void Lone::data(std::uint64_t offset, std::uint32_t length, std::uint8_t flags) {
  Segment segment = from_peer(acked_);
  segment.flags = flags;
  segment.seq = static_cast<std::uint32_t>(Pair::kIssB + 1 + offset);
  segment.length = length;
  connection().receive(segment);
}

std::vector<std::string> Lone::sent() {
  std::vector<std::string> texts = data_of(host, 1000, false);
  host.sent.clear();
  return texts;
}

std::vector<Segment> Lone::acks() {
  std::vector<Segment> segments;
  for (const Sighting& sighting : host.sent) {
    if (sighting.segment.length == 0) segments.push_back(sighting.segment);
  }
  host.sent.clear();
  return segments;
}

}  // namespace longhaul::tcp::rig
