// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/toe/offload_engine.h"

namespace longhaul::nic::terminator {

/// Words of TP's statistics, as Linux 6.1 has them in cxgb/tp.h: struct tp_mib_statistics.
namespace mib {
enum Word : std::uint32_t {
  kActiveOpens = 30,
  kPassiveOpens,
  kAttemptFails,
  kEstabResets,
  kOutRsts,
  kCurrEstab,
  kInSegsHi,
  kInSegsLo,
  kOutSegsHi,
  kOutSegsLo,
  kRetransSegHi,
  kRetransSegLo,
  kInErrsHi,
  kInErrsLo,
  kRtoMin,  // ms
  kRtoMax,  // ms
  kWords
};
}  // namespace mib

/// TP's statistics: TCP's group, of the engine's connections, after RFC 4022. Words of IP's group
/// and reserved ones are 0.
class TpMib {
 public:
  explicit TpMib(const toe::OffloadEngine& engine) : engine_(engine) {}
  std::uint32_t word(std::uint32_t index) const;
  /// Counts start from 0 again.
  void reset() { base_ = total(); }

 private:
  struct Counts {
    std::uint64_t active_opens = 0;
    std::uint64_t passive_opens = 0;
    std::uint64_t attempt_fails = 0;
    std::uint64_t estab_resets = 0;
    std::uint64_t out_rsts = 0;
    std::uint64_t in_segs = 0;
    std::uint64_t out_segs = 0;  // but those that are resent
    std::uint64_t retrans_segs = 0;
    std::uint64_t in_errs = 0;
  };
  Counts total() const;

  const toe::OffloadEngine& engine_;
  Counts base_;
};

}  // namespace longhaul::nic::terminator
