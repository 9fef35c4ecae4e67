// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/ordering.h"

#include <array>

namespace longhaul::pcix {
namespace {

constexpr Passing kStay = Passing::kMustNot;
constexpr Passing kMay = Passing::kMay;
constexpr Passing kYes = Passing::kMust;

// Row: the later transaction. Column: the earlier one, as in OrderClass.
constexpr std::array<std::array<Passing, 5>, 5> kStrict{{
    // Posted write: passes all but posted writes, or posted traffic could dead-lock.
    {kStay, kYes, kYes, kYes, kYes},
    {kStay, kMay, kMay, kMay, kMay},  // read request: pushes writes
    {kStay, kMay, kMay, kMay, kMay},  // write request: pushes writes
    {kStay, kYes, kYes, kMay, kMay},  // read completion: pushes writes
    {kMay, kYes, kYes, kMay, kMay},   // write completion: carries no data that a write could change
}};

}  // namespace

Passing passing(OrderClass later, OrderClass earlier, bool relaxed) {
  const Passing strict =
      kStrict.at(static_cast<std::size_t>(later)).at(static_cast<std::size_t>(earlier));
  const bool relaxes = later == OrderClass::kPostedWrite || later == OrderClass::kReadCompletion;
  return relaxed && relaxes && strict == kStay ? kMay : strict;
}

}  // namespace longhaul::pcix
