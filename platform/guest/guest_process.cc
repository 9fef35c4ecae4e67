// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <system_error>

#include "platform/guest/guest_error.h"
#include "platform/guest/text_tail.h"

namespace longhaul::guest {
namespace {

/// Wall time between checks whether a silent guest still runs.
constexpr timespec kLookEvery{0, 200'000'000};
/// Longest time that counts between two checks. The simulator itself may have been stopped in
/// between.
constexpr std::chrono::seconds kLongestLook{1};
/// 2020-01-01 00:00:00 UTC: the guests' wall clock at simulated time zero.
constexpr lh_u64 kTimeOfDayNs = 1'577'836'800ULL * 1'000'000'000ULL;

constexpr int kPageFd = 200;
constexpr int kRamFd = 201;
constexpr int kBlocksFd = 202;
constexpr int kRootFd = 203;
constexpr int kFilesFd = 204;

/// Limits of a guest's kernel on the host. They are the same for every user, because the stack
/// limit affects the addresses of the kernel's memory.
constexpr rlim_t kStackBytes = rlim_t{8} << 20;
/// Limit on private memory of a guest's kernel, and of each of its processes, besides the RAM. A
/// kernel has some 14 MiB.
constexpr rlim_t kPrivateBytes = rlim_t{64} << 20;
/// Limit on its console, the only file that it writes. The host ends a process that writes more
/// (SIGXFSZ).
constexpr rlim_t kConsoleBytes = rlim_t{1} << 30;

void futex(lh_u32* word, int operation, lh_u32 value, const timespec* timeout) {
  syscall(SYS_futex, word, operation, value, timeout, nullptr, 0);
}

/// Opens an image as descriptor `number`. Returns -1 for an empty path. If it cannot be opened,
/// this process exits.
int open_image(const std::string& path, int number, const char* what) {
  if (path.empty()) return -1;
  const int image = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (image < 0 || dup2(image, number) < 0) {
    dprintf(STDERR_FILENO, "cannot open its %s %s: %s\n", what, path.c_str(), strerror(errno));
    _exit(126);
  }
  return number;
}

/// Sets the resource limits, which would otherwise be those of the user.
void set_limits() {
  rlimit stack{};
  getrlimit(RLIMIT_STACK, &stack);
  stack.rlim_cur =
      stack.rlim_max == RLIM_INFINITY ? kStackBytes : std::min(kStackBytes, stack.rlim_max);
  setrlimit(RLIMIT_STACK, &stack);
  const rlimit no_core{};
  setrlimit(RLIMIT_CORE, &no_core);
  const rlimit data{kPrivateBytes, kPrivateBytes};
  setrlimit(RLIMIT_DATA, &data);
  const rlimit console{kConsoleBytes, kConsoleBytes};
  setrlimit(RLIMIT_FSIZE, &console);
}

/// Closes every descriptor except the standard ones and `told`. The guest could use any descriptor
/// that it inherits.
void close_others(std::initializer_list<int> told) {
  for (int fd = STDERR_FILENO + 1; fd <= kFilesFd; ++fd) {
    if (std::find(told.begin(), told.end(), fd) == told.end()) close(fd);
  }
  closefrom(kFilesFd + 1);
}

/// Makes the end of a child interrupt the futex wait, so that a dead guest is noticed at once.
void notice_children() {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  sigaction(SIGCHLD, &action, nullptr);
}

}  // namespace

GuestProcess::GuestProcess(GuestOptions options)
    : options_(std::move(options)),
      page_memory_("longhaul-page", sizeof(lh_page)),
      ram_("longhaul-ram", options_.memory.count) {
  lh_page& shared = page();
  shared.magic = LH_ABI_MAGIC;
  shared.version = LH_ABI_VERSION;
  shared.seed = options_.seed;
  shared.time_of_day_ns = kTimeOfDayNs;
  shared.timer_ps = LH_NO_DEADLINE;
  shared.turn = LH_TURN_GUEST;
  shared.programs = options_.programs;
}

GuestProcess::~GuestProcess() { kill(); }

GuestProcess::Turn GuestProcess::start() {
  notice_children();
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0)
    throw std::system_error(errno, std::generic_category(), "fork for guest " + options_.name);
  if (pid_ == 0) {
    // The guest must not outlive the simulator, even if the simulator is killed.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    exec_kernel();
  }
  const Turn turn = wait_for_request();
  if (turn == Turn::kPoweredOff || turn == Turn::kRestarted)
    fail("ended before it reached the simulator");
  return turn;
}

