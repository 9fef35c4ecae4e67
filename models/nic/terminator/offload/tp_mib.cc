// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/offload/tp_mib.h"

namespace longhaul::nic::terminator {
namespace {

std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32U); }
std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t ms(std::uint64_t ps) { return low(ps / 1'000'000'000); }

}  // namespace

TpMib::Counts TpMib::total() const {
  const toe::TcpCounts& tcp = engine_.tcp_counts;
  const toe::EngineProbes& probes = engine_.probes;
  Counts counts;
  counts.active_opens = tcp.active_opens.value();
  counts.passive_opens = tcp.passive_opens.value();
  counts.attempt_fails = tcp.attempt_fails.value();
  counts.estab_resets = tcp.estab_resets.value();
  counts.out_rsts = tcp.resets_sent.value();
  counts.in_errs = probes.rx_damaged.value();
  counts.in_segs = probes.rx_segments.value() + probes.rx_unanswered.value() + counts.in_errs;
  counts.retrans_segs = tcp.tx_resent.value();
  counts.out_segs = probes.tx_segments.value() - counts.retrans_segs;
  return counts;
}

std::uint32_t TpMib::word(std::uint32_t index) const {
  const Counts now = total();
  const auto since = [&](std::uint64_t Counts::*count) { return now.*count - base_.*count; };
  switch (index) {
    case mib::kActiveOpens: return low(since(&Counts::active_opens));
    case mib::kPassiveOpens: return low(since(&Counts::passive_opens));
    case mib::kAttemptFails: return low(since(&Counts::attempt_fails));
    case mib::kEstabResets: return low(since(&Counts::estab_resets));
    case mib::kOutRsts: return low(since(&Counts::out_rsts));
    case mib::kCurrEstab: return low(engine_.tcp_counts.established.value());
    case mib::kInSegsHi: return high(since(&Counts::in_segs));
    case mib::kInSegsLo: return low(since(&Counts::in_segs));
    case mib::kOutSegsHi: return high(since(&Counts::out_segs));
    case mib::kOutSegsLo: return low(since(&Counts::out_segs));
    case mib::kRetransSegHi: return high(since(&Counts::retrans_segs));
    case mib::kRetransSegLo: return low(since(&Counts::retrans_segs));
    case mib::kInErrsHi: return high(since(&Counts::in_errs));
    case mib::kInErrsLo: return low(since(&Counts::in_errs));
    case mib::kRtoMin: return ms(engine_.config().rto_min);
    case mib::kRtoMax: return ms(engine_.config().rto_max);
    default: return 0;
  }
}

}  // namespace longhaul::nic::terminator
