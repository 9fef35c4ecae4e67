// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/link_waves.h"

#include "models/common/units.h"
#include "models/net/frame/ethernet_header.h"
#include "platform/observe/tcp_segment.h"

namespace longhaul::observe {
namespace {

constexpr std::uint64_t kPsPerS = 1'000'000'000'000;

}  // namespace

LinkWaves::LinkWaves(const WaveScope& scope, const WaveScope& losses, const std::string& name, FrameTap& tap,
                     std::uint64_t bits_per_s)
    : file_(scope.file()),
      tap_(tap),
      bits_per_s_(bits_per_s),
      packet_(scope.add_text(name)),
      lost_(losses.add_event(name + "_lost")) {
  file_.add_source(*this);
}

void LinkWaves::waves_begin() {
  packet_.text_at(now_ps(), "");
  tap_.listen(this);
}

void LinkWaves::on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate, const char* why) {
  const std::uint64_t ps = to_ps(at);
  if (!file_.records(ps)) return;
  if (fate == FrameFate::kDropped) {
    lost_.pulse_at(ps);
    return;
  }
  const std::uint64_t octets = frame->octets();
  packet_.text_at(ps, describe_frame(*frame));
  packet_.text_at(ps + octets * 8 * (kPsPerS / 1000) / (bits_per_s_ / 1000), "");
}

}  // namespace longhaul::observe
