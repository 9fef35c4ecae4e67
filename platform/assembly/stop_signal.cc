// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/stop_signal.h"

#include <csignal>

namespace longhaul::assembly {
namespace {

volatile std::sig_atomic_t g_stop_signal = 0;

}  // namespace

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) {
    g_stop_signal = signal;
  };  // without SA_RESTART: a waiting simulator wakes up
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int stop_signal() { return g_stop_signal; }

}  // namespace longhaul::assembly
