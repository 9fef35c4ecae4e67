// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/console_port.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "sw/linux/longhaul_abi.h"

namespace longhaul::guest {
namespace {

constexpr std::uint64_t kPorts = std::uint64_t{LH_PCI_IO_BASE} + LH_CONSOLE_BASE;

std::uint32_t byte(char c) {
  return LH_CONSOLE_BYTE << 24 | static_cast<std::uint32_t>(static_cast<unsigned char>(c));
}

/// A user at the other end of the socket.
struct ConsolePortTest : ::testing::Test {
  int user = -1;
  bool stop = false;
  std::unique_ptr<ConsolePort> port;

  ConsolePortTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()), 0);
    user = ends[0];
    port = std::make_unique<ConsolePort>(ends[1], [this] { return stop; });
  }
  ~ConsolePortTest() override { close(user); }
  void say(const std::string& message) const {
    EXPECT_EQ(::send(user, message.data(), message.size(), MSG_DONTWAIT),
              static_cast<ssize_t>(message.size()));
  }
  /// The next message of the simulator; empty: there is none.
  std::string heard() const {
    std::array<char, 8192> bytes;
    const ssize_t got = recv(user, bytes.data(), bytes.size(), MSG_DONTWAIT);
    return got < 0 ? "" : std::string(bytes.data(), static_cast<std::size_t>(got));
  }
  void enter(lh_console_state state) const { port->write(kPorts + LH_CONSOLE_STATE, state); }
  std::uint32_t input() const { return port->read(kPorts + LH_CONSOLE_INPUT); }
  void output(const std::string& text) const {
    for (const char c : text) {
      port->write(kPorts + LH_CONSOLE_OUTPUT,
                  1U << 24 | static_cast<std::uint32_t>(static_cast<unsigned char>(c)));
    }
  }
};

TEST_F(ConsolePortTest, CoversItsRegistersAndNoOther) {
  EXPECT_FALSE(ConsolePort::covers(kPorts - 1));
  EXPECT_TRUE(ConsolePort::covers(kPorts));
  EXPECT_TRUE(ConsolePort::covers(kPorts + LH_CONSOLE_BYTES - 1));
  EXPECT_FALSE(ConsolePort::covers(kPorts + LH_CONSOLE_BYTES));
  EXPECT_EQ(port->read(kPorts + 12), 0xffffffffU);
}

TEST_F(ConsolePortTest, TheUserHearsOfOpeningOutputAndClosing) {
  output("lost");  // nobody has opened it
  enter(LH_CONSOLE_BUSY);
  EXPECT_EQ(heard(), "O");
  output("ab");
  port->write(kPorts + LH_CONSOLE_OUTPUT, 3U << 24 | 'c' | 'd' << 8 | 'e' << 16);
  EXPECT_EQ(heard(), "");
  EXPECT_EQ(input(), LH_CONSOLE_NONE << 24);  // the guest's next look
  EXPECT_EQ(heard(), "Dabcde");
  output("end");
  enter(LH_CONSOLE_CLOSED);
  EXPECT_EQ(heard(), "Dend");
  EXPECT_EQ(heard(), "C");
}

TEST_F(ConsolePortTest, WhatATerminalTypesComesAtOnce) {
  enter(LH_CONSOLE_BUSY);
  EXPECT_EQ(input(), 0U);
  say("Ix\x03");
  EXPECT_EQ(input(), byte('x'));
  EXPECT_EQ(input(), byte('\x03'));
  EXPECT_EQ(input(), 0U);
  say(std::string("S\x18\0\x50\0", 5));
  EXPECT_EQ(input(), LH_CONSOLE_SIZE << 24 | 24U << 12 | 80U);
}

TEST_F(ConsolePortTest, LinesWaitUntilSomebodyReads) {
  enter(LH_CONSOLE_BUSY);
  say("L");
  say("Ia\nb\n");
  EXPECT_EQ(input(), 0U);
  enter(LH_CONSOLE_SHELL_WAITS);
  EXPECT_EQ(input(), byte('a'));
  EXPECT_EQ(input(), byte('\n'));
  EXPECT_EQ(input(), 0U) << "the second line is for the next reader";
  enter(LH_CONSOLE_PROGRAM_WAITS);
  EXPECT_EQ(input(), byte('b'));
}

TEST_F(ConsolePortTest, TheEndOfInputIsForWhoeverWaitsAndHangsUpAShellThatGoesOn) {
  enter(LH_CONSOLE_BUSY);
  say("E");
  EXPECT_EQ(input(), 0U);
  for (int i = 0; i < 3; ++i) {
    enter(LH_CONSOLE_SHELL_WAITS);
    EXPECT_EQ(input(), LH_CONSOLE_END << 24);
    enter(LH_CONSOLE_BUSY);
  }
  enter(LH_CONSOLE_SHELL_WAITS);
  EXPECT_EQ(input(), LH_CONSOLE_HANG_UP << 24);
}

TEST_F(ConsolePortTest, WhileTheShellWaitsAReadWaitsForTheUser) {
  enter(LH_CONSOLE_SHELL_WAITS);
  bool said = false;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    said = true;
    say("Iy");
  });
  EXPECT_EQ(input(), byte('y'));
  EXPECT_TRUE(said);
  later.join();
}

TEST_F(ConsolePortTest, TheEndOfTheRunEndsAllWaits) {
  enter(LH_CONSOLE_SHELL_WAITS);
  stop = true;
  EXPECT_EQ(input(), 0U);
}

TEST_F(ConsolePortTest, AUserWhoHasGoneHasHungUp) {
  enter(LH_CONSOLE_SHELL_WAITS);
  close(user);
  user = -1;
  output("to nobody");
  EXPECT_EQ(input(), LH_CONSOLE_HANG_UP << 24);
  user = dup(0);
}

TEST_F(ConsolePortTest, AFloodWaitsForItsReader) {
  enter(LH_CONSOLE_BUSY);
  constexpr std::size_t kBytes = std::size_t{16} << 20;
  std::thread guest([&] { output(std::string(kBytes, 'x')); });
  std::size_t got = 0;
  while (got < kBytes) {
    const std::string message = heard();
    if (message.empty()) std::this_thread::yield();
    if (!message.empty() && message[0] == 'D') got += message.size() - 1;
    EXPECT_LE(message.size(), 1025U);
  }
  guest.join();
  EXPECT_EQ(got, kBytes);
}

TEST_F(ConsolePortTest, WhatAGuestWritesAmissIsLeftAside) {
  enter(LH_CONSOLE_BUSY);
  port->write(kPorts + LH_CONSOLE_STATE, 77);
  port->write(kPorts + LH_CONSOLE_OUTPUT, 0xffU << 24 | 'a' | 'b' << 8 | 'c' << 16);
  port->write(kPorts + LH_CONSOLE_INPUT, 1);
  EXPECT_EQ(input(), 0U);
  EXPECT_EQ(heard(), "O");
  EXPECT_EQ(heard(), "Dabc");
}

}  // namespace
}  // namespace longhaul::guest
