// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/progress.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <nlohmann/json.hpp>
#include <systemc>

#include "models/common/units.h"

namespace longhaul::observe {
namespace {

constexpr int kNone = -1;

double seconds(Progress::Clock::duration d) { return std::chrono::duration<double>(d).count(); }

}  // namespace

Progress::Progress(int descriptor, Clock::duration period)
    : descriptor_(::fcntl(descriptor, F_GETFD) >= 0 ? descriptor : kNone), period_(period) {
  if (descriptor_ == kNone) return;
  ::fcntl(descriptor_, F_SETFD,
          FD_CLOEXEC);  // a guest's process must not hold the reader's pipe open
  std::signal(SIGPIPE, SIG_IGN);
}

void Progress::set_status(const std::string& guest, const std::string& status) {
  std::string& kept = status_[guest] = status.substr(0, kStatusBytes);
  // A guest may put any bytes here. After this, each character needs at most one escape.
  for (char& c : kept) {
    if (c < ' ' || c > '~') c = '?';
  }
}

void Progress::set_window_begin() { window_begin_s_ = now().to_seconds(); }

void Progress::poll() {
  if (descriptor_ == kNone) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ >= period_) write_line(now);
}

void Progress::tell() {
  if (descriptor_ != kNone) write_line(Clock::now());
}

void Progress::write_line(Clock::time_point now) {
  const double sim_s = sc_core::sc_time_stamp().to_seconds();
  const double since_s = seconds(now - last_);
  nlohmann::json line = {{"sim_s", sim_s},
                         {"wall_s", seconds(now - start_)},
                         {"rate", since_s > 0 ? (sim_s - last_sim_s_) / since_s : 0.0},
                         {"guests", status_}};
  if (window_begin_s_) line["window_begin_s"] = *window_begin_s_;
  last_ = now;
  last_sim_s_ = sim_s;
  // A ready pipe takes up to PIPE_BUF bytes at once. With very many guests, only the figures are
  // sent.
  std::string text = line.dump() + "\n";
  if (text.size() > PIPE_BUF) {
    line["guests"] = nlohmann::json::object();
    text = line.dump() + "\n";
  }
  pollfd writable{descriptor_, POLLOUT, 0};
  if (::poll(&writable, 1, 0) <= 0) return;
  if (::write(descriptor_, text.data(), text.size()) < 0 && errno != EAGAIN && errno != EINTR)
    descriptor_ = kNone;
}

}  // namespace longhaul::observe
