// SPDX-License-Identifier: Apache-2.0
#include "models/common/echo.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace longhaul {
namespace {

const std::string kLong(120'000, 'x');

TEST(Echo, ShortTextsAndValuesStandAsTheyAre) {
  EXPECT_EQ(echo(std::string("eth0")), "eth0");
  EXPECT_EQ(echo(nlohmann::json::parse(R"({"a": [1, "b"]})")), R"({"a":[1,"b"]})");
  EXPECT_EQ(echo(std::string(kMostEcho, 'x')), std::string(kMostEcho, 'x'));
}

TEST(Echo, LongOnesEndInAnEllipsis) {
  EXPECT_EQ(echo(kLong), std::string(kMostEcho, 'x') + "...");
  EXPECT_EQ(echo(kLong, 8), "xxxxxxxx...");
  EXPECT_EQ(echo(nlohmann::json(kLong)), '"' + std::string(kMostEcho - 1, 'x') + "...");
}

TEST(Echo, NothingInATextReachesTheTerminalAsAControl) {
  EXPECT_EQ(echo(std::string("a\nb\x1b[31m\x7f")), R"(a\nb\u001b[31m\u007f)");
  EXPECT_EQ(echo(std::string("\xe2\x80\xae")), R"(\u202e)");  // right-to-left override
  EXPECT_EQ(echo(std::string("a\0b", 3)), R"(a\u0000b)");
}

TEST(Echo, ATextThatIsNoUtf8IsToldAllTheSame) {
  EXPECT_EQ(echo(std::string("\xff")), R"(\ufffd)");
  // Cut within a character.
  EXPECT_EQ(echo(std::string("\xc3\xa4\xc3\xa4"), 2), R"(\u...)");
}

TEST(Echo, OfManyNamesTheFirstAndTheNumberOfTheOthers) {
  EXPECT_EQ(echo(std::vector<std::string>{"a", "b"}), "a, b");
  EXPECT_EQ(echo(std::vector<std::string>(kMostNames, "a")).find("more"), std::string::npos);
  const std::string many = echo(std::vector<std::string>(3000, "a"));
  EXPECT_EQ(many.substr(many.size() - 14), " and 2984 more");
}

}  // namespace
}  // namespace longhaul
