// SPDX-License-Identifier: Apache-2.0
// Files that are refused as plug-ins, before their code runs. For a loaded plug-in see
// tests/system/test_plugins.py.
#include "platform/assembly/plugins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "models/common/param.h"
#include "tests/unit/platform/observe/scratch_dir.h"

namespace longhaul::assembly {
namespace {

std::string refusal_of(const std::string& path) {
  try {
    load_plugin(path, "plugins[0]");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

struct Plugins : ::testing::Test {
  std::string file(const std::string& content) {
    const std::string path = folder.path("plugin.so");
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  observe::ScratchDir folder;
};

TEST_F(Plugins, AFileThatIsNotThereIsRefused) {
  EXPECT_EQ(refusal_of("/nowhere/wire.so"),
            "plugins[0]: /nowhere/wire.so: cannot be read, wants a shared object");
  EXPECT_THAT(refusal_of("/tmp"), ::testing::HasSubstr("cannot be read"));
}

TEST_F(Plugins, WhatIsNoPluginIsRefused) {
  for (const char* content : {"text",
                              "\x7f"
                              "ELF and nothing else",
                              "longhaul-plugin-interface: x"})
    EXPECT_THAT(refusal_of(file(content)),
                ::testing::HasSubstr(": is no plug-in; docs/plugins.md"));
}

TEST_F(Plugins, OneOfAnotherSimulatorIsRefusedWithBothKeys) {
  const std::string text =
      refusal_of(file("\x7f"
                      "ELF...longhaul-plugin-interface: Longhaul 0.0.1, GNU 4"));
  EXPECT_THAT(
      text, ::testing::HasSubstr("was built for \"Longhaul 0.0.1, GNU 4\", this simulator is \""));
  EXPECT_THAT(text, ::testing::HasSubstr(interface_key()));
  EXPECT_THAT(text, ::testing::HasSubstr("build it again"));
}

TEST_F(Plugins, AProgramWithoutExportedSymbolsSaysWhichHasThem) {
  const std::string path = file(std::string("\x7f"
                                            "ELF...longhaul-plugin-interface: ") +
                                interface_key());
  EXPECT_THAT(refusal_of(path), ::testing::HasSubstr(": this program loads no plug-ins"));
}

}  // namespace
}  // namespace longhaul::assembly
