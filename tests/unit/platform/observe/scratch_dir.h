// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace longhaul::observe {

/// A folder of its own for one test case, removed at the end.
class ScratchDir {
 public:
  ScratchDir() {
    std::string name = ::testing::TempDir() + "longhaul-observe-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory " + name);
    dir_ = name;
  }
  ~ScratchDir() { std::filesystem::remove_all(dir_); }
  std::string path(const std::string& name) const { return dir_ / name; }
  bool exists(const std::string& name) const { return std::filesystem::exists(dir_ / name); }
  std::string text(const std::string& name) const {
    std::ifstream in(dir_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::vector<std::uint8_t> bytes(const std::string& name) const {
    const std::string content = text(name);
    return {content.begin(), content.end()};
  }

 private:
  std::filesystem::path dir_;
};

}  // namespace longhaul::observe
