// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "models/nic/blocks/little_endian.h"
#include "models/nic/terminator/core.h"
#include "models/nic/terminator/regs.h"
#include "models/pcix/pcix_device.h"
#include "tests/unit/models/net/frame/packets.h"
#include "tests/unit/models/nic/fake_host.h"
#include "tests/unit/models/pcix/dma_test_bus.h"

namespace longhaul::nic::terminator {

using longhaul::testing::ByteVector;
using longhaul::testing::DmaTestBus;
using longhaul::testing::FakeHost;
using longhaul::testing::FakeWire;

/// An adapter with a Terminator's core on a test memory, and a driver that does to the SGE what
/// Linux's cxgb does. Frames come from, and go to, the core's side of the line: the line itself
/// stays off, as before the driver opens it.
class SgeFixture {
 public:
  static constexpr std::uint32_t kCommands = 0x10000;  // command queue 0; 1 follows
  static constexpr std::uint32_t kCommands1 = 0x18000;
  static constexpr std::uint32_t kList0 = 0x20000;
  static constexpr std::uint32_t kList1 = 0x40000;
  static constexpr std::uint32_t kResponses = 0x50000;
  static constexpr std::uint32_t kTxData = 0x100000;
  static constexpr std::uint32_t kSmall = 0x800000;   // buffers of free list 0
  static constexpr std::uint32_t kLarge = 0x1000000;  // buffers of free list 1
  static constexpr std::uint32_t kPitch = 0x4000;     // of what is sent
  // cxgb/sge.c: SGE_CMDQ0_E_N and the like.
  static constexpr std::uint32_t kCommandEntries = 1024;
  static constexpr std::uint32_t kCommand1Entries = 128;
  static constexpr std::uint32_t kSmallEntries = 4096;
  static constexpr std::uint32_t kLargeEntries = 512;
  static constexpr std::uint32_t kResponseEntries = 1024;
  static constexpr std::uint32_t kSmallBytes = 1536 + 16;
  static constexpr std::uint32_t kLargeBytes = 16384 - 320 - 2;
  static constexpr std::uint32_t kDescriptor = 16;
  static constexpr std::uint32_t kHoldOff = 6250;  // 50 us of 125 MHz

  /// A response as the driver reads it.
  struct Response {
    std::uint32_t bytes = 0;
    std::uint32_t word = 0;
    std::uint32_t get(const RegisterField& field) const { return field.get(word); }
    bool has_data() const { return get(response::kDataValid) != 0; }
    std::uint32_t credits(std::uint32_t queue) const {
      return get(response::kCreditReturn.at(queue));
    }
    std::uint32_t sleeping() const { return get(response::kSleeping); }
  };

  SgeFixture(pcix::PcixDevice& device, EthPort& port, TpPath& path) : path_(path) {
    device.dma().dma_initiator.bind(bus.dma_target);
    host.mmio.bind(device.mmio_target);
    host.config.bind(device.config_target);
    device.inta_o.bind(host.inta);
    port.eth_tx.bind(wire);
    config_write(0x04, 2, 0x0006);  // memory, bus master
    run_ps(1000);
  }

  DmaTestBus bus{"bus", 32U << 20};
  FakeWire wire;
  FakeHost host{"host"};

