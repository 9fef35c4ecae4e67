// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/host_time.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace longhaul::guest {
namespace {

constexpr double kWorkS = 0.3;
constexpr double kTickS = 0.01;  // of the host's accounting

/// A process that works for kWorkS in user mode, says so, and waits for its end.
class Worker {
 public:
  Worker() {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe");
    pid_ = fork();
    if (pid_ == 0) {
      rusage used{};
      do {
        for (int i = 0; i < 1'000'000; ++i) asm volatile("");
        getrusage(RUSAGE_SELF, &used);
      } while (static_cast<double>(used.ru_utime.tv_sec) +
                   static_cast<double>(used.ru_utime.tv_usec) / 1e6 <
               kWorkS);
      if (write(ends[1], "x", 1) != 1) _exit(1);
      for (;;) pause();
    }
    close(ends[1]);
    done_ = ends[0];
  }
  ~Worker() { end(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  bool has_worked() const {
    char byte = 0;
    return read(done_, &byte, 1) == 1;
  }
  void end() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    close(done_);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
  int done_ = -1;
};

TEST(HostTime, IsOfChildrenThatLiveAndThatHaveEnded) {
  HostTime time;
  time.begin_window(getpid());
  Worker worker;
  ASSERT_TRUE(worker.has_worked());
  time.end_window(getpid());
  ASSERT_TRUE(time.seconds());
  EXPECT_GE(time.seconds()->programs.user, kWorkS - kTickS);
  worker.end();
  time.end_window(getpid());
  EXPECT_GE(time.seconds()->programs.user, kWorkS - kTickS);
}

TEST(HostTime, IsOfTheWindowOnly) {
  HostTime time;
  const Worker worker;
  ASSERT_TRUE(worker.has_worked());
  time.begin_window(getpid());
  time.end_window(getpid());
  EXPECT_LE(time.seconds()->programs.user,
            2 * kTickS);  // it may still have been on its way to sleep
}

TEST(HostTime, OfAKernelIsThatOfItsProcess) {
  HostTime time;
  const CpuSeconds before = own_seconds();
  time.begin_window(getpid());
  while (own_seconds().user + own_seconds().system - before.user - before.system < kWorkS)
    asm volatile("");
  time.end_window(getpid());
  const CpuSeconds kernel = time.seconds()->kernel;
  EXPECT_NEAR(kernel.user + kernel.system, kWorkS, 3 * kTickS);
  EXPECT_GT(kernel.system, 0);  // own_seconds() is a system call
}

TEST(HostTime, IsUnknownWithoutAWindowOrAProcess) {
  HostTime time;
  EXPECT_FALSE(time.seconds());
  time.begin_window(-1);
  time.end_window(-1);
  EXPECT_FALSE(time.seconds());
}

}  // namespace
}  // namespace longhaul::guest
