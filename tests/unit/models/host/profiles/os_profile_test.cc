// SPDX-License-Identifier: Apache-2.0
// The registry of operating systems, and that every value of each is its own and has a source.
#include "models/host/profiles/os_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "models/common/param_json.h"
#include "models/tcp/config.h"

namespace longhaul::host {
namespace {

std::vector<OsProfile> all() {
  std::vector<OsProfile> profiles;
  for (const std::string& name : os_profile_names()) profiles.push_back(os_profile(name, "test"));
  return profiles;
}

/// Values whose source is still the default's: nobody has said what this system does.
template <class Params>
std::set<std::string> unstated(const Params& params) {
  const nlohmann::json defaults = describe(Params{});
  const nlohmann::json own = describe(params);
  std::set<std::string> names;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto where = own[i]["source"].get<std::string>();
    if (where.empty() || where == defaults[i]["source"])
      names.insert(own[i]["name"].get<std::string>());
  }
  return names;
}

/// Values that a user could not set, because they are out of the parameter's range.
template <class Params>
std::set<std::string> out_of_range(Params params) {
  std::set<std::string> names;
  const auto look = [&names](const auto& param) {
    try {
      detail::check_value(param, param(), param.name);
    } catch (const ConfigError&) {
      names.insert(param.name);
    }
  };
  std::apply([&look](auto&... param) { (look(param), ...); }, params.fields());
  return names;
}

TEST(OsProfile, ThePapersSystemsAreThere) {
  EXPECT_THAT(os_profile_names(),
              ::testing::IsSupersetOf({"freebsd-4.5", "freebsd-5.1", "linux-2.4.18", "linux-2.4.20",
                                       "linux-2.6.18", "linux-2.6.6", "linux-6.1", "solaris-9",
                                       "windows-2000", "windows-vista", "windows-xp"}));
  for (const OsProfileType& type : os_profiles().all()) EXPECT_STRNE(type.title, "") << type.name;
}

TEST(OsProfile, AnUnknownNameIsRefusedWithTheNearestOne) {
  try {
    os_profile("linux-2.4.19", "receiver.os");
    FAIL();
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("receiver.os", 0), 0U) << text;
    EXPECT_NE(text.find("linux-2.4.19"), std::string::npos) << text;
    EXPECT_NE(text.find("linux-2.4.18"), std::string::npos) << text;
    EXPECT_NE(text.find("solaris-9"), std::string::npos) << text;
  }
}

TEST(OsProfile, EveryValueOfTcpIsStatedForEverySystem) {
  for (const OsProfile& profile : all())
    EXPECT_EQ(unstated(profile.tcp), std::set<std::string>{}) << profile.name;
}

TEST(OsProfile, EveryValueOfSocketsAndKernelIsStatedForEverySystem) {
  for (const OsProfile& profile : all()) {
    // Choices of the model's and a guard, no policies of a system.
    EXPECT_EQ(unstated(profile.net), (std::set<std::string>{"backlog_holds_softirqs"}))
        << profile.name;
    EXPECT_EQ(unstated(profile.kernel),
              (std::set<std::string>{"halt_takes_time", "unclaimed_limit"}))
        << profile.name;
  }
}

TEST(OsProfile, EveryValueIsOneThatAUserCouldSet) {
  for (const OsProfile& profile : all()) {
    EXPECT_EQ(out_of_range(profile.tcp), std::set<std::string>{}) << profile.name;
    EXPECT_EQ(out_of_range(profile.net), std::set<std::string>{}) << profile.name;
    EXPECT_EQ(out_of_range(profile.kernel), std::set<std::string>{}) << profile.name;
  }
}

TEST(OsProfile, EveryProfileResolves) {
  for (const OsProfile& profile : all())
    EXPECT_NO_THROW(tcp::resolve(profile.tcp, profile.name)) << profile.name;
}

TEST(OsProfile, OnlyTheMeasuredKernelCallsItsCostsMeasured) {
  for (const OsProfile& profile : all()) {
    const Evidence evidence = profile.net.tcp_send_cycles.source.evidence;
    EXPECT_EQ(evidence, profile.name == "linux-6.1" ? Evidence::kMeasured : Evidence::kAssumed)
        << profile.name;
  }
}

TEST(OsProfile, AnOlderLinuxExecutesNoMoreForAPacket) {
  const NetParams now = os_profile("linux-6.1", "test").net;
  const NetParams then = os_profile("linux-2.6.6", "test").net;
  const NetParams before = os_profile("linux-2.4.20", "test").net;
  EXPECT_LT(then.tcp_send_cycles(), now.tcp_send_cycles());
  EXPECT_LE(before.tcp_send_cycles(), then.tcp_send_cycles());
  EXPECT_LT(then.tcp_receive_cycles(), now.tcp_receive_cycles());
  EXPECT_LE(before.tcp_receive_cycles(), then.tcp_receive_cycles());
}

TEST(OsProfile, Freebsd5HasThreadsForInterruptsAndOneLock) {
  const KernelParams four = os_profile("freebsd-4.5", "system").kernel;
  const KernelParams five = os_profile("freebsd-5.1", "system").kernel;
  EXPECT_FALSE(four.interrupt_threads() || four.giant_lock() || four.idle_polls());
  EXPECT_TRUE(five.interrupt_threads() && five.giant_lock() && five.idle_polls());
  EXPECT_EQ(five.code_scale.source.evidence, Evidence::kFitted);
}

}  // namespace
}  // namespace longhaul::host
