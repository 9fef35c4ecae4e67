// SPDX-License-Identifier: Apache-2.0
#include "models/common/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace longhaul {
namespace {

struct Thing {
  const char* name;
  const char* title;
  Origin origin{};
};

template <class Act>
std::string refusal(Act act) {
  try {
    act();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Catalog, FindsByNameAndSaysWhatIsNearest) {
  Catalog<Thing> things("thing");
  things.add({"wire", "a wire"});
  things.add({"box", "a box"});
  EXPECT_EQ(things.find("wire", "here").title, std::string("a wire"));
  EXPECT_EQ(things.look("wir"), nullptr);
  EXPECT_EQ(refusal([&] { things.find("wir", "here"); }),
            "here: no thing of type 'wir'; nearest is 'wire'");
  EXPECT_THAT(things.names(), testing::ElementsAre("box", "wire"));
  EXPECT_STREQ(things.all().front().name, "wire");
}

TEST(Catalog, AnEmptyOneSaysSo) {
  const Catalog<Thing> things("thing");
  EXPECT_EQ(refusal([&] { things.find("wire", "here"); }),
            "here: no thing of type 'wire'; there is none");
}

TEST(Catalog, ASecondTypeOfANameIsRefusedWithBothPlaces) {
  Catalog<Thing> things("thing");
  {
    const PluginScope scope = PluginScope::of_file("../../models/wire.cc");
    things.add({"wire", "a wire"});
  }
  const PluginScope scope = PluginScope::of_plugin("/x/wire.so");
  EXPECT_EQ(refusal([&] {
              const PluginScope file = PluginScope::of_file("wire.cc");
              things.add({"wire", "another"});
            }),
            "thing 'wire' of /x/wire.so is in models/wire.cc already");
  EXPECT_EQ(things.all().size(), 1U);
}

TEST(Catalog, ATypeKnowsWhereItIsFrom) {
  Catalog<Thing> things("thing");
  const PluginScope scope = PluginScope::of_plugin("/x/wire.so");
  {
    const PluginScope file = PluginScope::of_file("wire.cc");
    things.add({"wire", "a wire"});
  }
  things.add({"box", "a box"});
  EXPECT_EQ(things.look("wire")->origin.file, "wire.cc");
  EXPECT_EQ(things.look("wire")->origin.plugin, "/x/wire.so");
  EXPECT_EQ(things.look("box")->origin.plugin, "/x/wire.so");
}

}  // namespace
}  // namespace longhaul