  // --- access
  std::uint32_t read(std::uint32_t at) { return host.access(false, true, at, 4, 0); }
  void write(std::uint32_t at, std::uint32_t value) { host.access(false, false, at, 4, value); }
  std::uint32_t config_read(std::uint32_t at, std::uint32_t size) {
    return host.access(true, true, at, size, 0);
  }
  void config_write(std::uint32_t at, std::uint32_t size, std::uint32_t v) {
    host.access(true, false, at, size, v);
  }
  void run_us(std::uint64_t us) { run_ps(us * 1'000'000); }
  /// Runs for a time, what happens at its very end included.
  void run_ps(std::uint64_t ps) {
    sc_core::sc_start(from_ps(ps));
    while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  bool inta() {
    while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
    return host.inta.read();
  }
  std::uint32_t word(std::uint64_t at) const { return read_le32(&bus.memory.at(at)); }
  void put_word(std::uint64_t at, std::uint32_t v) { write_le32(&bus.memory.at(at), v); }

  // --- driver: start
  /// t1_tp_reset(), enable_hw_csum() and configure_sge().
  void configure(std::uint32_t small = 64, std::uint32_t large = 16) {
    write(regs::kTpOutConfig, 0x0c44);
    write(regs::kTpGlobalConfig, 0x7400'8840);
    write(regs::kTpReset, 1);
    write(regs::kSgControl, 0);
    set_ring(regs::kSgCmd0baselwr, regs::kSgCmd0baseupr, regs::kSgCmd0size, kCommands,
             kCommandEntries);
    set_ring(regs::kSgCmd1baselwr, regs::kSgCmd1baseupr, regs::kSgCmd1size, kCommands1,
             kCommand1Entries);
    set_ring(regs::kSgFl0baselwr, regs::kSgFl0baseupr, regs::kSgFl0size, kList0, kSmallEntries);
    set_ring(regs::kSgFl1baselwr, regs::kSgFl1baseupr, regs::kSgFl1size, kList1, kLargeEntries);
    write(regs::kSgFlthreshold, 1536 + 1);
    set_ring(regs::kSgRspbaselwr, regs::kSgRspbaseupr, regs::kSgRspsize, kResponses,
             kResponseEntries);
    write(regs::kSgRspqueuecredit, kResponseEntries - 1);
    write(regs::kSgIntrtimer, kHoldOff);
    for (std::uint32_t i = 0; i < small; ++i) give(0);
    for (std::uint32_t i = 0; i < large; ++i) give(1);
  }
  void set_ring(std::uint32_t low, std::uint32_t high, std::uint32_t size, std::uint32_t address,
                std::uint32_t entries) {
    write(low, address);
    write(high, 0);
    write(size, entries);
  }
  /// t1_sge_start(), then t1_sge_intr_enable().
  void start(std::uint32_t more_control = 0) {
    control = 0x42bfU | more_control;  // all queues, V_CMDQ_PRIORITY(2), DISABLE_CMDQ1_GTS
    write(regs::kSgControl, control);
    write(regs::kSgDoorbell,
          regs::kSgDoorbellFields.fl0_enable | regs::kSgDoorbellFields.fl1_enable);
    write(regs::kSgIntEnable, 0x1f);
    write(regs::kPlEnable,
          regs::kPlIntrFields.pl_intr_sge_err | regs::kPlIntrFields.pl_intr_sge_data);
  }
  void open(std::uint32_t small = 64, std::uint32_t large = 16) {
    configure(small, large);
    start();
    run_us(2);
  }
  void enable_msi(std::uint32_t address, std::uint16_t data) {
    config_write(regs::config::kMsi + 4U, 4, address);
    config_write(regs::config::kMsi + 8U, 4, 0);
    config_write(regs::config::kMsi + 12U, 2, data);
    config_write(regs::config::kMsi + 2U, 2, 1);
  }

  // --- driver: transmit
  /// One entry of a free list: refill_free_list().
  void give(std::uint32_t list, std::uint32_t bytes = 0) {
    const std::uint32_t size = list == 0 ? kSmallEntries : kLargeEntries;
    const std::uint32_t at = (list == 0 ? kList0 : kList1) + given.at(list) % size * kDescriptor;
    const std::uint32_t generation = given.at(list) / size % 2 == 0 ? 1 : 0;
    const std::uint32_t length = bytes != 0 ? bytes : list == 0 ? kSmallBytes : kLargeBytes;
    put_word(at + 4, buffer(list, given.at(list)));
    put_word(at + 8, 0);
    put_word(at, length | generation << 31);
    put_word(at + 12, generation);
    ++given.at(list);
  }
  static std::uint32_t buffer(std::uint32_t list, std::uint32_t number) {
    return list == 0 ? kSmall + number % kSmallEntries * 0x800 + 2
                     : kLarge + number % kLargeEntries * kPitch + 2;
  }
  /// write_tx_descs(): one descriptor a piece, the generation of the first one last.
  void queue_pieces(const std::vector<ByteVector>& pieces, std::uint32_t queue = 0) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const std::uint32_t slot = sent.at(queue) % 128 + queue * 128;
      const std::uint32_t data = kTxData + slot * kPitch + 2;
      std::copy(pieces[i].begin(), pieces[i].end(), bus.memory.begin() + data);
      describe(queue, data, static_cast<std::uint32_t>(pieces[i].size()),
               2U | (i == 0 ? 4U : 0U) | (i + 1 == pieces.size() ? 8U : 0U));
    }
  }
  void describe(std::uint32_t queue, std::uint32_t data, std::uint32_t length,
                std::uint32_t flags) {
    const std::uint32_t size = queue == 0 ? kCommandEntries : kCommand1Entries;
    const std::uint32_t generation = sent.at(queue) / size % 2 == 0 ? 1 : 0;
    const std::uint32_t at = command_at(queue, sent.at(queue));
    put_word(at, length | generation << 31);
    put_word(at + 4, data);
    put_word(at + 8, 0);
    put_word(at + 12, flags | generation);
    ++sent.at(queue);
  }
  static std::uint32_t command_at(std::uint32_t queue, std::uint32_t number) {
    const std::uint32_t size = queue == 0 ? kCommandEntries : kCommand1Entries;
    return (queue == 0 ? kCommands : kCommands1) + number % size * kDescriptor;
  }
  void ring(std::uint32_t bits = 1) { write(regs::kSgDoorbell, bits); }
  /// A packet of one piece: CPL_TX_PKT and the frame (t1_start_xmit()).
  static ByteVector with_cpl(const ByteVector& frame, std::uint8_t flags = 0x30,
                             std::uint16_t tag = 0) {
    ByteVector bytes{
        0xb2, flags, static_cast<std::uint8_t>(tag >> 8), static_cast<std::uint8_t>(tag), 0, 0,
        0,    0};
    bytes.insert(bytes.end(), frame.begin(), frame.end());
    return bytes;
  }
  /// Frames that have reached ESPI.
  std::vector<ByteVector> sent_frames() {
    std::vector<ByteVector> frames;
    while (path_.ready_ps() <= now_ps()) {
      const FrameRef frame = path_.take_frame();
      frames.emplace_back(frame->data(), frame->data() + frame->size());
    }
    return frames;
  }

