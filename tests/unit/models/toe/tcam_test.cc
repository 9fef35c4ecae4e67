// SPDX-License-Identifier: Apache-2.0
#include "models/toe/tcam.h"

#include <gtest/gtest.h>

namespace longhaul::toe {
namespace {

Ends ends(std::uint16_t peer_port) { return {{10, 0, 0, 1}, {10, 0, 0, 2}, 80, peer_port}; }

TEST(Tcam, ATidIsTheLowestFreeEntry) {
  Tcam tcam(130, 0);
  for (std::uint16_t i = 0; i < 130; ++i) EXPECT_EQ(tcam.insert(ends(i)), Tid{i});
  EXPECT_TRUE(tcam.full());
  EXPECT_EQ(tcam.insert(ends(1000)), std::nullopt);
  for (const Tid tid : {128U, 3U}) {
    tcam.forget(tid);
    tcam.free(tid);
  }
  EXPECT_EQ(tcam.insert(ends(1001)), 3U);
  EXPECT_EQ(tcam.insert(ends(1002)), 128U);
  EXPECT_TRUE(tcam.full());
  EXPECT_EQ(tcam.in_use.value(), 130U);
}

TEST(Tcam, AConnectionIsFoundByAllFourPartsOfItsEnds) {
  Tcam tcam(4, 0);
  const Ends one = ends(1000);
  ASSERT_EQ(tcam.insert(one), 0U);
  EXPECT_EQ(tcam.find(one), 0U);
  for (int part = 0; part < 4; ++part) {
    Ends other = one;
    if (part == 0) other.local[3] = 9;
    if (part == 1) other.peer[3] = 9;
    if (part == 2) other.local_port = 81;
    if (part == 3) other.peer_port = 1001;
    EXPECT_EQ(tcam.find(other), std::nullopt) << part;
  }
  tcam.forget(0);
  EXPECT_EQ(tcam.find(one), std::nullopt);
  EXPECT_TRUE(tcam.holds(0));
  tcam.free(0);
  EXPECT_FALSE(tcam.holds(0));
}

TEST(Tcam, AServerWithTheAddressGoesBeforeOneForAll) {
  Tcam tcam(4, 3);
  Tcam::Server any;
  any.stid = 1;
  any.port = 80;
  Tcam::Server exact = any;
  exact.stid = 2;
  exact.address = {10, 0, 0, 1};
  EXPECT_EQ(tcam.add_server(any), Error::kNone);
  EXPECT_EQ(tcam.find_server(ends(1))->stid, 1U);
  EXPECT_EQ(tcam.add_server(exact), Error::kNone);
  EXPECT_EQ(tcam.find_server(ends(1))->stid, 2U);
  Ends other_port = ends(1);
  other_port.local_port = 81;
  EXPECT_EQ(tcam.find_server(other_port), nullptr);
  EXPECT_TRUE(tcam.remove_server(2));
  EXPECT_FALSE(tcam.remove_server(2));
  EXPECT_EQ(tcam.find_server(ends(1))->stid, 1U);
}

TEST(Tcam, ServersAreLimitedAndDoNotShareAPortOrANumber) {
  Tcam tcam(4, 2);
  Tcam::Server server;
  server.stid = 1;
  server.port = 80;
  EXPECT_EQ(tcam.add_server(server), Error::kNone);
  EXPECT_EQ(tcam.add_server(server), Error::kInUse);
  server.stid = 2;
  EXPECT_EQ(tcam.add_server(server), Error::kInUse);
  server.port = 81;
  EXPECT_EQ(tcam.add_server(server), Error::kNone);
  server.stid = 3;
  server.port = 82;
  EXPECT_EQ(tcam.add_server(server), Error::kTableFull);
  EXPECT_EQ(tcam.servers_in_use.value(), 2U);
}

}  // namespace
}  // namespace longhaul::toe
