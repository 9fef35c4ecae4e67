// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/box_control.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <tlm_utils/simple_target_socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "models/common/event_queue.h"
#include "models/common/param.h"
#include "tests/unit/support/ethernet.h"

namespace longhaul::assembly {
namespace {

using sc_core::sc_time;
using sc_core::SC_US;

/// Registers that remember, and refuse what lies above 0xff. Each access takes 100 ns.
struct Registers : sc_core::sc_module {
  tlm_utils::simple_target_socket_optional<Registers> socket{"socket"};
  std::map<std::uint64_t, std::uint32_t> words;

  explicit Registers(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Registers::transport);
  }
  void transport(tlm::tlm_generic_payload& payload, sc_time&) {
    wait(100, sc_core::SC_NS);
    if (payload.get_address() > 0xff)
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    std::uint32_t& word = words[payload.get_address()];
    if (payload.is_write()) std::memcpy(&word, payload.get_data_ptr(), sizeof word);
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), &word, sizeof word);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// A program that asks.
class Asker {
 public:
  explicit Asker(const std::string& path) : fd_(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    EXPECT_EQ(connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Asker() { close(fd_); }
  void ask(const std::string& line) const {
    EXPECT_EQ(send(fd_, line.data(), line.size(), 0), static_cast<ssize_t>(line.size()));
  }
  /// All that has been answered since the last call; "gone" when the other side has hung up.
  std::string answers() const {
    std::array<char, 65536> buffer;
    const ssize_t got = recv(fd_, buffer.data(), buffer.size(), 0);
    return got == 0 ? "gone"
                    : std::string(buffer.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
  }

 private:
  int fd_;
};

struct BoxControlTest : ::testing::Test {
  std::string folder =
      std::filesystem::temp_directory_path() / ("longhaul-control-" + std::to_string(getpid()));
  observe::Ticker ticker{"ticker"};
  Registers registers{"registers"};
  test::At at{"at"};

  BoxControlTest() { std::filesystem::create_directories(folder); }
  ~BoxControlTest() override { std::filesystem::remove_all(folder); }
  std::unique_ptr<BoxControl> control(std::vector<ControlStep> steps = {}) {
    return std::make_unique<BoxControl>("control", BoxControl::Targets{{"box", &registers.socket}},
                                        std::move(steps), folder, ticker);
  }
  std::string socket() const { return folder + "/" + BoxControl::kSocketFile; }
  std::string log() const {
    std::ostringstream text;
    text << std::ifstream(folder + "/" + BoxControl::kLogFile).rdbuf();
    return text.str();
  }
};

TEST_F(BoxControlTest, StepsAreMadeAtTheirTimesFromTheWindowOn) {
  const auto box =
      control({{sc_time(30, SC_US), "box", {{0x10, 7}, {0x10, {}}}, 2, sc_time(50, SC_US)},
               {sc_time(10, SC_US), "box", {{0x14, {}}}, 1, {}}});
  at(5'000'000, [&] { box->window_opened(); });
  test::run_until(200'000'000);
  box->close();
  EXPECT_EQ(log(),
            "time_ps,box,address,access,value,by\n"
            "15100000,box,0x14,read,0,scenario\n"
            "35100000,box,0x10,write,7,scenario\n35200000,box,0x10,read,7,scenario\n"
            "85100000,box,0x10,write,7,scenario\n85200000,box,0x10,read,7,scenario\n");
}

TEST_F(BoxControlTest, StepsCountFromAWindowThatOpensAheadOfTheKernel) {
  const auto box = control({{sc_time(30, SC_US), "box", {{0x10, 7}}, 1, {}}});
  Timer opens([&] {
    EXPECT_GT(now_ps(), to_ps(sc_core::sc_time_stamp()));
    box->window_opened();
  });
  Timer first([&] { opens.set(5'000'000); });
  first.set(1'000'000);
  EventQueue::get().go_ahead(200'000'000);
  test::run_until(200'000'000);
  box->close();
  EXPECT_EQ(log(), "time_ps,box,address,access,value,by\n35100000,box,0x10,write,7,scenario\n");
}

TEST_F(BoxControlTest, ProgramsAskAndAreAnsweredAtTheNextLook) {
  const auto box = control();
  const Asker asker(socket());
  asker.ask("{\"box\": \"box\", \"accesses\": [[8, 5], [8], [256]]}\n{\"box\": \"box\", \"acce");
  at(400'000'000, [] {});
  test::run_until(250'000'000);
  EXPECT_EQ(asker.answers(), "{\"time_ps\":100300000,\"values\":[5,5,null]}\n");
  asker.ask("sses\": [[8]]}\n");
  test::run_until(400'000'000);
  EXPECT_EQ(asker.answers(), "{\"time_ps\":300100000,\"values\":[5]}\n");
}

TEST_F(BoxControlTest, WritesThatABoxHasTakenAreToldWithWhoMadeThem) {
  const auto box =
      control({{sc_time(30, SC_US), "box", {{0x10, 7}, {0x10, {}}, {0x100, 1}}, 1, {}}});
  std::vector<std::string> told;
  box->on_write([&](const char* by, const std::string& name, std::uint32_t address) {
    told.push_back(std::string(by) + " " + name + " " + std::to_string(address));
  });
  const Asker asker(socket());
  asker.ask("{\"box\": \"box\", \"accesses\": [[8, 5], [8]]}\n");
  at(0, [&] { box->window_opened(); });
  test::run_until(250'000'000);
  EXPECT_EQ(told, (std::vector<std::string>{
                      "scenario box 16", "socket box 8"}));  // no reads, and not what was refused
}

TEST_F(BoxControlTest, BadRequestsAreAnsweredByWhatWouldBeRight) {
  const auto box = control();
  const Asker asker(socket());
  auto answer = [&, next = std::uint64_t{0}](const std::string& line) mutable {
    asker.ask(line + "\n");
    next += 100'000'000;
    at(next, [] {});
    test::run_until(next + 50'000'000);
    return asker.answers();
  };
  EXPECT_NE(answer("now").find("wants {"), std::string::npos);
  EXPECT_NE(answer(R"({"box": "bux", "accesses": []})")
                .find("no box 'bux' has registers; nearest is 'box'"),
            std::string::npos);
  EXPECT_NE(answer(R"({"box": "box", "accesses": [[1, 2, 3]]})").find("accesses: wants [[ADDRESS]"),
            std::string::npos);
  EXPECT_NE(answer(R"({"box": "box", "accesses": [[-4]]})").find("got -4"), std::string::npos);
  EXPECT_NE(answer(R"({"box": "box", "accesses": [[2]]})").find("0x2 is no multiple of 4"),
            std::string::npos);
  EXPECT_NE(answer(R"({"box": "box", "accesses": [[0, 4294967296]]})").find("got 4294967296"),
            std::string::npos);
}

TEST_F(BoxControlTest, ClientThatLeavesIsForgotten) {
  const auto box = control();
  {
    const Asker gone(socket());
    gone.ask("{\"box\": \"box\", \"accesses\": [[4, 1]]}\n");
  }
  const Asker stays(socket());
  stays.ask("{\"box\": \"box\", \"accesses\": [[4]]}\n");
  at(100'000'000, [] {});
  test::run_until(150'000'000);
  EXPECT_EQ(stays.answers(), "{\"time_ps\":100200000,\"values\":[1]}\n");
}

TEST_F(BoxControlTest, LineThatNeverEndsCutsTheClientOff) {
  const auto box = control();
  const Asker endless(socket());
  for (std::uint64_t us = 100; us <= 10'000; us += 100) {
    endless.ask(std::string(60'000, 'x'));
    at(us * 1'000'000, [] {});
    test::run_until(us * 1'000'000);
    if (endless.answers() == "gone") return;
  }
  FAIL() << "6 MB without an end were taken";
}

TEST_F(BoxControlTest, StepOfAnUnknownBoxIsRefused) {
  try {
    control({{sc_time(), "bix", {{0, {}}}, 1, {}}});
    FAIL() << "was taken";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "control: no box 'bix' has registers; nearest is 'box'");
  }
}

}  // namespace
}  // namespace longhaul::assembly
