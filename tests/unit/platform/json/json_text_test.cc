// SPDX-License-Identifier: Apache-2.0
#include "platform/json/json_text.h"

#include <gtest/gtest.h>

namespace longhaul {
namespace {

std::string wrong(const std::string& text) { return parse_json(text).wrong; }

std::string levels(std::size_t count, const std::string& opening = "[",
                   const std::string& closing = "]") {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += opening;
  text += "1";
  for (std::size_t i = 0; i < count; ++i) text += closing;
  return text;
}

TEST(JsonText, AGoodTextIsItsDocument) {
  const auto [value, why] = parse_json(R"( {"a": [1, -2, 0.5, true, null, "x"], "b": {"a": {}}} )");
  EXPECT_EQ(why, "");
  EXPECT_EQ(value,
            nlohmann::json::parse(R"({"a": [1, -2, 0.5, true, null, "x"], "b": {"a": {}}})"));
}

TEST(JsonText, WhatIsNoJsonIsToldByLineAndColumn) {
  EXPECT_EQ(wrong("{\n \"a\": 1,\n nul}"), "line 3, column 5: is no JSON at the end of 'nul}'");
  EXPECT_EQ(wrong("{'a': 1}"), "line 1, column 2: is no JSON at the end of '{''");
  EXPECT_EQ(wrong("{} {}"), "line 1, column 4: is no JSON at the end of '{} {'");
  EXPECT_EQ(wrong(""), "is empty, wants a JSON object");
  EXPECT_EQ(wrong(" \n\t"), "is empty, wants a JSON object");
  EXPECT_NE(wrong(std::string("{\"a\": \"\0\"}", 10)), "");
  EXPECT_NE(wrong("\"\xff\""), "");
  EXPECT_NE(wrong(R"("\ud800")"), "");
}

TEST(JsonText, ANumberThatNoDoubleHoldsIsToldAsSuch) {
  EXPECT_EQ(wrong("[1e999]"),
            "line 1, column 6: a number that is too large at the end of '[1e999'");
}

TEST(JsonText, NestingHasALimitWithItsPlace) {
  EXPECT_EQ(wrong(levels(json_limits::kLevels)), "");
  EXPECT_EQ(wrong(levels(json_limits::kLevels + 1)),
            "[0][0][0][0][0][0]...: lies more than 32 levels deep");
  EXPECT_EQ(wrong(levels(1'000'000)), "[0][0][0][0][0][0]...: lies more than 32 levels deep");
  EXPECT_EQ(wrong(levels(100'000, R"({"a":)", "}")),
            "a.a.a.a.a.a...: lies more than 32 levels deep");
}

TEST(JsonText, TextsAndNamesHaveALimitWithTheirPlace) {
  const std::string most(json_limits::kTextBytes, 'x');
  EXPECT_EQ(wrong(R"([{"a": ")" + most + "\"}]"), "");
  EXPECT_EQ(wrong(R"([0, {"a": ")" + most + "x\"}]"),
            "[1].a: a text of 16385 bytes, 16384 are the most");
  const std::string said = wrong(R"({"a": {")" + most + "\": 1}}");
  EXPECT_EQ(said.substr(0, 50), "a: a name of 16384 bytes, 256 are the most: 'xxxxx");
  EXPECT_LT(said.size(), 200U);
}

TEST(JsonText, AMemberThatIsThereTwiceIsRefused) {
  EXPECT_EQ(wrong(R"({"a": {"b": 1, "c": 2, "b": 1}})"), "a.b: is there twice");
  EXPECT_EQ(wrong(R"([{"b": 1}, {"b": 1}])"), "");
}

TEST(JsonText, TheWholeHasALimit) {
  EXPECT_EQ(wrong(std::string(json_limits::kBytes + 1, ' ')),
            "more than 16 MiB, which is the most");
}

}  // namespace
}  // namespace longhaul
