// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/host_time.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace longhaul::guest {
namespace {

// Fields of /proc/PID/stat, counted from the field after the program's name. proc(5) calls that
// field the third. Four fields follow each other: user and system time of the process, and of its
// children that have ended.
constexpr int kUserTicks = 14 - 3;

struct Stat {
  CpuSeconds own;
  CpuSeconds ended_children;
};

/// Reads /proc/PID/stat. Returns nothing if the process does not exist.
std::optional<Stat> stat_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  std::string word;
  for (int i = 0; i < kUserTicks; ++i) fields >> word;
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  std::uint64_t childrens_user = 0;
  std::uint64_t childrens_system = 0;
  fields >> user >> system >> childrens_user >> childrens_system;
  if (!fields) return std::nullopt;
  const auto tick_s = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  const auto seconds = [tick_s](std::uint64_t ticks) {
    return static_cast<double>(ticks) * tick_s;
  };
  return Stat{{seconds(user), seconds(system)},
              {seconds(childrens_user), seconds(childrens_system)}};
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

std::optional<GuestSeconds> seconds_of_guest(pid_t kernel) {
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", kernel));
  const std::optional<Stat> stat = stat_of(kernel);
  if (!children || !stat) return std::nullopt;
  GuestSeconds sum{stat->own, stat->ended_children};
  for (pid_t child = 0; children >> child;) {
    const CpuSeconds own = stat_of(child).value_or(Stat{}).own;
    sum.programs.user += own.user;
    sum.programs.system += own.system;
  }
  return sum;
}

CpuSeconds own_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return {seconds(used.ru_utime), seconds(used.ru_stime)};
}

void HostTime::begin_window(pid_t kernel) {
  begin_ = seconds_of_guest(kernel);
  end_.reset();
}

void HostTime::end_window(pid_t kernel) { end_ = seconds_of_guest(kernel); }

std::optional<GuestSeconds> HostTime::seconds() const {
  if (!begin_ || !end_) return std::nullopt;
  return *end_ - *begin_;
}

}  // namespace longhaul::guest