  // --- driver: receive
  static FrameRef frame_of(const ByteVector& bytes) {
    FrameRef ref = Frame::allocate(static_cast<std::uint32_t>(bytes.size()));
    std::memcpy(ref.writable().data(), bytes.data(), bytes.size());
    return ref;
  }
  /// A frame comes out of ESPI. Returns whether it was taken.
  bool receive(const ByteVector& bytes) {
    return path_.take_received(frame_of(bytes), sc_core::sc_time_stamp());
  }
  static ByteVector packet(std::uint32_t bytes, std::uint8_t mark = 0) {
    ByteVector packet(bytes);
    for (std::uint32_t i = 0; i < bytes; ++i)
      packet[i] = static_cast<std::uint8_t>(i * 7 + mark + 1);
    packet[12] = 0x88;
    packet[13] = 0xb5;
    return packet;
  }
  /// New responses, as process_responses() reads them. Gives no credits back.
  std::vector<Response> responses() {
    std::vector<Response> found;
    for (;;) {
      const std::uint32_t at = kResponses + seen % kResponseEntries * response::kBytes;
      const Response next{word(at), word(at + 4)};
      const bool generation = seen / kResponseEntries % 2 == 0;
      if ((next.get(response::kGeneration) != 0) != generation) return found;
      found.push_back(next);
      ++seen;
    }
  }
  /// t1_poll()'s end: SG_SLEEPING.
  void sleep() { write(regs::kSgSleeping, seen % kResponseEntries); }
  /// The bytes of a buffer.
  ByteVector received(std::uint32_t list, std::uint32_t number, std::uint32_t bytes) const {
    const auto from = bus.memory.begin() + buffer(list, number);
    return {from, from + bytes};
  }

  std::uint32_t control = 0;
  std::uint32_t seen = 0;
  std::array<std::uint32_t, 2> given{};
  std::array<std::uint32_t, 2> sent{};

 protected:
  TpPath& path_;
};

}  // namespace longhaul::nic::terminator
