// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/console_port.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "models/common/event_queue.h"
#include "sw/linux/longhaul_abi.h"

namespace longhaul::guest {
namespace {

using std::chrono::milliseconds;

/// Wall time between checks whether the run is to stop.
constexpr milliseconds kWaitAtMost{200};
constexpr std::size_t kMostOutput = 1024;  ///< bytes that wait for the guest's next look
constexpr std::size_t kLongestMessage = 4096;
/// A shell that reads this many ends of its input and does not exit is hung up.
constexpr int kMostEnds = 3;
constexpr std::uint64_t kBase = std::uint64_t{LH_PCI_IO_BASE} + LH_CONSOLE_BASE;

std::uint32_t event(lh_console_event kind, std::uint32_t data = 0) {
  return static_cast<std::uint32_t>(kind) << 24 | data;
}

}  // namespace

ConsolePort::ConsolePort(int fd, std::function<bool()> should_stop)
    : fd_(fd), should_stop_(std::move(should_stop)) {}

ConsolePort::~ConsolePort() { close(fd_); }

bool ConsolePort::covers(std::uint64_t address) {
  return address >= kBase && address < kBase + LH_CONSOLE_BYTES;
}

std::uint32_t ConsolePort::read(std::uint64_t address) {
  return address - kBase == LH_CONSOLE_INPUT ? next_event() : ~std::uint32_t{0};
}

void ConsolePort::write(std::uint64_t address, std::uint32_t value) {
  const std::uint64_t reg = address - kBase;
  if (reg == LH_CONSOLE_STATE) enter(value);
  if (reg != LH_CONSOLE_OUTPUT || state_ == LH_CONSOLE_CLOSED) return;
  const std::uint32_t count = std::min(value >> 24, 3U);
  for (std::uint32_t i = 0; i < count; ++i)
    output_.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  if (output_.size() >= kMostOutput) flush();
}

void ConsolePort::enter(std::uint32_t state) {
  if (state > LH_CONSOLE_SHELL_WAITS) return;
  const std::uint32_t last = std::exchange(state_, state);
  if (last == state) return;
  if (state == LH_CONSOLE_PROGRAM_WAITS) {
    pace_ps_ = now_ps();
    pace_wall_ = Clock::now();
  }
  if (last == LH_CONSOLE_CLOSED) {
    ends_told_ = 0;
    send('O');
  }
  if (state == LH_CONSOLE_CLOSED) {
    flush();
    send('C');
  }
}

bool ConsolePort::waits() const {
  return state_ == LH_CONSOLE_PROGRAM_WAITS || state_ == LH_CONSOLE_SHELL_WAITS;
}

bool ConsolePort::has_event() const {
  if (hung_up_ || size_ != 0) return true;
  if (taken_ < input_.size()) return !by_lines_ || within_line_ || waits();
  return ended_ && waits();
}

std::uint32_t ConsolePort::next_event() {
  flush();
  if (taken_ == input_.size() && !ended_) receive();
  if (!has_event()) wait_for_user();
  if (!has_event()) return event(LH_CONSOLE_NONE);
  if (hung_up_) return event(LH_CONSOLE_HANG_UP);
  if (size_ != 0) return event(LH_CONSOLE_SIZE, std::exchange(size_, 0));
  if (taken_ < input_.size()) return next_byte();
  return event(++ends_told_ > kMostEnds ? LH_CONSOLE_HANG_UP : LH_CONSOLE_END);
}

std::uint32_t ConsolePort::next_byte() {
  const auto byte = static_cast<unsigned char>(input_[taken_++]);
  within_line_ = byte != '\n';
  state_ = LH_CONSOLE_BUSY;  // busy until the guest reports otherwise
  return event(LH_CONSOLE_BYTE, byte);
}

void ConsolePort::wait_for_user() {
  if (state_ == LH_CONSOLE_SHELL_WAITS) {
    while (!has_event() && !should_stop_()) {
      if (poll_for(POLLIN, kWaitAtMost)) receive();
    }
  } else if (state_ == LH_CONSOLE_PROGRAM_WAITS) {
    const milliseconds simulated((now_ps() - pace_ps_) / 1'000'000'000);
    const auto wall = std::chrono::duration_cast<milliseconds>(Clock::now() - pace_wall_);
    if (simulated > wall && poll_for(POLLIN, std::min(simulated - wall, kWaitAtMost))) receive();
  }
}

void ConsolePort::receive() {
  std::array<char, kLongestMessage> message;
  const ssize_t got = recv(fd_, message.data(), message.size(), MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
  if (got <= 0) {
    hung_up_ = true;
    return;
  }
  const auto word = [&message](std::size_t at) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(message[at]));
  };
  switch (message[0]) {
    case 'I':
      input_.assign(message.data() + 1, static_cast<std::size_t>(got) - 1);
      taken_ = 0;
      break;
    case 'S':
      if (got >= 5)
        size_ = (word(1) | (word(2) & 0xf) << 8) << 12 | (word(3) | (word(4) & 0xf) << 8);
      break;
    case 'L': by_lines_ = true; break;
    case 'E': ended_ = true; break;
    case 'H': hung_up_ = true; break;
    default: break;
  }
}

void ConsolePort::flush() {
  if (!output_.empty()) send('D', std::exchange(output_, {}));
}

void ConsolePort::send(char kind, const std::string& bytes) {
  const std::string message = kind + bytes;
  while (!should_stop_()) {
    if (::send(fd_, message.data(), message.size(), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return;
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
      hung_up_ = true;
      return;
    }
    poll_for(POLLOUT, kWaitAtMost);
  }
}

bool ConsolePort::poll_for(short events, milliseconds most) const {
  pollfd wanted{fd_, events, 0};
  return poll(&wanted, 1, static_cast<int>(most.count())) > 0;
}

}  // namespace longhaul::guest
