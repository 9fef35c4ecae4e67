// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/link_partner.h"

#include <gtest/gtest.h>

namespace longhaul::nic {
namespace {

TEST(LinkPartner, PauseResolvesAsTheStandardsTableSays) {
  struct Row {
    bool pause, asym, partner_pause, partner_asym;
    bool send, honour;
  };
  // IEEE 802.3, table 28B-3; rows with "don't care" are written out.
  const Row rows[] = {
      {false, false, false, false, false, false}, {false, false, true, true, false, false},
      {false, true, false, false, false, false},  {false, true, false, true, false, false},
      {false, true, true, false, false, false},   {false, true, true, true, true, false},
      {true, false, false, false, false, false},  {true, false, false, true, false, false},
      {true, false, true, false, true, true},     {true, false, true, true, true, true},
      {true, true, false, false, false, false},   {true, true, false, true, false, true},
      {true, true, true, false, true, true},      {true, true, true, true, true, true}};
  for (const Row& r : rows) {
    const PauseModes modes = resolve_pause(r.pause, r.asym, r.partner_pause, r.partner_asym);
    EXPECT_EQ(modes.send, r.send) << r.pause << r.asym << r.partner_pause << r.partner_asym;
    EXPECT_EQ(modes.honour, r.honour) << r.pause << r.asym << r.partner_pause << r.partner_asym;
  }
}

}  // namespace
}  // namespace longhaul::nic
