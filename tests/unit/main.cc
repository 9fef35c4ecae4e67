// SPDX-License-Identifier: Apache-2.0
// SystemC wants to own main(), so the tests run inside sc_main. It elaborates once a process. So if
// several cases are asked for, each runs in a fork of its own.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/address_sanitizer.h"
#include "tests/unit/support/depth.h"

/// A fiber that still runs when a test ends keeps what its stack owns: nobody unwinds a coroutine.
extern "C" const char* __lsan_default_suppressions() { return "leak:longhaul::Fiber::enter\n"; }

namespace {

constexpr int kSkipped = 77;  // exit code

/// Returns how long a case may take. Without depth it is ctest's limit, too (CMakeLists.txt). With
/// it the longest case takes 134 s under sanitizers on a quiet machine.
unsigned limit_s() { return longhaul::deep() ? 1200 : 120; }

/// Writes the names of all cases that were asked for, and ends the program before the first.
class Lister final : public ::testing::EmptyTestEventListener {
 public:
  explicit Lister(std::FILE* to) : to_(to) {}

 private:
  void OnTestProgramStart(const ::testing::UnitTest& all) override {
    for (int i = 0; i < all.total_test_suite_count(); ++i) {
      const ::testing::TestSuite& suite = *all.GetTestSuite(i);
      for (int j = 0; j < suite.total_test_count(); ++j) {
        const ::testing::TestInfo& test = *suite.GetTestInfo(j);
        if (test.should_run()) std::fprintf(to_, "%s.%s\n", suite.name(), test.name());
      }
    }
    std::fflush(to_);
    std::_Exit(0);
  }
  std::FILE* to_;
};

int run_all() {
  const int failed = RUN_ALL_TESTS();
  longhaul::back_on_the_main_stack();
  return failed;
}

/// Returns the cases that filter and shard let through, which GoogleTest knows only as it runs.
std::vector<std::string> cases() {
  std::FILE* const names = std::tmpfile();
  const pid_t lister = names == nullptr ? -1 : fork();
  if (lister < 0) {
    std::perror("no list of the cases");
    std::exit(2);
  }
  if (lister == 0) {
    ::testing::TestEventListeners& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new Lister(names));  // which owns it
    std::_Exit(run_all());
  }
  waitpid(lister, nullptr, 0);
  std::rewind(names);
  std::vector<std::string> found;
  for (char line[4096]; std::fgets(line, sizeof line, names) != nullptr;)
    found.emplace_back(line, std::strcspn(line, "\n"));
  std::fclose(names);
  return found;
}

/// Runs one case in this process, which is a fork; its words go to `to`.
int run_forked(const std::string& name, std::FILE* to) {
  dup2(fileno(to), STDOUT_FILENO);
  dup2(fileno(to), STDERR_FILENO);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm(limit_s());
  unsetenv("GTEST_TOTAL_SHARDS");
  unsetenv("GTEST_SHARD_INDEX");
  ::testing::GTEST_FLAG(filter) = name;
  if (run_all() != 0) return 1;
  return ::testing::UnitTest::GetInstance()->skipped_test_count() > 0 ? kSkipped : 0;
}

void copy(std::FILE* from) {
  std::rewind(from);
  char piece[4096];
  for (std::size_t read = 0; (read = std::fread(piece, 1, sizeof piece, from)) > 0;)
    std::fwrite(piece, 1, read, stdout);
}

constexpr double kLong_s = 0.5;  // of processor time: what is said of a case that passes

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

/// Says what became of a case, with its own words if it failed; returns whether it failed.
bool told(const std::string& name, int status, const rusage& used, std::FILE* words) {
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const bool failed = code != 0 && code != kSkipped;
  if (failed) copy(words);
  std::printf("%s: %s", name.c_str(), failed ? "failed" : code == kSkipped ? "skipped" : "passed");
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    std::printf(" (not ended after %u s)", limit_s());
  else if (WIFSIGNALED(status))
    std::printf(" (%s)", strsignal(WTERMSIG(status)));
  const double processor_s = seconds(used.ru_utime) + seconds(used.ru_stime);
  if (!failed && processor_s >= kLong_s) std::printf(" (%.1f s)", processor_s);
  std::printf("\n");
  return failed;
}

}  // namespace

int sc_main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (::testing::GTEST_FLAG(list_tests)) return run_all();
  const std::vector<std::string> names = cases();
  if (names.size() <= 1) return run_all();
  if (!::testing::GTEST_FLAG(output).empty()) {
    std::fprintf(stderr, "--gtest_output is of one case, and %zu are asked for\n", names.size());
    return 2;
  }
  int failures = 0;
  for (const std::string& name : names) {
    std::FILE* const words = std::tmpfile();
    std::fflush(nullptr);
    const pid_t child = words == nullptr ? -1 : fork();
    if (child < 0) {
      std::perror(name.c_str());
      return 2;
    }
    if (child == 0) return run_forked(name, words);
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    failures += told(name, status, used, words) ? 1 : 0;
    std::fclose(words);
  }
  std::printf("%zu cases, %d failed\n", names.size(), failures);
  return failures > 0 ? 1 : 0;
}
