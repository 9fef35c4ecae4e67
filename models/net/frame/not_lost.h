// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>

namespace longhaul::observe {

/// Reasons with which a part reports a frame as dropped that was for others, or that has served its
/// purpose there: nothing was lost.
namespace not_lost {
inline constexpr char kOtherAddress[] = "address";
inline constexpr char kOtherVlan[] = "vlan";
inline constexpr char kPauseEnds[] = "PAUSE ends at the port";
}  // namespace not_lost

/// Whether a frame that was dropped for this reason, which is told by its address, is lost to whom
/// it was meant for.
inline bool is_loss(const char* why) {
  constexpr const char* kNone[] = {not_lost::kOtherAddress, not_lost::kOtherVlan,
                                   not_lost::kPauseEnds};
  return std::find(std::begin(kNone), std::end(kNone), why) == std::end(kNone);
}

}  // namespace longhaul::observe
