// SPDX-License-Identifier: Apache-2.0
// What a confined process can still ask of its host: the filter of the guest's kernel, applied to a
// process of this test.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <functional>

extern "C" int longhaul_confine(int traces);

namespace {

constexpr int kSucceeded = 200;
constexpr int kNotConfined = 201;

/// The error number with which the host refuses a confined process a call, or kSucceeded. It traces
/// its programs, or not.
int refusal(const std::function<long()>& call, bool traces = true) {
  const pid_t child = fork();
  if (child == 0) {
    if (longhaul_confine(traces ? 1 : 0) != 0) _exit(kNotConfined);
    errno = 0;
    _exit(call() >= 0 ? kSucceeded : errno);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

long new_process(unsigned long flags) {
  return syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
}

TEST(Confine, NoFileCanBeOpenedMadeOrRemoved) {
  EXPECT_EQ(refusal([] { return open("/etc/passwd", O_RDONLY); }), EPERM);
  EXPECT_EQ(refusal([] { return syscall(SYS_open, "/etc/passwd", O_RDONLY); }), EPERM);
  EXPECT_EQ(refusal([] { return open("/tmp/longhaul-confine", O_WRONLY | O_CREAT, 0600); }), EPERM);
  EXPECT_EQ(refusal([] { return unlink("/tmp/longhaul-confine"); }), EPERM);
  EXPECT_EQ(refusal([] { return mkdir("/tmp/longhaul-confine", 0700); }), EPERM);
  EXPECT_EQ(refusal([] { return chdir("/tmp"); }), EPERM);
  EXPECT_EQ(refusal([] { return syscall(SYS_io_uring_setup, 1, nullptr); }), EPERM);
}

TEST(Confine, NoProgramStartsAndNoNetworkIsReached) {
  EXPECT_EQ(refusal([] { return execl("/bin/true", "true", nullptr); }), EPERM);
  EXPECT_EQ(refusal([] { return socket(AF_INET, SOCK_STREAM, 0); }), EPERM);
  EXPECT_EQ(refusal([] { return socket(AF_UNIX, SOCK_STREAM, 0); }), EPERM);
}

TEST(Confine, NoOtherProcessIsSignalledTracedReadOrWritten) {
  const pid_t parent = getpid();
  char byte = 0;
  const iovec part{&byte, 1};
  EXPECT_EQ(refusal([=] { return kill(parent, 0); }), EPERM);
  EXPECT_EQ(refusal([=] { return syscall(SYS_tgkill, parent, parent, 0); }), EPERM);
  EXPECT_EQ(refusal([=] { return ptrace(PTRACE_ATTACH, parent, nullptr, nullptr); }), EPERM);
  EXPECT_EQ(refusal([=] { return ptrace(PTRACE_SEIZE, parent, nullptr, nullptr); }), EPERM);
  EXPECT_EQ(refusal([&] { return process_vm_readv(parent, &part, 1, &part, 1, 0); }), EPERM);
  EXPECT_EQ(refusal([=] { return syscall(SYS_pidfd_open, parent, 0); }), EPERM);
  EXPECT_EQ(refusal([=] { return fcntl(STDIN_FILENO, F_SETOWN, parent); }), EPERM);
  EXPECT_EQ(refusal([] { return setsid(); }), EPERM);  // or it would survive the end of its group
}

TEST(Confine, NoPrivilegeNamespaceOrSharedMemoryIsGained) {
  EXPECT_EQ(refusal([] { return setuid(0); }), EPERM);
  EXPECT_EQ(refusal([] { return unshare(CLONE_NEWUSER); }), EPERM);
  EXPECT_EQ(refusal([] { return new_process(CLONE_NEWUSER); }), EPERM);
  EXPECT_EQ(refusal([] { return new_process(CLONE_NEWNS); }), EPERM);
  EXPECT_EQ(refusal([] { return prctl(PR_SET_DUMPABLE, 0); }), EPERM);
  EXPECT_EQ(refusal([] { return ioctl(STDIN_FILENO, TIOCSTI, "x"); }), EPERM);
  EXPECT_EQ(refusal([] { return memfd_create("x", 0); }), EPERM);
  EXPECT_EQ(refusal([] {
              return mmap(nullptr, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
                         ? -1
                         : 0;
            }),
            EPERM);
  EXPECT_EQ(refusal([] {
              const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN;
              return mmap(nullptr, 4096, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED ? -1
                                                                                             : 0;
            }),
            EPERM);  // RLIMIT_DATA does not count it
}

/// MADV_HWPOISON would take pages from the host. The test asks for harmless advice that is refused
/// as well.
TEST(Confine, MemoryIsLetGoOfAndNothingElseIsAdvised) {
  static std::array<char, 8192> memory;
  const auto page = (reinterpret_cast<std::uintptr_t>(memory.data()) + 4095) / 4096 * 4096;
  const auto advised = [page](int advice) {
    return refusal([=] { return madvise(reinterpret_cast<void*>(page), 4096, advice); });
  };
  EXPECT_EQ(advised(MADV_DONTNEED), kSucceeded);
  EXPECT_EQ(advised(MADV_MERGEABLE), EPERM);
  EXPECT_EQ(advised(MADV_HUGEPAGE), EPERM);
}

TEST(Confine, NoProcessStopsItsParentByItsEnd) {
  const auto made = [](unsigned long signal) {
    return refusal([=]() -> long {
      const long child = syscall(SYS_clone, signal, nullptr, nullptr, nullptr, nullptr);
      if (child == 0) _exit(0);
      return child;
    });
  };
  EXPECT_EQ(made(SIGCHLD), kSucceeded);
  EXPECT_EQ(made(0), kSucceeded);
  EXPECT_EQ(made(SIGSTOP), EPERM);
}

/// Calls of 32-bit programs have other numbers: what is `write` here is `stat` there.
TEST(Confine, CallsOfOtherArchitecturesAreRefused) {
  EXPECT_EQ(refusal([] {
              long result = 20;  // getpid, by `int 0x80`
              asm volatile("int $0x80" : "+a"(result));
              if (result >= 0) return result;
              errno = static_cast<int>(-result);
              return -1L;
            }),
            EPERM);
}

TEST(Confine, AKernelKeepsWhatItDoesWithItsOwnProcesses) {
  EXPECT_EQ(refusal([]() -> long {
              const pid_t child = static_cast<pid_t>(new_process(0));
              if (child == 0) {
                ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
                asm volatile("int3");
                _exit(0);
              }
              int status = 0;
              if (waitpid(child, &status, __WALL) != child || !WIFSTOPPED(status)) return -1;
              if (WSTOPSIG(status) != SIGTRAP || ptrace(PTRACE_KILL, child, nullptr, nullptr) != 0)
                return -1;
              return waitpid(child, &status, __WALL) == child && WIFSIGNALED(status) ? 0 : -1;
            }),
            kSucceeded);
  EXPECT_EQ(refusal([]() -> long {
              void* const page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
              return page == MAP_FAILED || mprotect(page, 4096, PROT_READ | PROT_WRITE) != 0
                         ? -1
                         : munmap(page, 4096);
            }),
            kSucceeded);
}

TEST(Confine, AKernelThatDoesNotTraceMakesAndTracesNoProcess) {
  EXPECT_EQ(refusal([] { return new_process(0); }, false), EPERM);
  EXPECT_EQ(refusal([] { return ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); }, false), EPERM);
  EXPECT_EQ(refusal([] { return open("/etc/passwd", O_RDONLY); }, false), EPERM);
  EXPECT_EQ(refusal([] { return syscall(SYS_futex, nullptr, 1 /* FUTEX_WAKE */, 1); }, false),
            EFAULT);
}

TEST(Confine, ItsProcessesAreConfinedToo) {
  EXPECT_EQ(refusal([]() -> long {
              const pid_t child = static_cast<pid_t>(new_process(0));
              if (child == 0) _exit(open("/etc/passwd", O_RDONLY) < 0 ? errno : kSucceeded);
              int status = 0;
              waitpid(child, &status, __WALL);
              errno = WEXITSTATUS(status);
              return -1;
            }),
            EPERM);
}

}  // namespace
