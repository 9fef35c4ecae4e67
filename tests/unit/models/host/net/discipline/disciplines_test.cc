// SPDX-License-Identifier: Apache-2.0
// Socket disciplines by name, and what tells them apart.
#include <algorithm>
#include <cctype>
#include <map>

#include "models/host/profiles/os_profile.h"
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host {
namespace {

TEST(SocketDisciplines, ACombinationThatNoClassHasIsRefused) {
  NetParams params;
  params.send_by_call.value = true;
  params.posted_reads.value = false;
  try {
    socket_discipline(params, "sender.net");
    FAIL() << "was accepted";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(),
                ::testing::StartsWith("sender.net: no socket discipline has this combination"));
  }
}

TEST(SocketDisciplines, EachIsFoundByItsParameters) {
  for (const std::string& name : socket_disciplines()) {
    NetParams params;
    testing::ask_for(params, name);
    EXPECT_EQ(socket_discipline_name(params, "test"), name);
  }
}

TEST(SocketDisciplines, AreInAlphabeticalOrder) {
  const std::vector<std::string> names = socket_disciplines();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

/// A system that is not listed here has any: its own tests say which.
TEST(SocketDisciplines, TheSystemsOfThePapersHaveTheirFamilys) {
  const std::map<std::string, std::string> expected = {
      {"freebsd-4.5", "bsd"},        {"freebsd-5.1", "bsd"},        {"linux-2.4.18", "linux-2.4"},
      {"linux-2.4.20", "linux-2.4"}, {"linux-2.6.18", "linux-2.6"}, {"linux-2.6.6", "linux-2.6"},
      {"linux-6.1", "stream"},       {"solaris-9", "stream"},       {"windows-2000", "afd"},
      {"windows-vista", "afd"},      {"windows-xp", "afd"}};
  for (const auto& [system, family] : expected)
    EXPECT_EQ(socket_discipline_name(os_profile(system, "test").net, system), family) << system;
  const std::vector<std::string> families = socket_disciplines();
  for (const std::string& name : os_profile_names()) {
    const std::string found = socket_discipline_name(os_profile(name, "test").net, name);
    EXPECT_EQ(std::count(families.begin(), families.end(), found), 1) << name;
  }
}

struct DisciplineTest : testing::NetTest, ::testing::WithParamInterface<std::string> {};

TEST_P(DisciplineTest, EveryByteArrivesAndOnlyLinux2ReadersHavePrequeues) {
  testing::ask_for(params.net, GetParam());
  params.net.truesize.value = GetParam().substr(0, 5) == "linux";
  build();
  Transfer plan;
  transfer(plan, 500'000, 10'000, 8192);
  run_until(3000 * kMs);
  EXPECT_EQ(plan.received, 500'000U);
  EXPECT_FALSE(plan.mismatch);
  const bool prequeues = GetParam() == "linux-2.4" || GetParam() == "linux-2.6";
  EXPECT_EQ(b->stack.prequeued.value() != 0, prequeues);
  expect_no_leak();
}

INSTANTIATE_TEST_SUITE_P(
    Names, DisciplineTest, ::testing::ValuesIn(socket_disciplines()), [](const auto& each) {
      std::string name = each.param;
      std::replace_if(
          name.begin(), name.end(),
          [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
      return name;
    });

}  // namespace
}  // namespace longhaul::host
