// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "sw/linux/console/longhaul_console.h"

namespace longhaul::guest {

/// The registers that connect a guest's terminal (sw/linux/console) to its user, who is at the
/// other end of a socket (docs/interfaces.md, Console).
///
/// An access takes no simulated time. While the guest's shell waits for input, a read waits for it:
/// the whole simulation stops. While another program waits, simulated time is limited to the pace
/// of wall time. A guest that writes faster than its user reads waits, so the memory of both sides
/// is bounded. Illegal writes of a guest are ignored.
class ConsolePort {
 public:
  /// Takes the descriptor of a connected SOCK_SEQPACKET socket. `should_stop` ends every wait.
  ConsolePort(int fd, std::function<bool()> should_stop);
  ~ConsolePort();
  ConsolePort(const ConsolePort&) = delete;
  ConsolePort& operator=(const ConsolePort&) = delete;

  /// Whether a physical address is one of its registers.
  static bool covers(std::uint64_t address);
  std::uint32_t read(std::uint64_t address);
  void write(std::uint64_t address, std::uint32_t value);

 private:
  using Clock = std::chrono::steady_clock;
  bool waits() const;  // whether a program in the guest waits for input
  bool has_event() const;
  std::uint32_t next_event();
  std::uint32_t next_byte();
  void wait_for_user();
  void receive();  // receives one message of the user
  void enter(std::uint32_t state);
  void send(char kind, const std::string& bytes = {});
  void flush();
  bool poll_for(short events, std::chrono::milliseconds most) const;

  const int fd_;
  const std::function<bool()> should_stop_;
  std::uint32_t state_ = LH_CONSOLE_CLOSED;
  std::string output_;  // not sent yet
  std::string input_;   // of one message
  std::size_t taken_ = 0;
  std::uint32_t size_ = 0;  // size of the user's terminal, not yet reported; 0: none
  bool by_lines_ = false;   // the user is not a terminal: a line is given when a program waits for
                            // it
  bool within_line_ = false;
  bool ended_ = false;  // there is no more input
  int ends_told_ = 0;
  bool hung_up_ = false;         // by the user, or the user has gone
  std::uint64_t pace_ps_ = 0;    // simulated time when a program began to wait
  Clock::time_point pace_wall_;  // and the wall's
};

}  // namespace longhaul::guest
