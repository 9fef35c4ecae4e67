// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/models/tcp/rig.h"

#include <fmt/format.h>

namespace longhaul::tcp::rig {

std::vector<std::string> data_of(const Host& host, std::uint32_t mss) {
  std::vector<std::string> texts;
  for (const Sighting& sighting : host.sent) {
    const Segment& segment = sighting.segment;
    if (segment.length == 0 && !segment.has(kFin)) continue;
    const auto in_segments = [mss](std::uint64_t bytes) {
      return bytes % mss == 0 ? fmt::format("{}", bytes / mss) : fmt::format("{}B", bytes);
    };
    std::string text = fmt::format("{}:{}", sighting.at / kMs, in_segments(segment.offset));
    if (segment.length != mss) text += fmt::format("+{}B", segment.length);
    if (segment.has(kFin)) text += "F";
    if (sighting.lost) text += "x";
    texts.push_back(text);
  }
  return texts;
}

}  // namespace longhaul::tcp::rig
