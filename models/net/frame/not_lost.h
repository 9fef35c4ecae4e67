// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>

namespace longhaul::observe {

/// Reasons for a drop that is not a loss: the frame was for another station, or it ends here by
/// design.
namespace not_lost {
inline constexpr char kOtherAddress[] = "address";
inline constexpr char kOtherVlan[] = "vlan";
inline constexpr char kPauseEnds[] = "PAUSE ends at the port";
}  // namespace not_lost

/// Whether a drop for this reason loses the frame to its receiver. Reasons are compared by address.
inline bool is_loss(const char* why) {
  constexpr const char* kNone[] = {not_lost::kOtherAddress, not_lost::kOtherVlan,
                                   not_lost::kPauseEnds};
  return std::find(std::begin(kNone), std::end(kNone), why) == std::end(kNone);
}

}  // namespace longhaul::observe
