// SPDX-License-Identifier: Apache-2.0
#include "models/net/link/phy.h"

#include <array>
#include <vector>

#include "models/common/param.h"

namespace longhaul {
namespace {

// STS-192c carries 16640 payload columns of 192 * 90 = 17280. Each STS-1 has 87 columns; one column
// of path overhead and 63 of fixed stuff are subtracted from the sum.
constexpr std::array<Phy, 5> kPhys{{
    {"10gbase-r",
     {10'312'500'000},
     64,
     66,
     {10'000'000'000},
     0,
     "IEEE 802.3 clauses 46, 49: 64B/66B"},
    {"10gbase-w",
     {9'953'280'000},
     64 * 16640,
     66 * 17280,
     {10'000'000'000},
     104,
     "IEEE 802.3 clauses 4 (ifsStretchRatio), 49, 50: 64B/66B in STS-192c"},
    {"1000base-x", {1'250'000'000}, 8, 10, {1'000'000'000}, 0, "IEEE 802.3 clauses 35, 36: 8B/10B"},
    {"1000base-t",
     {1'000'000'000},
     1,
     1,
     {1'000'000'000},
     0,
     "IEEE 802.3 clause 40: four pairs of 125 MBd, two bits a symbol"},
    {"100base-tx", {125'000'000}, 4, 5, {100'000'000}, 0, "IEEE 802.3 clauses 24, 25: 4B/5B"},
}};

}  // namespace

const Phy& phy_named(const std::string& name, const std::string& where) {
  std::vector<std::string> names;
  for (const Phy& phy : kPhys) {
    if (name == phy.name) return phy;
    names.emplace_back(phy.name);
  }
  fail_unknown_name("PHY", name, names, where);
}

}  // namespace longhaul
