// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/link_waves.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "models/common/units.h"
#include "models/net/frame/ethernet_header.h"
#include "platform/observe/tcp_segment.h"

namespace longhaul::observe {
namespace {

constexpr std::uint64_t kPsPerS = 1'000'000'000'000;

}  // namespace

LinkWaves::LinkWaves(const WaveScope& scope, const std::string& name, FrameTap& tap,
                     std::uint64_t bits_per_s, const SequenceOrigins& origins, bool numbers)
    : file_(scope.file()),
      tap_(tap),
      bits_per_s_(bits_per_s),
      origins_(origins),
      numbers_(numbers),
      packet_(scope.add_text(name)) {
  file_.add_source(*this);
}

void LinkWaves::waves_begin() {
  packet_.text_at(now_ps(), "");
  tap_.listen(this);
}

void LinkWaves::on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                         const char* why) {
  const std::uint64_t ps = to_ps(at);
  if (fate == FrameFate::kDropped || !file_.records(ps)) return;
  const std::uint64_t octets = frame->octets();
  std::string text = describe_frame(*frame, origins_);
  if (numbers_) text = fmt::format("#{} {}", frame->id(), text);
  packet_.text_at(ps, std::move(text));
  packet_.text_at(ps + octets * 8 * (kPsPerS / 1000) / (bits_per_s_ / 1000), "");
}

}  // namespace longhaul::observe
