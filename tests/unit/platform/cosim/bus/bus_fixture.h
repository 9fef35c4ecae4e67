// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/common/split_mix.h"
#include "platform/cosim/bus/block_memory.h"
#include "platform/cosim/bus/register_port.h"
#include "platform/cosim/bus/rule.h"
#include "platform/cosim/rtl_block.h"
#include "tests/unit/support/ethernet.h"

namespace longhaul::cosim::bus_test {

using longhaul::test::At;
using longhaul::test::run_until;

/// Notes violations as "rule signal".
struct Violations final : CheckerSink {
  std::vector<std::string> told;
  std::vector<std::string> details;
  std::vector<std::uint64_t> at_ps;
  void violated(const Rule& rule, std::uint64_t ps, const std::string& signal,
                const std::string& detail) override {
    told.push_back(std::string(rule.name) + " " + signal);
    details.push_back(detail);
    at_ps.push_back(ps);
  }
};

/// Holds a reset input active for some edges.
class ResetDriver final : public Transactor {
 public:
  ResetDriver(ClockDomain& clock, Pin reset_n, std::uint32_t edges)
      : clock_(clock), reset_n_(reset_n), left_(edges) {
    reset_n_.set(0);
    clock.attach(*this, 0);
  }
  void clocked(std::uint64_t) override {
    if (--left_ != 0) return;
    reset_n_.set(1);
    clock_.detach(*this);
  }

 private:
  ClockDomain& clock_;
  Pin reset_n_;
  std::uint32_t left_;
};

/// Notes how accesses to registers ended, and calls `then`.
struct RegisterLog final : RegisterClient {
  struct Done {
    std::uint64_t at_ps = 0;
    BusStatus status = BusStatus::kOk;
    std::uint64_t value = 0;
  };
  std::map<std::uint64_t, Done> done;  // by tag
  std::vector<std::uint64_t> order;
  std::map<std::uint64_t, std::uint32_t> bytes;  // of reads, by tag
  std::function<void(std::uint64_t tag)> then;
  void access_done(std::uint64_t tag, BusStatus status, const std::uint8_t* data) override {
    Done entry{now_ps(), status, 0};
    if (data != nullptr) {
      for (std::uint32_t i = 0; i < bytes[tag]; ++i) entry.value |= std::uint64_t{data[i]} << 8 * i;
    }
    done[tag] = entry;
    order.push_back(tag);
    if (then) then(tag);
  }
  void write(RegisterPort& port, std::uint64_t address, std::uint64_t value, std::uint32_t count,
             std::uint64_t tag) {
    std::uint8_t data[8];
    for (std::uint32_t i = 0; i < 8; ++i) data[i] = static_cast<std::uint8_t>(value >> 8 * i);
    port.write(address, data, count, tag);
  }
  void read(RegisterPort& port, std::uint64_t address, std::uint32_t count, std::uint64_t tag) {
    bytes[tag] = count;
    port.read(address, count, tag);
  }
};

/// 64 KiB that answer after a time of their own; beyond them is nothing.
class TestMemory final : public BlockMemory {
 public:
  struct Access {
    bool write;
    std::uint64_t address;
    std::uint32_t length;
  };
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(std::size_t{1} << 16U);
  std::vector<Access> accesses;
  std::uint64_t least_ps = 20'000;
  std::uint64_t spread_ps = 0;  // of random, on top

  void read(std::uint64_t address, std::uint8_t* data, std::uint32_t length, MemoryClient& client,
            std::uint64_t tag) override {
    accesses.push_back({false, address, length});
    later([=, &client] {
      const bool there = address + length <= bytes.size();
      for (std::uint32_t i = 0; i < length; ++i) data[i] = there ? bytes[address + i] : 0xff;
      client.memory_done(tag, there ? BusStatus::kOk : BusStatus::kDecodeError);
    });
  }
  void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length,
             MemoryClient& client, std::uint64_t tag) override {
    accesses.push_back({true, address, length});
    later([=, &client] {
      const bool there = address + length <= bytes.size();
      for (std::uint32_t i = 0; i < length && there; ++i) bytes[address + i] = data[i];
      client.memory_done(tag, there ? BusStatus::kOk : BusStatus::kDecodeError);
    });
  }

 private:
  void later(std::function<void()> what) {
    state_ += kSplitMixIncrement;
    const std::uint64_t random = split_mix(state_);
    at_(now_ps() + least_ps + (spread_ps == 0 ? 0 : random % spread_ps), std::move(what));
  }
  At at_{"memory_at"};
  std::uint64_t state_ = 1;
};

}  // namespace longhaul::cosim::bus_test
