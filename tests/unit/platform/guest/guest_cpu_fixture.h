// SPDX-License-Identifier: Apache-2.0
#pragma once

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
#include "platform/guest/guest_cpu.h"
#include "platform/guest/guest_error.h"

namespace longhaul::guest {

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

}  // namespace longhaul::guest
