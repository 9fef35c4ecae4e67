// SPDX-License-Identifier: Apache-2.0
// What waits for a station's address. Requests and answers byte by byte are in stack_test, giving
// up in socket_test.
#include "models/host/net/neighbours.h"

#include "models/host/net/icmp.h"
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host {
namespace {

using testing::Program;
using Frame = testing::FakeDevice::Bytes;

struct NeighboursTest : testing::NetTest {
  /// Sends so many echo requests at once to host b, whose address nobody knows yet.
  std::vector<bool> ping_at_once(std::uint16_t count) {
    std::vector<bool> answered;
    program(*a, "ping", [&, count](Program& self) {
      Echo echo(a->stack, 77);
      for (std::uint16_t i = 1; i <= count; ++i) EXPECT_TRUE(echo.send(self, address(2, 0), i, 56));
      for (std::uint16_t i = 1; i <= count; ++i)
        answered.push_back(echo.wait(self, i, 10 * kMs).has_value());
    });
    run_until(1000 * kMs);
    return answered;
  }
};

TEST_F(NeighboursTest, ThreePacketsWaitForTheAnswerAndTheyAreTheLatest) {
  build();
  a->device.capture = true;
  params.device.delay_ps = 1000 * kUs;
  ping_at_once(5);
  EXPECT_EQ(a->stack.drop_neighbour.value(), 2U);
  ASSERT_EQ(a->device.captured.size(), 4U);  // one request, three echoes
  for (std::size_t i = 1; i < 4; ++i) {
    const Frame& echo = a->device.captured[i];
    EXPECT_EQ(echo[12], 0x08);
    EXPECT_EQ(echo[13], 0x00);
    EXPECT_EQ(echo[41], i + 2) << "sequence number";
  }
  expect_no_leak();
}

TEST_F(NeighboursTest, AnAnswerThatIsLostIsAskedForAgainAfterASecond) {
  build();
  b->device.fate = [](std::uint64_t n, Frame&) -> std::vector<std::uint64_t> {
    return n == 0 ? std::vector<std::uint64_t>{} : std::vector<std::uint64_t>{0};
  };
  std::optional<std::uint64_t> rtt;
  program(*a, "ping", [&](Program& self) {
    Echo echo(a->stack, 77);
    EXPECT_TRUE(echo.send(self, address(2, 0), 1, 56));
    rtt = echo.wait(self, 1, 5000 * kMs);
  });
  run_until(6000 * kMs);
  ASSERT_TRUE(rtt.has_value());
  EXPECT_GT(*rtt, 1000 * kMs);
  EXPECT_LT(*rtt, 1020 * kMs);
  EXPECT_EQ(a->stack.drop_neighbour.value(), 0U);
  expect_no_leak();
}

TEST(SolicitedNode, HasTheLastThreeBytesOfTheAddress) {
  const HostBytes own = {0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0xab, 0xcd, 0xef};
  EXPECT_EQ(solicited_node(own), address_from("ff02::1:ffab:cdef", 0, "test").host);
  EXPECT_EQ(group_of(solicited_node(own)), (MacAddress{0x33, 0x33, 0xff, 0xab, 0xcd, 0xef}));
  EXPECT_EQ(all_nodes(), address_from("ff02::1", 0, "test").host);
}

}  // namespace
}  // namespace longhaul::host