void GuestProcess::exec_kernel() {
  setsid();
  const int console = open((options_.work_dir + "/console.log").c_str(),
                           O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
  const int null = open("/dev/null", O_RDONLY);
  if (console < 0 || null < 0) _exit(126);
  dup2(null, STDIN_FILENO);
  dup2(console, STDOUT_FILENO);
  dup2(console, STDERR_FILENO);
  // Addresses must be the same in every run: they appear in hashes and so in packet order.
  if (personality(ADDR_NO_RANDOMIZE) < 0) {
    dprintf(STDERR_FILENO,
            "the host does not let it have fixed addresses (personality: %s); "
            "a container's seccomp filter has to allow that\n",
            strerror(errno));
    _exit(126);
  }
  // These descriptors stay open across exec. Their numbers are fixed, and images are passed by
  // number, because the kernel prints its command line and mixes it into its random numbers. A run
  // must not depend on the paths of its files.
  const int page_fd = dup2(page_memory_.fd(), kPageFd);
  const int ram_fd = dup2(ram_.fd(), kRamFd);
  const int blocks_fd = block_table_fd_ < 0 ? -1 : dup2(block_table_fd_, kBlocksFd);
  const int root_fd = open_image(options_.root, kRootFd, "root");
  const int files_fd = open_image(options_.files, kFilesFd, "files");
  if (page_fd < 0 || ram_fd < 0) {
    dprintf(STDERR_FILENO, "cannot hand over page and memory: %s\n", strerror(errno));
    _exit(126);
  }
  close_others({page_fd, ram_fd, blocks_fd, root_fd, files_fd});
  std::vector<std::string> words{
      options_.kernel,
      fmt::format("longhaul={},{},{},{},{}", page_fd, ram_fd, blocks_fd, root_fd, files_fd),
      fmt::format("mem={}", options_.memory.count),
      "root=/dev/lhda",
      "rootfstype=erofs",
      "ro",
      "con=null",
      "con0=null,fd:1",
      "panic=-1",
      "umid=" + options_.name,
      "uml_dir=" + options_.work_dir + "/",
      "hostname=" + options_.name};
  words.insert(words.end(), options_.arguments.begin(), options_.arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  // A fixed environment: the user's variables must not reach the guest's init. Restartable
  // sequences are off: programs lose the memory of their kernel's process, but the host would read
  // it at every signal.
  const char* environment[] = {"PATH=/usr/bin:/bin", "HOME=/", "TERM=dumb",
                               "GLIBC_TUNABLES=glibc.pthread.rseq=0", nullptr};
  // Last: this process may use more memory than the kernel's limit. It could allocate no more.
  set_limits();
  execve(options_.kernel.c_str(), argv.data(), const_cast<char**>(environment));
  dprintf(STDERR_FILENO, "cannot execute %s: %s\n", options_.kernel.c_str(), strerror(errno));
  _exit(127);
}

GuestProcess::Turn GuestProcess::resume() {
  lh_page& shared = page();
  __atomic_store_n(&shared.turn, LH_TURN_GUEST, __ATOMIC_RELEASE);
  futex(&shared.turn, FUTEX_WAKE, 1, nullptr);
  return wait_for_request();
}

GuestProcess::Turn GuestProcess::wait_for_request() {
  using Clock = std::chrono::steady_clock;
  const lh_page& shared = page();
  const auto asks = [&shared] {
    return __atomic_load_n(&shared.turn, __ATOMIC_ACQUIRE) == LH_TURN_SIMULATOR;
  };
  Clock::duration silent{};
  bool suspended = false;
  Clock::time_point last = Clock::now();
  while (!asks()) {
    futex(&page().turn, FUTEX_WAIT, LH_TURN_GUEST, &kLookEvery);
    if (asks()) break;
    if (options_.should_stop()) return Turn::kStopped;
    if (reap()) return end_of_process();
    const Clock::time_point now = Clock::now();
    if (is_suspended() != suspended) options_.on_suspended(suspended = !suspended);
    if (!suspended) silent += std::min<Clock::duration>(now - last, kLongestLook);
    last = now;
    if (silent > options_.silence_limit) {
      kill();
      fail(fmt::format("hangs: it ran for {} s of wall time without a request",
                       options_.silence_limit.count()));
    }
  }
  if (suspended) options_.on_suspended(false);
  return Turn::kRequest;
}

GuestProcess::Turn GuestProcess::end_of_process() {
  if (WIFEXITED(wait_status_) && WEXITSTATUS(wait_status_) == 0) return Turn::kPoweredOff;
  if (WIFEXITED(wait_status_) && WEXITSTATUS(wait_status_) == LH_EXIT_RESTART)
    return Turn::kRestarted;
  if (const std::string reason = panic(); !reason.empty())
    fail(fmt::format("panicked ({})", reason));
  if (WIFEXITED(wait_status_))
    fail(fmt::format("ended with exit code {}", WEXITSTATUS(wait_status_)));
  fail(fmt::format("was killed by signal {} ({})", WTERMSIG(wait_status_),
                   strsignal(WTERMSIG(wait_status_))));
}

bool GuestProcess::is_suspended() const {
  std::ifstream in(fmt::format("/proc/{}/stat", pid_));
  std::string line;
  std::getline(in, line);
  // The state follows the name, which is in parentheses and may contain some. T: stopped by a
  // signal; t: stopped by a debugger.
  const std::size_t name_end = line.rfind(") ");
  return name_end != std::string::npos && (line[name_end + 2] == 'T' || line[name_end + 2] == 't');
}

bool GuestProcess::reap() {
  if (pid_ <= 0) return true;
  siginfo_t found{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &found, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      found.si_pid != pid_)
    return false;
  // waitpid() reports here only the stop of a process that has asked to be traced by its parent.
  const bool is_over =
      found.si_code == CLD_EXITED || found.si_code == CLD_KILLED || found.si_code == CLD_DUMPED;
  kill();
  if (!is_over) fail("asked to be traced, and stopped");
  return true;
}

std::string GuestProcess::programs_by() const {
  switch (__atomic_load_n(&page().programs, __ATOMIC_RELAXED)) {
    case LH_PROGRAMS_PTRACE: return "ptrace";
    case LH_PROGRAMS_SECCOMP: return "seccomp";
    default: return "";
  }
}

void GuestProcess::kill() {
  if (pid_ <= 0) return;
  // Kills the session's process group, if there is one: its processes may outlive the kernel's
  // process. The group's number cannot be reused before waitpid().
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  for (;;) {
    const pid_t ended = waitpid(pid_, &wait_status_, 0);
    if (ended < 0 ? errno != EINTR : !WIFSTOPPED(wait_status_)) break;
  }
  pid_ = -1;
}

std::string GuestProcess::panic() const {
  static const std::string kMark = "Kernel panic - not syncing: ";
  std::ifstream in(options_.work_dir + "/console.log");
  for (std::string line; std::getline(in, line);) {
    const std::size_t at = line.find(kMark);
    if (at == std::string::npos) continue;
    const std::string reason = line.substr(at + kMark.size());
    return reason.substr(0, reason.find_last_not_of(" \r\t") + 1);
  }
  return {};
}

void GuestProcess::fail(const std::string& what) const {
  throw GuestError(fmt::format("guest '{}' {} at simulated time {}; its console ended with:\n{}",
                               options_.name, what, now_text(),
                               text_tail(options_.work_dir + "/console.log")));
}

}  // namespace longhaul::guest
