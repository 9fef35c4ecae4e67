// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/user_time.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace longhaul::guest {
namespace {

// Fields of /proc/PID/stat, counted from the one behind the program's name (proc(5) counts that as the third).
constexpr int kUserTicks = 14 - 3;
constexpr int kChildrensUserTicks = 16 - 3;

/// A number of /proc/PID/stat; none if there is no such process any more.
std::optional<std::uint64_t> stat_field(pid_t process, int field) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  std::string word;
  for (int i = 0; i <= field; ++i) fields >> word;
  if (!fields) return std::nullopt;
  return std::stoull(word);
}

}  // namespace

std::optional<double> user_seconds_of_children(pid_t parent) {
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", parent));
  const std::optional<std::uint64_t> ended = stat_field(parent, kChildrensUserTicks);
  if (!children || !ended) return std::nullopt;
  std::uint64_t ticks = *ended;
  for (pid_t child = 0; children >> child;) ticks += stat_field(child, kUserTicks).value_or(0);
  return static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

void UserTime::begin_window(pid_t kernel) {
  begin_ = user_seconds_of_children(kernel);
  end_.reset();
}

void UserTime::end_window(pid_t kernel) { end_ = user_seconds_of_children(kernel); }

std::optional<double> UserTime::seconds() const {
  if (!begin_ || !end_) return std::nullopt;
  return *end_ - *begin_;
}

}  // namespace longhaul::guest
