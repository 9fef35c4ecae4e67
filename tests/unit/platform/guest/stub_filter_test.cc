// SPDX-License-Identifier: Apache-2.0
// What the process of a guest's program can still ask of its host when it is not traced: the filter
// of the guest's kernel, applied to a process of this test. A page with a system call stands for
// the stub, the test's own code for the program.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <functional>

#include "models/common/address_sanitizer.h"

extern "C" int longhaul_stub_filter(unsigned long code, int ram);

namespace {

constexpr std::uintptr_t kStub = 0x7fc0000000;
constexpr std::uintptr_t kTemplate = 0x7e00c0000000;
constexpr std::size_t kPage = 4096;
constexpr int kCallSucceeded = 200;
constexpr int kNoFilter = 201;
constexpr int kSignalled = 202;
constexpr int kBySeccomp = 1;  // si_code of SIGSYS, which <csignal> does not name
constexpr std::array<unsigned char, 19> kCall{
    // mov %rdi,%rax  mov %rsi,%rdi  mov %rdx,%rsi  mov %rcx,%rdx  mov %r8,%r10
    0x48, 0x89, 0xf8, 0x48, 0x89, 0xf7, 0x48, 0x89, 0xd6, 0x48, 0x89, 0xca, 0x4d, 0x89, 0xc2,
    // mov %r9d,%r8d  (the fifth argument); the sixth is 0
    0x4d, 0x89, 0xc8, 0x90};
constexpr std::array<unsigned char, 6> kEnd{0x45, 0x31, 0xc9,
                                            0x0f, 0x05, 0xc3};  // xor %r9d,%r9d  syscall  ret

using Call = long (*)(long number, unsigned long a, unsigned long b, unsigned long c,
                      unsigned long d, unsigned long e);

int ram_fd = -1;

bool map_code(std::uintptr_t address) {
  void* const page = mmap(reinterpret_cast<void*>(address), kPage, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (page != reinterpret_cast<void*>(address)) return false;
  std::memcpy(page, kCall.data(), kCall.size());
  std::memcpy(static_cast<unsigned char*>(page) + kCall.size(), kEnd.data(), kEnd.size());
  return mprotect(page, kPage, PROT_READ | PROT_EXEC) == 0;
}

[[noreturn]] void end(int code) {
  reinterpret_cast<Call>(kStub)(SYS_exit_group, static_cast<unsigned long>(code), 0, 0, 0, 0);
  __builtin_trap();
}

void on_signal(int, siginfo_t* info, void*) {
  end(info->si_code == kBySeccomp ? kSignalled : kNoFilter);
}

/// The error number with which the host refuses a call that `call` makes in such a process,
/// kCallSucceeded, or kSignalled.
int outcome(const std::function<long()>& call) {
  const pid_t child = fork();
  if (child == 0) {
    ram_fd = static_cast<int>(syscall(SYS_memfd_create, "ram", 0));
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSYS, &action, nullptr);
    if (ftruncate(ram_fd, kPage) != 0 || !map_code(kStub) || !map_code(kTemplate) ||
        longhaul_stub_filter(kStub, ram_fd) != 0) {
      _exit(kNoFilter);
    }
    const long answer = call();
    end(answer >= 0 ? kCallSucceeded : static_cast<int>(-answer));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// A call by the code at `page`: minus the error number, as the host answers it.
int answer(std::uintptr_t page, long number, unsigned long a = 0, unsigned long b = 0,
           unsigned long c = 0, unsigned long d = 0, unsigned long e = 0) {
  return outcome([=] { return reinterpret_cast<Call>(page)(number, a, b, c, d, e); });
}

int mapped(unsigned long address, unsigned long bytes, unsigned long flags,
           const std::function<int()>& descriptor) {
  return outcome([=] {
    return reinterpret_cast<Call>(kStub)(SYS_mmap, address, bytes,
                                         PROT_READ | PROT_WRITE | PROT_EXEC, flags,
                                         static_cast<unsigned long>(descriptor()));
  });
}

class StubFilter : public ::testing::Test {
 protected:
  void SetUp() override {
    if (longhaul::under_address_sanitizer())
      GTEST_SKIP() << "its memory lies where the stub's pages do";
  }
};

TEST_F(StubFilter, ACallOfTheProgramIsASignal) {
  EXPECT_EQ(outcome([] { return syscall(SYS_getpid); }), kSignalled);
  EXPECT_EQ(outcome([] { return syscall(SYS_getppid); }), kSignalled);
  EXPECT_EQ(outcome([] { return syscall(SYS_futex, nullptr, 1, 1); }), kSignalled);
  EXPECT_EQ(outcome([] {
              long result = 20;  // getpid of 32-bit programs
              asm volatile("int $0x80" : "+a"(result));
              return result;
            }),
            kSignalled);
}

TEST_F(StubFilter, AProgramThatJumpsIntoTheStubReachesNothingOfTheHost) {
  const auto name = reinterpret_cast<unsigned long>("/etc/passwd");
  EXPECT_EQ(answer(kStub, SYS_open, name, O_RDONLY), EPERM);
  EXPECT_EQ(answer(kStub, SYS_openat, static_cast<unsigned long>(AT_FDCWD), name, O_RDONLY), EPERM);
  EXPECT_EQ(answer(kStub, SYS_execve, name), EPERM);
  EXPECT_EQ(answer(kStub, SYS_socket, 2, 1), EPERM);
  EXPECT_EQ(answer(kStub, SYS_kill, static_cast<unsigned long>(getpid()), 0), EPERM);
  EXPECT_EQ(answer(kStub, SYS_ptrace, 16, static_cast<unsigned long>(getpid())), EPERM);
  EXPECT_EQ(answer(kStub, SYS_write, 1, name, 1), EPERM);
  EXPECT_EQ(answer(kStub, SYS_read, 0, name, 1), EPERM);
  EXPECT_EQ(answer(kStub, SYS_setsid), EPERM);
  EXPECT_EQ(answer(kStub, SYS_rt_sigaction, SIGSYS), EPERM);
  EXPECT_EQ(answer(kStub, SYS_seccomp, 1), EPERM);
}

TEST_F(StubFilter, OnlyTheTemplateMakesProcesses) {
  const unsigned long flags = CLONE_PARENT | CLONE_FILES | SIGCHLD;
  EXPECT_EQ(answer(kStub, SYS_clone, flags), EPERM);
  EXPECT_EQ(answer(kStub, SYS_fork), EPERM);
  EXPECT_EQ(answer(kStub, SYS_vfork), EPERM);
  EXPECT_EQ(answer(kStub, SYS_clone3), EPERM);
  EXPECT_EQ(answer(kTemplate, SYS_clone, flags), kCallSucceeded);
  EXPECT_EQ(answer(kTemplate, SYS_clone, flags | CLONE_NEWUSER), EPERM);
  EXPECT_EQ(answer(kTemplate, SYS_clone, flags | CLONE_VM), EPERM);
}

TEST_F(StubFilter, OnlyRamOfTheGuestIsMapped) {
  const auto ram = [] { return ram_fd; };
  EXPECT_EQ(mapped(0x10000000, kPage, MAP_SHARED | MAP_FIXED, ram), kCallSucceeded);
  EXPECT_EQ(mapped(0x10000000, kPage, MAP_SHARED | MAP_FIXED | MAP_POPULATE, ram), kCallSucceeded);
  EXPECT_EQ(mapped(0x10000000, kPage, MAP_SHARED | MAP_FIXED, [] { return STDIN_FILENO; }), EPERM);
  EXPECT_EQ(mapped(0x10000000, kPage, MAP_PRIVATE | MAP_FIXED, ram), EPERM);
  EXPECT_EQ(mapped(0x10000000, kPage, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, ram), EPERM);
  EXPECT_EQ(mapped(0x10000000, kPage, MAP_SHARED, ram), EPERM);
  // Code where the template has its own could make processes.
  EXPECT_EQ(mapped(kTemplate, kPage, MAP_SHARED | MAP_FIXED, ram), EPERM);
  EXPECT_EQ(mapped(0x10000000, kTemplate, MAP_SHARED | MAP_FIXED, ram), EPERM);
  EXPECT_EQ(mapped(0x10000000, 0x1'0000'0000, MAP_SHARED | MAP_FIXED, ram), EPERM);
}

TEST_F(StubFilter, TheStubKeepsWhatItDoes) {
  EXPECT_EQ(answer(kStub, SYS_munmap, 0x10000000, kPage), kCallSucceeded);
  EXPECT_EQ(answer(kStub, SYS_getppid), kCallSucceeded);
  EXPECT_EQ(answer(kStub, SYS_futex, 0, FUTEX_WAKE, 1), EFAULT);
  EXPECT_EQ(answer(kStub, SYS_futex, 0, FUTEX_LOCK_PI, 0), EPERM);
  EXPECT_EQ(answer(kStub, SYS_futex, 0, FUTEX_WAIT, 0, kStub), EPERM)
      << "a wait that ends tells the host's time";
  EXPECT_EQ(answer(kStub, SYS_prctl, PR_SET_PDEATHSIG, SIGKILL), kCallSucceeded);
  EXPECT_EQ(answer(kStub, SYS_prctl, PR_SET_PDEATHSIG, 0),
            EPERM);  // or it would outlive its kernel
  EXPECT_EQ(answer(kStub, SYS_prctl, PR_SET_DUMPABLE, 0), EPERM);
}

}  // namespace
