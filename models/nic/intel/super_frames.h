// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/nic/intel/tx_packet.h"

namespace longhaul::nic::intel {

/// The super-frames that a transmit unit is cutting: the present one, and earlier ones whose
/// segments are not finished. Each has a number.
class SuperFrames {
 public:
  void reset() { jobs_ = {}; }
  /// Begins a super-frame whose segments get the given checksums. Returns its number, or -1 if the
  /// maximum number is unfinished.
  std::int32_t claim(const TsoContext& context, bool ip_checksum, bool l4_checksum) {
    const auto free =
        std::find_if(jobs_.begin(), jobs_.end(), [](const SuperFrame& job) { return !job.in_use; });
    if (free == jobs_.end()) return -1;
    *free = {};
    free->in_use = true;
    free->context = context;
    free->context.insert_ip_checksum = ip_checksum;
    free->context.insert_l4_checksum = l4_checksum;
    return static_cast<std::int32_t>(free - jobs_.begin());
  }
  SuperFrame& operator[](std::int32_t job) { return jobs_[job]; }

 private:
  std::array<SuperFrame, 8> jobs_;
};

}  // namespace longhaul::nic::intel
