// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/nic/genesis/bmu_regs.h"
#include "models/nic/genesis/genesis.h"
#include "models/nic/genesis/xmac_regs.h"
#include "tests/unit/models/net/frame/packets.h"
#include "tests/unit/models/nic/fake_host.h"
#include "tests/unit/models/pcix/dma_test_bus.h"

namespace longhaul::nic::genesis {

using longhaul::testing::ByteVector;
using longhaul::testing::DmaTestBus;
using longhaul::testing::FakeHost;
using longhaul::testing::FakeWire;

/// An adapter on a test memory, with a host and a wire: accesses of each width, time, and the far
/// end.
class GenesisHost {
 public:
  explicit GenesisHost(const nlohmann::json& params = {}) : nic(make_genesis("nic", params, 0)) {
    nic->dma().dma_initiator.bind(bus.dma_target);
    host.mmio.bind(nic->mmio_target);
    host.io.bind(nic->io_target);
    host.config.bind(nic->config_target);
    nic->inta_o.bind(host.inta);
    nic->port().eth_tx.bind(wire);
    config_write(0x04, 2, 0x0007);  // ports, memory, bus master
    run_us(20);
  }

  DmaTestBus bus{"bus", 16U << 20};
  FakeWire wire{BitRate{1'000'000'000}};
  FakeHost host{"host"};
  std::unique_ptr<Genesis> nic;

  // --- access
  std::uint32_t r8(std::uint32_t at) { return host.access(false, true, at, 1, 0); }
  std::uint32_t r16(std::uint32_t at) { return host.access(false, true, at, 2, 0); }
  std::uint32_t r32(std::uint32_t at) { return host.access(false, true, at, 4, 0); }
  void w8(std::uint32_t at, std::uint32_t v) { host.access(false, false, at, 1, v); }
  void w16(std::uint32_t at, std::uint32_t v) { host.access(false, false, at, 2, v); }
  void w32(std::uint32_t at, std::uint32_t v) { host.access(false, false, at, 4, v); }
  std::uint32_t config_read(std::uint32_t at, std::uint32_t size) {
    return host.access(true, true, at, size, 0);
  }
  void config_write(std::uint32_t at, std::uint32_t size, std::uint32_t v) {
    host.access(true, false, at, size, v);
  }
  std::uint32_t port_read(std::uint32_t port, std::uint32_t size = 4) {
    return host.access_io(true, port, size, 0);
  }
  void port_write(std::uint32_t port, std::uint32_t value, std::uint32_t size = 4) {
    host.access_io(false, port, size, value);
  }
  std::uint32_t xm16(std::uint32_t x) { return r16(xm::bus_offset(x)); }
  void xm16(std::uint32_t x, std::uint32_t v) { w16(xm::bus_offset(x), v); }
  std::uint32_t xm32(std::uint32_t x) {
    const std::uint32_t low = xm16(x);
    return low | xm16(x + 2) << 16;
  }
  void xm32(std::uint32_t x, std::uint32_t v) {
    xm16(x, v & 0xffff);
    xm16(x + 2, v >> 16);
  }
  std::uint32_t phy(std::uint32_t reg) {
    xm16(xm::kPhyAddr, reg);
    xm16(xm::kPhyData);
    return xm16(xm::kPhyData);
  }
  void phy(std::uint32_t reg, std::uint32_t value) {
    xm16(xm::kPhyAddr, reg);
    EXPECT_EQ(xm16(xm::kMmuCmd) & xm::kMmuCmdFields.phy_busy, 0U);
    xm16(xm::kPhyData, value);
    EXPECT_EQ(xm16(xm::kMmuCmd) & xm::kMmuCmdFields.phy_busy, 0U);
  }
  void run_us(std::uint64_t us) { run_ps(us * 1'000'000); }
  /// Runs for a time, what happens at its very end included.
  void run_ps(std::uint64_t ps) {
    sc_core::sc_start(from_ps(ps));
    while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  std::uint32_t word(std::uint64_t at) const {
    std::uint32_t value = 0;
    for (std::uint32_t i = 0; i < 4; ++i)
      value |= static_cast<std::uint32_t>(bus.memory.at(at + i)) << (8 * i);
    return value;
  }
  void put_word(std::uint64_t at, std::uint32_t v) {
    for (std::uint32_t i = 0; i < 4; ++i)
      bus.memory.at(at + i) = static_cast<std::uint8_t>(v >> (8 * i));
  }
  bool inta() {
    while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
    return host.inta.read();
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
  /// What went out to the wire, but for PAUSE frames.
  std::vector<ByteVector> sent_frames() const {
    std::vector<ByteVector> frames;
    for (const FakeWire::Sent& one : wire.sent) {
      if (one.bytes[12] != 0x88 || one.bytes[13] != 0x08) frames.push_back(one.bytes);
    }
    return frames;
  }
  /// A packet to this adapter of so many bytes.
  ByteVector to_me(std::uint32_t bytes, std::uint8_t mark = 0) const {
    ByteVector packet(bytes);
    for (std::uint32_t i = 0; i < bytes; ++i) packet[i] = static_cast<std::uint8_t>(i * 7 + mark);
    std::copy(nic->mac_address().begin(), nic->mac_address().end(), packet.begin());
    packet[6] = 0x02;
    packet[12] = 0x08;
    packet[13] = 0x00;
    return packet;
  }
};

}  // namespace longhaul::nic::genesis
