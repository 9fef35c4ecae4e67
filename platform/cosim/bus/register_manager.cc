// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/register_manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace longhaul::cosim {

RegisterManager::RegisterManager(RtlBlock& block, ClockDomain& clock, RegisterClient& client,
                                 std::uint32_t word_bytes, RegisterManagerParams params,
                                 CheckerSink* sink)
    : block_(block),
      clock_(clock),
      watcher_(clock.watch(*this, true)),
      client_(client),
      word_bytes_(word_bytes),
      params_(std::move(params)),
      sink_(sink) {}

void RegisterManager::read(std::uint64_t address, std::uint32_t bytes, std::uint64_t tag) {
  Access access;
  access.address = address;
  access.bytes = bytes;
  access.tag = tag;
  queue(access);
}

void RegisterManager::write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes,
                            std::uint64_t tag) {
  Access access;
  access.address = address;
  access.bytes = bytes;
  access.write = true;
  access.tag = tag;
  std::memcpy(access.data.data(), data, std::min<std::size_t>(bytes, access.data.size()));
  queue(access);
}

void RegisterManager::queue(Access access) {
  if (access.bytes == 0 || access.bytes > access.data.size()) {
    throw std::invalid_argument(fmt::format("{}: an access of {} bytes; registers take 1 to 8",
                                            params_.prefix, access.bytes));
  }
  access.from_ps = block_.input_ps();
  queue_.push_back(access);
  watcher_.wake();
  if (held_) return;
  held_ = true;
  clock_.hold(access.from_ps);
}

void RegisterManager::count_clock(std::uint64_t edge_ps) {
  if (!over_.empty()) block_.call_at_edge(*this);  // during power-up nothing is reported
  if (queue_.empty()) {
    if (!held_ || open_) return;
    held_ = false;
    return clock_.release();
  }
  const Access& access = queue_.front();
  if (access.from_ps >= edge_ps || ++patience_ <= params_.timeout_clocks) return;
  if (sink_ != nullptr) {
    const std::string& prefix = params_.prefix;  // "registers." or "s_axil_"
    const bool dot = !prefix.empty() && prefix.back() == '.';
    sink_->violated(kRegisterAnswered, edge_ps, dot ? prefix.substr(0, prefix.size() - 1) : prefix,
                    fmt::format("a {} of {} bytes at 0x{:x} was not answered within {} clocks",
                                access.write ? "write" : "read", access.bytes, access.address,
                                params_.timeout_clocks));
  }
  dropped_ = open_;
  end_access(BusStatus::kTimeout);
}

bool RegisterManager::begin_word(std::uint64_t edge_ps) {
  if (open_ || queue_.empty()) return false;
  const Access& access = queue_.front();
  if (access.from_ps >= edge_ps) return false;
  const std::uint64_t from = access.address + access.done;
  const auto lane = static_cast<std::uint32_t>(from & (word_bytes_ - 1));
  const std::uint32_t count = std::min(word_bytes_ - lane, access.bytes - access.done);
  word_.address = from - lane;
  word_.strobes = ((1U << count) - 1) << lane;
  word_.write = access.write;
  word_.data = 0;
  for (std::uint32_t i = 0; i < count; ++i)
    word_.data |= std::uint64_t{access.data[access.done + i]} << 8 * (lane + i);
  open_ = true;
  return true;
}

void RegisterManager::end_word(BusStatus status, std::uint64_t data) {
  open_ = false;
  if (std::exchange(dropped_, false)) return;
  Access& access = queue_.front();
  for (std::uint32_t lane = 0; lane < word_bytes_; ++lane) {
    if ((word_.strobes >> lane & 1U) == 0) continue;
    if (!access.write) access.data[access.done] = static_cast<std::uint8_t>(data >> 8 * lane);
    ++access.done;
  }
  if (status != BusStatus::kOk || access.done == access.bytes) end_access(status);
}

void RegisterManager::reset_word() {
  patience_ = 0;
  if (open_) end_word(BusStatus::kSlaveError, 0);
}

void RegisterManager::end_access(BusStatus status) {
  patience_ = 0;
  Access access = queue_.pop_front();
  access.status = status;
  if (status != BusStatus::kOk) access.data.fill(0xff);
  over_.push_back(access);
  block_.call_at_edge(*this);
}

void RegisterManager::deliver() {
  while (!over_.empty()) {
    const Access access = over_.pop_front();
    client_.access_done(access.tag, access.status, access.write ? nullptr : access.data.data());
  }
}

}  // namespace longhaul::cosim
