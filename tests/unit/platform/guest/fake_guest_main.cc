// SPDX-License-Identifier: Apache-2.0
// A guest without a kernel: speaks the protocol of sw/linux/longhaul_abi.h and then does what its
// `do=` argument says. The unit tests start it in place of User-Mode-Linux.
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "sw/linux/longhaul_abi.h"

namespace {

lh_page* g_page = nullptr;
int g_ram_fd = -1;

void exchange(lh_u32 op) {
  g_page->op = op;
  __atomic_store_n(&g_page->turn, LH_TURN_SIMULATOR, __ATOMIC_RELEASE);
  syscall(SYS_futex, &g_page->turn, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  while (__atomic_load_n(&g_page->turn, __ATOMIC_ACQUIRE) != LH_TURN_GUEST) {
    syscall(SYS_futex, &g_page->turn, FUTEX_WAIT, LH_TURN_SIMULATOR, nullptr, nullptr, 0);
  }
  g_page->ahead_ps = 0;
}

void message(lh_u32 kind, const std::string& text) {
  std::memcpy(g_page->message, text.data(), text.size());
  g_page->size = static_cast<lh_u32>(text.size());
  g_page->flags = kind;
  exchange(LH_OP_MESSAGE);
}

int behave(const std::string& what, const std::string& arg) {
  if (what == "exit") return std::atoi(arg.c_str());
  if (what == "kill") raise(SIGKILL);
  if (what == "hang") {
    for (;;) pause();
  }
  if (what == "stop") raise(SIGSTOP);
  if (what == "traced" && ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) raise(SIGTRAP);
  if (what == "leave_a_child") {
    const pid_t child = fork();
    while (child == 0) pause();
    std::printf("left %d\n", child);
  }
  if (what == "descriptors") {
    for (int fd = 0; fd < 1024; ++fd) {
      if (fcntl(fd, F_GETFD) >= 0) std::printf("open %d\n", fd);
    }
  }
  if (what == "long_console" && ftruncate(STDOUT_FILENO, (1L << 30) + 1) != 0) return 1;
  if (what == "many_symbols") {
    const std::string line = "50000000 " + std::string(4000, 'x') + "\n";
    for (int i = 0; i < 5000; ++i) message(LH_MESSAGE_SYMBOLS, line);
  }
  if (what == "greedy") {
    std::printf("shrinks its RAM: %s\n", ftruncate(g_ram_fd, 4096) == 0 ? "done" : strerror(errno));
    std::printf("grows its RAM: %s\n",
                ftruncate(g_ram_fd, 1L << 30) == 0 ? "done" : strerror(errno));
    void* const more =
        mmap(nullptr, 1UL << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::printf("takes a GiB: %s\n", more != MAP_FAILED ? "done" : strerror(errno));
  }
  if (what == "less_work") {
    g_page->work[LH_STATE_SYSTEM][LH_WORK_SYSCALL] -= 1;
    exchange(LH_OP_SYNC);
  }
  if (what == "much_time") {
    g_page->work[LH_STATE_SYSTEM][LH_WORK_DELAY_PS] += 1ULL << 60;
    exchange(LH_OP_SYNC);
  }
  if (what == "wide_touch") {
    g_page->memory_op[0] = {0x10000, 0x20000, 0xffffffff, LH_MEMORY_COPY | LH_STATE_SYSTEM << 8};
    g_page->memory_ops = 1;
    exchange(LH_OP_SYNC);
  }
  if (what == "last_touch") {
    g_page->memory_op[0] = {~0ULL, 0, 2, LH_MEMORY_COPY | LH_STATE_SYSTEM << 8};
    g_page->memory_ops = 1;
    exchange(LH_OP_SYNC);
  }
  if (what == "much_touched") {
    for (int i = 0; i < 2; ++i)
      g_page->memory_op[i] = {0x10000, 0, 9 << 20, LH_MEMORY_COPY | LH_STATE_SYSTEM << 8};
    g_page->memory_ops = 2;
    exchange(LH_OP_SYNC);
  }
  if (what == "panic") message(LH_MESSAGE_PANIC, "Fatal exception in interrupt");
  if (what == "phases") {
    message(LH_MESSAGE_PHASE, "measure-begin\n");
    message(LH_MESSAGE_REPORT, "@iperf.txt\nhalf ");
    message(LH_MESSAGE_REPORT, "@iperf.txt\na report\n");
    message(LH_MESSAGE_PHASE, "done");
  }
  if (what == "module") {
    const lh_module_block block{0x50000027, 0x50000020, {6}};
    std::memcpy(g_page->message, &block, sizeof block);
    g_page->size = static_cast<lh_u32>(std::atoi(arg.c_str()));
    exchange(LH_OP_BLOCKS);
    std::printf("first %llu\n", g_page->data);
    message(LH_MESSAGE_SYMBOLS, "50000000 work [module]\n");
  }
  if (what == "report_outside") message(LH_MESSAGE_REPORT, "@../escape\ntext");
  if (what == "memory") {
    g_page->ram_begin = std::strtoull(arg.c_str(), nullptr, 0);
    exchange(LH_OP_MEMORY);
  }
  if (what == "bad_op") exchange(77);
  if (what == "many_touches") {
    g_page->memory_ops = LH_MEMORY_OPS + 1;
    exchange(LH_OP_SYNC);
  }
  if (what == "bad_touch") {
    g_page->memory_op[0].kind_and_state = 9;
    g_page->memory_ops = 1;
    exchange(LH_OP_SYNC);
  }
  if (what == "touch") {
    g_page->memory_op[0] = {0x10000, 0x20000, 4096, LH_MEMORY_COPY | LH_STATE_SYSTEM << 8};
    g_page->memory_ops = 1;
    exchange(LH_OP_SYNC);
    std::printf("left %u\n", g_page->memory_ops);
  }
  if (what == "bad_size") {
    g_page->address = LH_PCI_MEMORY_BASE;
    g_page->size = 3;
    exchange(LH_OP_READ);
  }
  if (what == "idle_1ms") {
    g_page->timer_ps = 1'000'000'000;
    exchange(LH_OP_IDLE);
    std::printf("woke at %llu\n", g_page->now_ps);
  }
  if (what == "elapse_masked" || what == "elapse") {
    g_page->deadline_ps = 2'000'000'000;
    g_page->size = LH_STATE_SOFTIRQ;
    g_page->flags = what == "elapse" ? LH_FLAG_INTERRUPTIBLE : 0;
    exchange(LH_OP_ELAPSE);
    std::printf("elapsed at %llu msi %x\n", g_page->now_ps, g_page->msi_pending);
  }
  // Endless loops, for benchmarks: until the simulator ends this process.
  while (what == "loop_elapse") {
    g_page->deadline_ps = g_page->now_ps + 1'000'000;
    g_page->size = LH_STATE_SYSTEM;
    exchange(LH_OP_ELAPSE);
  }
  while (what == "loop_read") {
    g_page->address = LH_PCI_MEMORY_BASE;
    g_page->size = 4;
    exchange(LH_OP_READ);
  }
  while (what == "loop_idle") {
    g_page->msi_pending = 0;
    exchange(LH_OP_IDLE);
  }
  if (what == "work") {
    g_page->work[LH_STATE_SYSTEM][LH_WORK_SYSCALL] += 3;
    g_page->work[LH_STATE_HARDIRQ][LH_WORK_DELAY_PS] += 500;
    g_page->ahead_ps = 3 * g_page->cost_ps[LH_WORK_SYSCALL] + 500;
    exchange(LH_OP_SYNC);
    std::printf("paid at %llu\n", g_page->now_ps);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int page_fd = -1;
  std::string what;
  std::string arg;
  setvbuf(stdout, nullptr, _IOLBF, 0);
  for (int i = 1; i < argc; ++i) {
    std::sscanf(argv[i], "longhaul=%d,%d", &page_fd, &g_ram_fd);
    if (std::strncmp(argv[i], "do=", 3) == 0) what = argv[i] + 3;
    if (std::strncmp(argv[i], "arg=", 4) == 0) arg = argv[i] + 4;
  }
  std::printf("fake guest does '%s'\n", what.c_str());
  if (what == "die_early") return 3;
  g_page = static_cast<lh_page*>(
      mmap(nullptr, sizeof(lh_page), PROT_READ | PROT_WRITE, MAP_SHARED, page_fd, 0));
  if (g_page == MAP_FAILED || g_page->magic != LH_ABI_MAGIC) return 9;
  exchange(LH_OP_ATTACH);
  return behave(what, arg);
}
