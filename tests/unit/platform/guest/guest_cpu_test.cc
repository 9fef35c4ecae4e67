// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_cpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <tlm_utils/simple_target_socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <thread>

#include "platform/guest/guest_error.h"

namespace longhaul::guest {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Takes what the core sends to the bridge and answers at once.
struct Nowhere : sc_core::sc_module {
  tlm_utils::simple_target_socket<Nowhere> bus{"bus"};
  explicit Nowhere(const sc_core::sc_module_name& name) : sc_module(name) {
    bus.register_b_transport(this, &Nowhere::transport);
  }
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

struct Log final : GuestListener {
  std::vector<std::string> phases;
  std::map<std::string, std::string> reports;
  bool off = false;
  bool restarted = false;
  bool stop = false;
  std::vector<bool> suspended;
  std::function<void()> when_suspended = [] {};
  std::string failure;

  void on_phase(const std::string&, const std::string& text) override { phases.push_back(text); }
  void on_report(const std::string&, const std::string& name, const std::string& bytes) override {
    reports[name] += bytes;
  }
  void on_power_off(const std::string&, PowerOff how) override {
    off = true;
    restarted = how == PowerOff::kRestart;
  }
  void on_suspended(const std::string&, bool is) override {
    suspended.push_back(is);
    if (is) when_suspended();
  }
  bool should_stop() override { return stop; }
  void on_failure(const std::string&, std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      failure = e.what();
    }
  }
};

struct GuestCpuTest : ::testing::Test {
  std::filesystem::path dir;
  Nowhere nowhere{"nowhere"};
  cpu::Core core{"core", {}};
  InterruptController interrupts{"interrupts"};
  Log log;

  GuestCpuTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "longhaul-guest-XXXXXX").string();
    dir = mkdtemp(pattern.data());
    core.core_initiator.bind(nowhere.bus);
  }
  ~GuestCpuTest() override { std::filesystem::remove_all(dir); }

  GuestOptions options(const std::string& what, const std::string& arg = "") {
    GuestOptions out;
    out.name = "sender";
    out.kernel = std::filesystem::read_symlink("/proc/self/exe").replace_filename("fake_guest");
    out.root = "/";
    out.work_dir = dir.string();
    out.arguments = {"do=" + what, "arg=" + arg};
    out.memory = units::MiB(16);
    out.on_suspended = [this](bool is) { log.on_suspended("sender", is); };
    if (what == "hang" || what == "stop")
      out.silence_limit = std::chrono::seconds(1);  // else none that a busy machine could reach
    return out;
  }
  void run(const std::string& what, const std::string& arg = "") {
    GuestCpu guest("guest", options(what, arg), core, interrupts, log);
    sc_core::sc_start();
  }
  /// A kernel's table of one block; returns its file.
  std::string block_table() const {
    std::string bytes = "LHBLOCK4";
    const auto put = [&bytes](auto value) {
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    for (const std::uint64_t address : {0x6000'1000ULL, 0x6000'2000ULL}) put(address);
    for (const std::size_t count : {std::size_t{1}, cpu::kOpClasses, std::size_t{1}}) {
      put(static_cast<std::uint32_t>(count));
    }
    bytes.append(8 + cpu::kOpClasses, '\0');                          // the block
    for (const std::uint32_t word : {0U, 0x100U, 1U, 0U}) put(word);  // the function
    const std::string path = (dir / "blocks.bin").string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  std::string console() const {
    std::ifstream in(dir / "console.log");
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
};

TEST_F(GuestCpuTest, PoweringOffIsTheRegularEnd) {
  run("exit", "0");
  EXPECT_TRUE(log.off);
  EXPECT_EQ(log.failure, "");
}

TEST_F(GuestCpuTest, ExitCodeNamesGuestTimeAndLastConsoleLines) {
  run("exit", "5");
  EXPECT_FALSE(log.off);
  EXPECT_THAT(
      log.failure,
      AllOf(HasSubstr("guest 'sender' ended with exit code 5 at simulated time 0.000000000 s"),
            HasSubstr("| fake guest does 'exit'")));
}

TEST_F(GuestCpuTest, KilledGuestIsNoticedAtOnce) {
  run("kill");
  EXPECT_THAT(log.failure, HasSubstr("guest 'sender' was killed by signal 9 (Killed)"));
}

TEST_F(GuestCpuTest, SilentGuestHangs) {
  run("hang");
  EXPECT_THAT(log.failure, HasSubstr("hangs: it ran for 1 s of wall time without a request"));
}

TEST_F(GuestCpuTest, ARestartIsAPowerOffThatSaysSo) {
  run("exit", std::to_string(LH_EXIT_RESTART));
  EXPECT_TRUE(log.off);
  EXPECT_TRUE(log.restarted);
  EXPECT_EQ(log.failure, "");
}

TEST_F(GuestCpuTest, AStoppedGuestIsWaitedForBeyondTheLimitOfSilence) {
  GuestCpu guest("guest", options("stop"), core, interrupts, log);
  std::thread later;
  log.when_suspended = [&] {
    later = std::thread([pid = guest.process().pid()] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // the limit is a second
      ::kill(pid, SIGCONT);
    });
  };
  sc_core::sc_start();
  later.join();
  EXPECT_EQ(log.failure, "");
  EXPECT_TRUE(log.off);
  ASSERT_FALSE(log.suspended.empty());
  EXPECT_TRUE(log.suspended.front());
}

TEST_F(GuestCpuTest, AGuestInheritsNoDescriptorBesideItsOwn) {
  const int page_of_another =
      memfd_create("other", 0);  // not close-on-exec, as a library might open one
  run("descriptors");
  close(page_of_another);
  EXPECT_EQ(
      console(),
      "fake guest does 'descriptors'\nopen 0\nopen 1\nopen 2\nopen 200\nopen 201\nopen 203\n");
}

TEST_F(GuestCpuTest, AGuestTakesNoMemoryBesideItsRamAndLeavesThatWhole) {
  run("greedy");
  EXPECT_THAT(console(), AllOf(HasSubstr("shrinks its RAM: Operation not permitted\n"),
                               HasSubstr("grows its RAM: Operation not permitted\n"),
                               HasSubstr("takes a GiB: Cannot allocate memory\n")));
}

TEST_F(GuestCpuTest, AConsoleOfMoreThanAGibibyteEndsTheGuest) {
  run("long_console");
  EXPECT_THAT(log.failure, HasSubstr("was killed by signal 25"));
}

TEST_F(GuestCpuTest, WorkThatWasCountedBackIsTheGuestsError) {
  run("less_work");
  EXPECT_THAT(
      log.failure,
      HasSubstr("counts 18446744073709551615 units of work of kind 3 since its last request"));
}

TEST_F(GuestCpuTest, MoreTimeThanARunHasIsTheGuestsError) {
  run("much_time");
  EXPECT_THAT(log.failure, HasSubstr("counts 1152921504606846976 units of work of kind 0"));
}

TEST_F(GuestCpuTest, ATouchWiderThanItsRamIsTheGuestsError) {
  run("wide_touch");
  EXPECT_THAT(
      log.failure,
      HasSubstr("tells of 4294967295 bytes touched since its last request, more than its RAM has"));
}

TEST_F(GuestCpuTest, TouchesOfMoreThanItsRamAreTheGuestsError) {
  run("much_touched");
  EXPECT_THAT(
      log.failure,
      HasSubstr("tells of 18874368 bytes touched since its last request, more than its RAM has"));
}

TEST_F(GuestCpuTest, ATouchBeyondTheLastAddressIsTheGuestsError) {
  run("last_touch");
  EXPECT_THAT(log.failure, HasSubstr("tells of 2 bytes touched beyond the last address there is"));
}

TEST_F(GuestCpuTest, AGuestThatAsksToBeTracedFails) {
  run("traced");
  EXPECT_THAT(log.failure, HasSubstr("asked to be traced, and stopped"));
}

TEST_F(GuestCpuTest, NoProcessOfAGuestOutlivesItsKernel) {
  run("leave_a_child");
  const std::string said = console();
  const std::size_t at = said.find("left ");
  ASSERT_NE(at, std::string::npos) << said;
  const std::string stat = "/proc/" + std::to_string(std::stoi(said.substr(at + 5))) + "/stat";
  const auto lives = [&stat] {
    std::ifstream in(stat);
    std::string line;
    std::getline(in, line);
    return !line.empty() && line.find(") Z ") == std::string::npos;
  };
  for (int i = 0; i < 500 && lives(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(lives());
}

TEST_F(GuestCpuTest, GuestThatNeverAttachesIsAnError) {
  run("die_early");
  EXPECT_THAT(log.failure, HasSubstr("ended with exit code 3"));
}

TEST_F(GuestCpuTest, MissingKernelIsAnError) {
  GuestOptions missing = options("exit");
  missing.kernel = "/nonexistent/linux";
  GuestCpu guest("guest", missing, core, interrupts, log);
  sc_core::sc_start();
  EXPECT_THAT(log.failure, AllOf(HasSubstr("ended with exit code 127"),
                                 HasSubstr("cannot execute /nonexistent/linux")));
}

TEST_F(GuestCpuTest, PanicCarriesTheKernelsWords) {
  run("panic");
  EXPECT_THAT(log.failure, HasSubstr("panicked (Fatal exception in interrupt)"));
}

TEST_F(GuestCpuTest, ModuleIsTakenWithItsFunctions) {
  GuestOptions counted = options("module", "1");
  counted.blocks = block_table();
  GuestCpu guest("guest", counted, core, interrupts, log);
  sc_core::sc_start();
  EXPECT_EQ(log.failure, "");
  EXPECT_THAT(console(), HasSubstr("first 1\n"));
  EXPECT_EQ(guest.profile()->count(), 2U);
  EXPECT_EQ(guest.profile()->symbols_text(), "50000000 work [module]\n");
}

TEST_F(GuestCpuTest, ModuleOfMoreBlocksThanThePageHoldsIsAnError) {
  GuestOptions counted = options("module", "129");
  counted.blocks = block_table();
  GuestCpu guest("guest", counted, core, interrupts, log);
  sc_core::sc_start();
  EXPECT_THAT(log.failure, HasSubstr("tells of more blocks than the page has room for"));
}

TEST_F(GuestCpuTest, NamesOfFunctionsWithoutEndAreAnError) {
  GuestOptions counted = options("many_symbols");
  counted.blocks = block_table();
  GuestCpu guest("guest", counted, core, interrupts, log);
  sc_core::sc_start();
  EXPECT_THAT(log.failure, HasSubstr("names more than 16 MiB of modules' functions"));
}

TEST_F(GuestCpuTest, ModuleOfAGuestWhoseBlocksDoNotCountIsAnError) {
  run("module", "1");
  EXPECT_THAT(log.failure, HasSubstr("tells of a module's blocks, but none are counted"));
}

TEST_F(GuestCpuTest, PhasesAndReportsArriveInOrder) {
  run("phases");
  EXPECT_THAT(log.phases, ElementsAre("measure-begin", "done"));
  EXPECT_EQ(log.reports["iperf.txt"], "half a report\n");
  EXPECT_TRUE(log.off);
}

TEST_F(GuestCpuTest, ReportMustNotLeaveItsDirectory) {
  run("report_outside");
  EXPECT_THAT(log.failure, HasSubstr("'@NAME'"));
}

TEST_F(GuestCpuTest, UnknownRequestIsTheGuestsError) {
  run("bad_op");
  EXPECT_THAT(log.failure, HasSubstr("makes request 77"));
}

TEST_F(GuestCpuTest, TheGuestSaysWhereMemoryThatDevicesReachBegins) {
  GuestCpu guest("guest", options("memory", "0x5ff000"), core, interrupts, log);
  std::vector<std::uint64_t> told;
  guest.on_ram_begin([&](std::uint64_t begin) { told.push_back(begin); });
  sc_core::sc_start();
  EXPECT_THAT(told, ElementsAre(0x5ff000U));
  EXPECT_EQ(guest.ram_begin.value(), 0x5ff000U);
  EXPECT_TRUE(log.off);
}

TEST_F(GuestCpuTest, MemoryThatBeginsBeyondItsEndIsTheGuestsError) {
  run("memory", "0x1000000");
  EXPECT_THAT(log.failure,
              HasSubstr("says that its RAM begins at 0x1000000, but it ends at 0x1000000"));
}

TEST_F(GuestCpuTest, TouchedMemoryIsTakenFromThePageAndGoesToTheCoresCache) {
  cpu::Core cached("cached", {}, units::MiB(16));
  Nowhere elsewhere{"elsewhere"};
  cached.core_initiator.bind(elsewhere.bus);
  GuestCpu guest("guest", options("touch"), cached, interrupts, log);
  sc_core::sc_start();
  EXPECT_THAT(console(), HasSubstr("left 0\n"));
  EXPECT_EQ(cached.cold_lines.value(), 128U);
  EXPECT_TRUE(log.off);
}

TEST_F(GuestCpuTest, MoreTouchesThanThePageHoldsAreTheGuestsError) {
  run("many_touches");
  EXPECT_THAT(log.failure, HasSubstr("tells of more touched memory than the page has room for"));
}

TEST_F(GuestCpuTest, UnknownTouchIsTheGuestsError) {
  run("bad_touch");
  EXPECT_THAT(log.failure,
              HasSubstr("tells of memory touched in way 9 and state 0, which do not exist"));
}

TEST_F(GuestCpuTest, InstructionCacheThatTheHookCannotModelIsRefused) {
  cpu::CoreParams params;
  params.pipeline.icache.value = units::KiB(48);
  cpu::Core odd("odd", params);
  EXPECT_THROW(GuestCpu("guest", options("exit"), odd, interrupts, log), ConfigError);
}

TEST_F(GuestCpuTest, OddAccessSizeIsTheGuestsError) {
  run("bad_size");
  EXPECT_THAT(log.failure, HasSubstr("bus access of 3 bytes"));
}

TEST_F(GuestCpuTest, IdleEndsWhenTheTimerIsDue) {
  run("idle_1ms");
  EXPECT_THAT(console(), HasSubstr("woke at 1000000000\n"));
  EXPECT_EQ(core.state.spent_ps(static_cast<std::size_t>(cpu::CoreState::kIdle)), 1'000'000'000U);
}

TEST_F(GuestCpuTest, MessageInterruptEndsAnInterruptibleWaitAtItsTime) {
  sc_core::sc_spawn([this] {
    sc_core::wait(1, sc_core::SC_MS);
    interrupts.msi(LH_MSI_BASE, 3);
  });
  run("elapse");
  EXPECT_THAT(console(), HasSubstr("elapsed at 1000000000 msi 8\n"));
}

TEST_F(GuestCpuTest, MessageInterruptDoesNotEndAMaskedWait) {
  sc_core::sc_spawn([this] {
    sc_core::wait(1, sc_core::SC_MS);
    interrupts.msi(LH_MSI_BASE, 3);
  });
  run("elapse_masked");
  EXPECT_THAT(console(), HasSubstr("elapsed at 2000000000 msi 8\n"));
  EXPECT_EQ(core.state.spent_ps(static_cast<std::size_t>(cpu::CoreState::kSoftirq)),
            2'000'000'000U);
}

struct Told final : ExchangeListener {
  std::vector<std::uint64_t> work;  // units of each exchange
  std::vector<std::uint64_t> asked_ps;
  std::vector<std::uint64_t> answered_ps;
  std::vector<std::uint32_t> ops;
  void on_work(const cpu::WorkBatch& done, const std::vector<cpu::MemoryTouch>&) override {
    work.push_back(0);
    done.each([this](std::size_t, std::size_t, std::uint64_t units) { work.back() += units; });
  }
  void on_exchange(std::uint64_t asked, const lh_page& page) override {
    asked_ps.push_back(asked);
    answered_ps.push_back(page.now_ps);
    ops.push_back(page.op);
  }
};

TEST_F(GuestCpuTest, AListenerIsToldOfWorkRequestAndAnswer) {
  GuestCpu guest("guest", options("idle_1ms"), core, interrupts, log);
  Told told;
  guest.listen(&told);
  sc_core::sc_start();
  EXPECT_THAT(told.ops, ElementsAre(LH_OP_ATTACH, LH_OP_IDLE));
  EXPECT_THAT(told.asked_ps, ElementsAre(0, 0));
  EXPECT_THAT(told.answered_ps, ElementsAre(0, 1'000'000'000));
}

TEST_F(GuestCpuTest, AnExchangeIsAskedForWhenItsWorkIsPaid) {
  GuestCpu guest("guest", options("work"), core, interrupts, log);
  Told told;
  guest.listen(&told);
  sc_core::sc_start();
  const std::uint64_t paid_ps = 3 * core.unit_cost_ps(cpu::WorkKind::kSyscall) + 500;
  EXPECT_THAT(told.work, ElementsAre(0, 503));
  EXPECT_THAT(told.asked_ps, ElementsAre(0, paid_ps));
}

TEST_F(GuestCpuTest, WorkIsPaidBeforeTheAnswerAndAccountedByState) {
  run("work");
  const std::uint64_t syscalls_ps = 3 * core.unit_cost_ps(cpu::WorkKind::kSyscall);
  EXPECT_THAT(console(), HasSubstr("paid at " + std::to_string(syscalls_ps + 500) + "\n"));
  EXPECT_EQ(core.state.spent_ps(static_cast<std::size_t>(cpu::CoreState::kSystem)), syscalls_ps);
  EXPECT_EQ(core.state.spent_ps(static_cast<std::size_t>(cpu::CoreState::kHardirq)), 500U);
  EXPECT_EQ(core.syscalls.value(), 3U);
}

}  // namespace
}  // namespace longhaul::guest
