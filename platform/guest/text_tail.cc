// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/text_tail.h"

#include <algorithm>
#include <deque>
#include <fstream>

namespace longhaul::guest {
namespace {

constexpr std::size_t kLineBytes = 200;
/// Reads at most this many bytes, because a guest may have written gigabytes.
constexpr std::streamoff kReadBytes = 65536;

std::string shown(std::string line) {
  line.erase(line.find_last_not_of(" \r\t") + 1);
  const bool is_long = line.size() > kLineBytes;
  if (is_long) line.resize(kLineBytes);
  std::replace_if(
      line.begin(), line.end(),
      [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; }, '?');
  return is_long ? line + "..." : line;
}

}  // namespace

std::string text_tail(const std::string& path, std::size_t lines) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) return {};
  const std::streamoff begin =
      std::max<std::streamoff>(0, static_cast<std::streamoff>(in.tellg()) - kReadBytes);
  in.seekg(begin);
  std::deque<std::string> tail;
  std::string line;
  if (begin > 0) std::getline(in, line);  // the rest of a line
  while (std::getline(in, line)) {
    if (line.find_first_not_of(" \r\t") == std::string::npos) continue;
    tail.push_back(shown(std::move(line)));
    if (tail.size() > lines) tail.pop_front();
  }
  std::string text;
  for (const std::string& each : tail) text += "  | " + each + "\n";
  return text;
}

}  // namespace longhaul::guest
