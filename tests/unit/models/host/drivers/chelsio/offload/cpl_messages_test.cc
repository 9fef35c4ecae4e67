// SPDX-License-Identifier: Apache-2.0
// Bytes of CPL5 messages against the structs of Linux 6.1, cxgb/cpl5_cmd.h.
#include "models/host/drivers/chelsio/offload/cpl_messages.h"

#include <gmock/gmock.h>

namespace longhaul::host::chelsio {
namespace {

namespace cpl = nic::terminator::cpl;
using ::testing::ElementsAre;

tcp::Endpoints some_ends() {
  tcp::Endpoints ends;
  ends.source = {10, 0, 0, 1};
  ends.destination = {10, 0, 0, 2};
  ends.source_port = 0x8001;
  ends.destination_port = 0x1389;
  return ends;
}

TEST(CplMessages, AnOpenHasPortsAndAddressesInNetworkOrder) {
  const CplMessage open = act_open(0x1234, some_ends(), {});
  EXPECT_EQ(open.size, 32U);
  EXPECT_EQ(open.opcode(), Opcode::kActOpenReq);
  EXPECT_EQ(open.tid(), 0x1234U);
  EXPECT_THAT(open.get<12>(4), ElementsAre(0x80, 0x01, 0x13, 0x89, 10, 0, 0, 1, 10, 0, 0, 2));
  EXPECT_EQ(open.ends().source_port, 0x8001);
  EXPECT_EQ(open.ends().destination_port, 0x1389);
}

TEST(CplMessages, AWindowIsGivenInKibWithTheLeastScaleThatExpressesIt) {
  const auto told = [](std::uint64_t window) {
    const CplMessage open = act_open(1, some_ends(), {{window, false}, 5});
    return std::pair(cpl::opt0l::kBuffer.get(open.word(20)),
                     cpl::opt0h::kWindowScale.get(open.word(16)));
  };
  EXPECT_EQ(told(64 << 10U), std::pair(64U, 1U));
  EXPECT_EQ(told(63 << 10U), std::pair(63U, 0U));
  EXPECT_EQ(told(kLargestOpt0Window), std::pair(16383U, 8U));
  EXPECT_EQ(told(100 << 20U), std::pair(16383U, 11U)) << "the rest is written into the TCB";
}

TEST(CplMessages, NagleIsOffWithNodelay) {
  const auto nagle = [](bool nodelay) {
    const CplMessage open = act_open(1, some_ends(), {{65536, nodelay}, 0});
    return cpl::opt0h::kNagle.get(open.word(16));
  };
  EXPECT_EQ(nagle(false), 1U);
  EXPECT_EQ(nagle(true), 0U);
}

TEST(CplMessages, DataTellTheirLengthAndPush) {
  const CplMessage pushed = tx_data(9, 15'360, true);
  EXPECT_EQ(pushed.size, 16U);
  EXPECT_EQ(pushed.word(4), 15'360U);
  EXPECT_EQ(cpl::kShove.get(pushed.word(12)), 1U);
  EXPECT_EQ(cpl::kShove.get(tx_data(9, 1, false).word(12)), 0U);
}

TEST(CplMessages, AStationHasItsAddressBehindIndexAndVlan) {
  const CplMessage message = l2t_write(3, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(cpl::l2t::kIndex.get(message.word(4)), 3U);
  EXPECT_EQ(cpl::l2t::kVlan.get(message.word(4)), cpl::l2t::kNoVlan);
  EXPECT_THAT(message.get<6>(10), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(CplMessages, OnlyUsedMessagesHaveALeastLength) {
  EXPECT_EQ(least_bytes(Opcode::kRxData), 16U);
  EXPECT_EQ(least_bytes(Opcode::kPassAcceptReq), 48U);
  EXPECT_EQ(least_bytes(Opcode::kTxData), 0U) << "a message to the chip";
}

}  // namespace
}  // namespace longhaul::host::chelsio
