// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/nic/blocks/little_endian.h"
#include "models/nic/dp83820/dp83820.h"
#include "tests/unit/models/net/frame/packets.h"
#include "tests/unit/models/nic/fake_host.h"
#include "tests/unit/models/pcix/dma_test_bus.h"

namespace longhaul::nic::dp83820 {

using longhaul::testing::ByteVector;
using longhaul::testing::DmaTestBus;
using longhaul::testing::FakeHost;
using longhaul::testing::FakeWire;

/// An adapter on a test memory, and a driver that does to registers and descriptors what Linux's
/// ns83820 does.
class Dp83820Fixture {
 public:
  static constexpr std::uint32_t kTxList = 0x10000;
  static constexpr std::uint32_t kRxList = 0x20000;
  static constexpr std::uint32_t kTxData = 0x100000;
  static constexpr std::uint32_t kRxData = 0x400000;
  static constexpr std::uint32_t kPitch = 0x4000;      // of buffers
  static constexpr std::uint32_t kDescriptor = 32;     // from one to the next
  static constexpr std::uint32_t kBuffer = 1514;       // bytes of a receive buffer
  static constexpr std::uint32_t kCfg = 0x0102'59a8U;  // wide addresses, extended status

  explicit Dp83820Fixture(const nlohmann::json& params = {}) : nic(make_dp83820("nic", params, 0)) {
    nic->dma().dma_initiator.bind(bus.dma_target);
    host.mmio.bind(nic->mmio_target);
    host.io.bind(nic->io_target);
    host.config.bind(nic->config_target);
    nic->inta_o.bind(host.inta);
    nic->port().eth_tx.bind(wire);
    config_write(0x04, 2, 0x0007);  // ports, memory, bus master
    run_us(1);
  }

  DmaTestBus bus{"bus", 16U << 20};
  FakeWire wire{BitRate{1'000'000'000}};
  FakeHost host{"host"};
  std::unique_ptr<Dp83820> nic;

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
  /// ns83820_init_one() and ns83820_open(), in an adapter whose link is up.
  void open(std::uint32_t rx_buffers = 16) {
    write(regs::kCfg, kCfg);
    write(regs::kTxcfg, 0xd070'3200);
    write(regs::kRxcfg, 0xf470'0000);
    write(regs::kVrcr, regs::kVrcrFields.ipen | regs::kVrcrFields.vtden | regs::kVrcrFields.vtren);
    write(regs::kVtcr, regs::kVtcrFields.ppchk | regs::kVtcrFields.vppti);
    write(regs::kRxdp, kRxList);
    for (std::uint32_t i = 0; i < rx_buffers; ++i) give(i, i + 1 < rx_buffers);
    write(regs::kRfcr, regs::kRfcrFields.rfen | regs::kRfcrFields.aab | regs::kRfcrFields.apm);
    write(regs::kTxdp, kTxList);
    write(regs::kTbicr, regs::kTbicrFields.mr_an_enable | regs::kTbicrFields.mr_restart_an);
    write(regs::kTbicr, regs::kTbicrFields.mr_an_enable);
    write(regs::kCr, regs::kCrFields.rxe);
    run_us(31'000);
    read(regs::kIsr);
    write(regs::kImr, kCauses);
    write(regs::kIer, 1);
  }
  static constexpr std::uint32_t kCauses = regs::kIsrFields.rx_desc | regs::kIsrFields.rx_idle |
                                           regs::kIsrFields.tx_desc | regs::kIsrFields.tx_idle;

  /// build_rx_desc(): a buffer, and the link to the next one.
  void give(std::uint32_t i, bool linked, std::uint32_t bytes = kBuffer) {
    const std::uint32_t at = kRxList + i * kDescriptor;
    describe(at, linked ? at + kDescriptor : 0, kRxData + i * kPitch, bytes | regs::cmdsts::kIntr,
             0);
  }
  void describe(std::uint32_t at, std::uint32_t link, std::uint32_t buffer, std::uint32_t command,
                std::uint32_t extended) {
    put_word(at, link);
    put_word(at + 4, 0);
    put_word(at + 8, buffer);
    put_word(at + 12, 0);
    put_word(at + 20, extended);
    put_word(at + 16, command);
  }

  // --- driver: traffic
  /// ns83820_hard_start_xmit(): a descriptor a piece. The one behind the last is not the chip's.
  void send(const std::vector<ByteVector>& pieces, std::uint32_t extended = 0) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const std::uint32_t data = kTxData + tx_next * kPitch + 2;
      std::copy(pieces[i].begin(), pieces[i].end(), bus.memory.begin() + data);
      const bool last = i + 1 == pieces.size();
      describe(tx_at(tx_next), tx_at(tx_next + 1), data,
               regs::cmdsts::kOwn | (last ? regs::cmdsts::kIntr : regs::cmdsts::kMore) |
                   static_cast<std::uint32_t>(pieces[i].size()),
               extended);
      ++tx_next;
    }
    put_word(tx_at(tx_next) + 16, 0);
    write(regs::kCr, regs::kCrFields.txe);
  }
  static std::uint32_t tx_at(std::uint32_t i) { return kTxList + i * kDescriptor; }
  static std::uint32_t rx_at(std::uint32_t i) { return kRxList + i * kDescriptor; }
  std::uint32_t tx_status(std::uint32_t i) const { return word(tx_at(i) + 16); }
  std::uint32_t rx_status(std::uint32_t i) const { return word(rx_at(i) + 16); }
  std::uint32_t rx_extended(std::uint32_t i) const { return word(rx_at(i) + 20); }
  /// What lies in the i-th receive buffer.
  ByteVector received(std::uint32_t i) const {
    const auto from = bus.memory.begin() + kRxData + i * kPitch;
    return {from, from + (rx_status(i) & regs::cmdsts::kLength)};
  }

  // --- the far end
  static FrameRef frame_of(const ByteVector& bytes) {
    FrameRef ref =
        Frame::allocate(static_cast<std::uint32_t>(std::max<std::size_t>(bytes.size(), 60)));
    Frame& frame = ref.writable();
    std::memset(frame.data(), 0, frame.size());
    std::memcpy(frame.data(), bytes.data(), bytes.size());
    return ref;
  }
  void receive(const ByteVector& bytes) { nic->port().eth_rx->receive(frame_of(bytes)); }
  void set_carrier(bool up) {
    wire.has_carrier = up;
    nic->port().eth_rx->carrier_changed(up);
  }
  /// A packet to this adapter of so many bytes.
  ByteVector to_me(std::uint32_t bytes, std::uint8_t mark = 0) const {
    ByteVector packet(bytes);
    for (std::uint32_t i = 0; i < bytes; ++i) packet[i] = static_cast<std::uint8_t>(i * 7 + mark);
    std::copy(nic->mac_address().begin(), nic->mac_address().end(), packet.begin());
    packet[6] = 0x02;
    packet[12] = 0x88;
    packet[13] = 0xb5;
    return packet;
  }

  std::uint32_t tx_next = 0;
};

}  // namespace longhaul::nic::dp83820
