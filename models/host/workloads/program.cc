// SPDX-License-Identifier: Apache-2.0
#include "models/host/workloads/program.h"

#include <fmt/format.h>

namespace longhaul::host {

Program::Program(const ProgramRequest& request)
    : Process(request.name.c_str(), request.processor),
      stack_(request.stack),
      pool_(request.pool),
      name_(request.name),
      listener_(request.listener),
      gate_(request.gate) {}

void Program::main() {
  {
    const Syscall call(*this);
    while (!gate_.open) wait(gate_.waiting);
  }
  run();
  listener_.ended(name_);
}

void ProgramThread::go(Process& caller) {
  const Process::Syscall call(caller);
  going_ = true;
  start_.wake_all();
}

void ProgramThread::join(Process& caller) {
  const Process::Syscall call(caller);
  while (!ended_) caller.wait(end_);
}

void ProgramThread::main() {
  {
    const Syscall call(*this);
    while (!going_) wait(start_);
  }
  run();
  const Syscall call(*this);
  ended_ = true;
  end_.wake_all();
}

const char* to_text(SocketError error) {
  switch (error) {
    case SocketError::kReset: return "connection reset by peer";
    case SocketError::kTimedOut: return "connection timed out";
    case SocketError::kRefused: return "connection refused";
    case SocketError::kClosed: return "connection closed";
    case SocketError::kUnreachable: return "no route to host";
  }
  return "unknown error";
}

std::uint64_t user_buffer(MemoryPool& pool, std::uint64_t bytes, const std::string& where) {
  const std::uint64_t address = pool.allocate(bytes);
  if (address == 0) throw ConfigError(fmt::format("{}: no memory is left for a buffer of {} bytes", where, bytes));
  return address;
}

}  // namespace longhaul::host
