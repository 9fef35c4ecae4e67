// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/function_log.h"

#include <fmt/format.h>

#include "models/common/units.h"
#include "platform/portmap/ms_text.h"

namespace longhaul::portmap {
namespace {

const char* kind_of(bool write) { return write ? "write" : "read"; }

}  // namespace

void FunctionLog::register_asked(std::uint64_t tag, std::uint64_t address, std::uint64_t bytes,
                                 bool write) {
  last_register_ = {tag, address, bytes, now_ps(), write, true};
  registers_.push_back(last_register_);
}

void FunctionLog::register_answered(std::uint64_t tag) {
  std::size_t at = 0;
  while (registers_[at].tag != tag || !registers_[at].open) ++at;
  registers_[at].open = false;
  while (!registers_.empty() && !registers_.front().open) registers_.pop_front();
}

void FunctionLog::memory_asked(std::uint32_t number, std::uint64_t address, std::uint32_t bytes,
                               bool write) {
  if (number >= memory_.size()) memory_.resize(number + 1);
  memory_[number] = {number, address, bytes, now_ps(), write, true};
  ++memory_accesses_;
  last_memory_ps_ = now_ps();
}

void FunctionLog::interrupt_set(bool level) {
  if (level && !level_) ++rises_, last_rise_ps_ = now_ps();
  level_ = level;
}

std::string FunctionLog::registers_text() const {
  if (!last_register_.open) return "no register was ever accessed";
  const Access& last = last_register_;
  if (registers_.empty()) {
    return fmt::format("last register access: {} of {:#x} at {}, answered", kind_of(last.write),
                       last.address, ms_text(last.since_ps));
  }
  const Access& first = registers_.front();
  return fmt::format("a {} of {} bytes at register {:#x} has no answer since {}",
                     kind_of(first.write), first.bytes, first.address, ms_text(first.since_ps));
}

std::string FunctionLog::memory_text() const {
  if (memory_accesses_ == 0) return "it never asked for memory";
  const Access* oldest = nullptr;
  for (const Access& access : memory_) {
    if (access.open && (oldest == nullptr || access.since_ps < oldest->since_ps)) oldest = &access;
  }
  if (oldest == nullptr)
    return fmt::format("last access to memory at {}, all answered", ms_text(last_memory_ps_));
  return fmt::format("its {} of {} bytes of memory at {:#x} has no answer since {}",
                     kind_of(oldest->write), oldest->bytes, oldest->address,
                     ms_text(oldest->since_ps));
}

std::string FunctionLog::text() const {
  const std::string interrupt = rises_ == 0
                                    ? "its interrupt request never rose"
                                    : fmt::format("interrupt request {}, last rise at {}",
                                                  level_ ? "high" : "low", ms_text(last_rise_ps_));
  return registers_text() + "; " + memory_text() + "; " + interrupt;
}

}  // namespace longhaul::portmap
