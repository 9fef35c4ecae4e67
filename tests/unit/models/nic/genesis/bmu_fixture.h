// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "models/nic/genesis/bmu.h"
#include "tests/unit/models/pcix/dma_test_bus.h"

namespace longhaul::nic::genesis {

using longhaul::testing::DmaTestBus;

constexpr std::uint32_t kRing = 0x1000;
constexpr std::uint32_t kBuffer = 0x8002;
constexpr std::uint32_t kPlain = regs::bmu::kCheckPlain << regs::bmu::kCheckShift;
constexpr std::uint32_t kGiven =
    regs::bmu::kOwn | regs::bmu::kStf | regs::bmu::kEof | regs::bmu::kIrqEof | kPlain;

/// A queue whose data a test moves.
class BmuTest : public ::testing::Test, public BmuUser {
 protected:
  BmuTest() {
    dma.dma_initiator.bind(bus.dma_target);
    for (int i = 0; i < 4; ++i) describe(i, 0);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    command(regs::kCsrFields.run);
    write(regs::q::kDaH, 0);
    write(regs::q::kDaL, kRing);
  }

  void bmu_ready() override { ++looks; }
  void data_moved() override {
    if (on_data) on_data();
  }
  void data_blank(std::uint8_t* blank, std::uint32_t length) override {
    std::memset(blank, 0, length);
  }
  void descriptor_returned() override { ++returned; }
  void bmu_aborted(const char* why) override { aborted.emplace_back(why); }

  static std::uint64_t at(int index) { return kRing + 32ULL * index; }
  std::uint32_t word(std::uint64_t where) const {
    std::uint32_t value = 0;
    std::memcpy(&value, &bus.memory[where], 4);
    return value;
  }
  void put(std::uint64_t where, std::uint32_t value) { std::memcpy(&bus.memory[where], &value, 4); }
  /// One of four in a ring.
  void describe(int index, std::uint32_t control, std::uint32_t high = 0) {
    put(at(index), control);
    put(at(index) + 4, static_cast<std::uint32_t>(at((index + 1) % 4)));
    put(at(index) + 8, kBuffer + 0x1000 * index);
    put(at(index) + 12, high);
    for (int i = 16; i < 32; i += 4) put(at(index) + i, 0x5a5a'5a5a);
  }
  std::uint32_t read(std::uint32_t reg) { return bank.read(regs::kR1 + reg); }
  void write(std::uint32_t reg, std::uint32_t value) { bank.write(regs::kR1 + reg, value); }
  void command(std::uint32_t bits) { write(regs::q::kCsr, bits); }
  bool idle() { return (read(regs::q::kCsr) & regs::kCsrFields.sv_idle) != 0; }
  static void run_ns(std::uint64_t ns) {
    sc_core::sc_start(from_ps(ns * 1000));
    while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  std::vector<std::string> seen() const {
    std::vector<std::string> list;
    for (const DmaTestBus::Seen& s : bus.seen) {
      char text[40];
      std::snprintf(text, sizeof text, "%c %llx %u", s.is_read ? 'r' : 'w',
                    static_cast<unsigned long long>(s.address), s.bytes);
      list.emplace_back(text);
    }
    return list;
  }

  RegisterBank bank{0x4000};
  DmaTestBus bus{"bus", 1U << 20};
  pcix::DmaEngine dma{"dma", {}, [](pcix::DmaEngine::Limits& now) { now = {true, 512, 4}; }};
  int cause_changes = 0;
  std::vector<pcix::DmaStatus> bus_errors;
  Bmu bmu{"bmu",
          {regs::kR1, regs::kR1CsrMirror, regs::kIsrcFields.r1_b, regs::kIsrcFields.r1_f,
           regs::kIsrcFields.r1_c},
          bank,
          dma,
          *this,
          [this] { ++cause_changes; },
          [this](pcix::DmaStatus status) { bus_errors.push_back(status); }};
  int looks = 0;
  int returned = 0;
  std::vector<std::string> aborted;
  std::function<void()> on_data;
  std::vector<std::uint8_t> data = std::vector<std::uint8_t>(4096, 0x77);
};

}  // namespace longhaul::nic::genesis
