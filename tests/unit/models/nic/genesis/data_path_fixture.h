// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "models/nic/genesis/genesis_rx.h"
#include "models/nic/genesis/genesis_tx.h"
#include "models/nic/genesis/xmac_regs.h"
#include "tests/unit/models/nic/fake_host.h"
#include "tests/unit/models/pcix/dma_test_bus.h"

namespace longhaul::nic::genesis {

/// Both units and the XMAC on a test memory, and a driver that does to their registers and rings
/// what Linux's skge does.
///
/// The bus takes 40 ns for a request; a write is in memory then, a read comes back 300 ns later.
class DataPathFixture {
 public:
  static constexpr std::uint64_t kRxRing = 0x20000;
  static constexpr std::uint64_t kTxRing = 0x40000;
  static constexpr std::uint64_t kTxData = 0x100000;
  static constexpr std::uint64_t kRxData =
      0x400002;  // two bytes beyond a word, as NET_IP_ALIGN has it
  static constexpr std::uint32_t kPitch = 0x4000;
  static constexpr std::uint32_t kTxEntries = 128;
  static constexpr std::uint32_t kRxControl = 0xc856'0000;  // OWN, STF, IRQ_EOF, check TCP
  static constexpr std::uint32_t kTxControl =
      0xe955'0000;  // OWN, STF, EOF, IRQ_EOF, SW, check plain

  struct Sizes {
    std::uint32_t rx_quadwords = 0x8000;
    std::uint32_t tx_quadwords = 0x8000;
    std::uint32_t rx_entries = 64;
    std::uint32_t rx_buffer = 1536;
    std::uint32_t watermark = 0x600;
    std::uint32_t rx_given = ~0U;  ///< descriptors that the chip gets at first
  };

  explicit DataPathFixture(const GenesisParams& p = {}) : params(p) {
    dma.dma_initiator.bind(bus.dma_target);
    mac.port.eth_tx.bind(wire);
    xmac.attach(tx, rx, [this] { tx.flush_fifo(); });
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  GenesisParams params;
  RegisterBank bank{0x4000};
  longhaul::testing::DmaTestBus bus{"bus", 8U << 20};
  longhaul::testing::FakeWire wire{BitRate{1'000'000'000}};
  pcix::DmaEngine dma{"dma", {}, [](pcix::DmaEngine::Limits& now) { now = {true, 4096, 4}; }};
  EthMac mac{"mac"};
  RamPort port{"port", params.engine_clock(), params.ram_bytes_per_clock()};
  Xmac xmac{"xmac",
            bank,
            mac,
            {params.xmac_rx_fifo(), 512, 1450, sc_core::sc_time(1, sc_core::SC_US), {}},
            [] {}};
  std::vector<std::uint64_t> cause_ps;  // when causes changed
  std::vector<pcix::DmaStatus> bus_errors;
  GenesisParts parts{params,
                     bank,
                     dma,
                     port,
                     xmac,
                     [this] { cause_ps.push_back(now_ps()); },
                     [this](pcix::DmaStatus status) { bus_errors.push_back(status); }};
  GenesisRx rx{"rx", parts};
  GenesisTx tx{"tx", parts};
  Sizes s;
  std::uint32_t tx_next = 0;
  std::uint64_t tx_data = kTxData;

  // --- access
  void write8(std::uint32_t at, std::uint32_t v) { write_lanes(at, v, 0xff); }
  void write16(std::uint32_t at, std::uint32_t v) { write_lanes(at, v, 0xffff); }
  void write(std::uint32_t at, std::uint32_t v) { bank.write(at, v); }
  std::uint32_t read(std::uint32_t at) { return bank.read(at); }
  void xm16(std::uint32_t x, std::uint32_t v) { write16(xm::bus_offset(x), v); }
  void xm32(std::uint32_t x, std::uint32_t v) {
    xm16(x, v & 0xffff);
    xm16(x + 2, v >> 16);
  }
  std::uint32_t word(std::uint64_t at) const {
    std::uint32_t value = 0;
    std::memcpy(&value, &bus.memory[at], 4);
    return value;
  }
  void put(std::uint64_t at, std::uint32_t value) { std::memcpy(&bus.memory[at], &value, 4); }
  void run_us(std::uint64_t us) { run_ps(us * 1'000'000); }
  /// Runs for a time, what happens at its very end included.
  void run_ps(std::uint64_t ps) {
    sc_core::sc_start(from_ps(ps));
    while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  /// Bus transactions from number `from` on: direction, address, bytes.
  std::vector<std::string> seen(std::size_t from = 0) const {
    std::vector<std::string> list;
    for (std::size_t i = from; i < bus.seen.size(); ++i) {
      char text[48];
      std::snprintf(text, sizeof text, "%c %llx %u", bus.seen[i].is_read ? 'r' : 'w',
                    static_cast<unsigned long long>(bus.seen[i].address), bus.seen[i].bytes);
      list.emplace_back(text);
    }
    return list;
  }

  // --- driver
  void mac_up() {
    write16(0xd18, 1);
    EXPECT_EQ(read(0xd18) & 1, 1U);
    write16(0xd18, 2);
    EXPECT_EQ(read(0xd18) & 1, 0U);
    xm16(xm::kPhyAddr, 0);
    xm16(xm::kPhyData, 0x0100);  // full duplex, no negotiation
    for (std::uint32_t i = 0; i < 3; ++i)
      xm16(xm::kSa + 2 * i, i == 0 ? 0x0000 : i == 1 ? 0x985a : 0x0100);
    xm16(xm::kRxCmd, 0x0190);  // long frames are fine
    xm16(xm::kTxCmd, 1);
    xm16(xm::kTxThr, 512);
    xm32(xm::kMode, 0x4f80);
    write8(0xc1c, 2);
    write16(0xc18, 0x0800);
    write8(0xc1c, 8);
    write8(0xd1c, 2);
    write16(0xd18, 0x2820);
    write8(0xd1c, 8);
    xm16(xm::kMmuCmd, 3);
  }
  void ram_up(std::uint32_t block, std::uint32_t start, std::uint32_t quadwords) {
    write8(block + 0x28, 2);
    write(block + 0x00, start);
    write(block + 0x08, start);
    write(block + 0x0c, start);
    write(block + 0x04, start + quadwords - 1);
    write8(block + 0x28, 0x20);
    write8(block + 0x28, 8);
  }
  void queue_up(std::uint32_t block, std::uint64_t ring) {
    write(block + 0x34, 0x002a'aa00);
    write(block + 0x38, s.watermark);
    write(block + 0x24, static_cast<std::uint32_t>(ring >> 32));
    write(block + 0x20, static_cast<std::uint32_t>(ring));
  }
  void up(const Sizes& sizes) {
    s = sizes;
    mac_up();
    for (std::uint32_t i = 0; i < s.rx_entries; ++i) {
      const std::uint64_t at = rx_at(i);
      put(at + 4, static_cast<std::uint32_t>(rx_at((i + 1) % s.rx_entries)));
      put(at + 8, static_cast<std::uint32_t>(kRxData + std::uint64_t{kPitch} * i));
      put(at + 12, 0);
      for (int w = 16; w < 32; w += 4) put(at + w, 0x5a5a'5a5a);
      put(at, i < s.rx_given ? kRxControl | s.rx_buffer : 0);
    }
    for (std::uint32_t i = 0; i < kTxEntries; ++i) {
      put(tx_at(i), 0);
      put(tx_at(i) + 4, static_cast<std::uint32_t>(tx_at((i + 1) % kTxEntries)));
    }
    ram_up(0x800, 0x10000, s.rx_quadwords);
    ram_up(0xa80, 0x18000, s.tx_quadwords);
    queue_up(0x400, kRxRing);
    queue_up(0x680, kTxRing);
    write8(0x434, 0x12);
    run_us(5);
  }
  void up() { up(Sizes{}); }

  static std::uint64_t rx_at(std::uint32_t index) { return kRxRing + 32ULL * index; }
  static std::uint64_t tx_at(std::uint32_t index) { return kTxRing + 32ULL * index; }
  void give(std::uint32_t index) { put(rx_at(index), kRxControl | s.rx_buffer); }

  /// Puts bytes into memory, at odd addresses too, and returns where.
  std::uint32_t place(const longhaul::testing::ByteVector& bytes) {
    if (tx_data + bytes.size() > kTxData + 0x200000) tx_data = kTxData;
    std::copy(bytes.begin(), bytes.end(),
              bus.memory.begin() + static_cast<std::ptrdiff_t>(tx_data));
    const auto at = static_cast<std::uint32_t>(tx_data);
    tx_data = (tx_data + bytes.size() + 63) / 64 * 64 + 3;
    return at;
  }
  void describe(std::uint32_t control, std::uint32_t address, std::uint32_t high = 0) {
    const std::uint64_t at = tx_at(tx_next);
    put(at + 8, address);
    put(at + 12, high);
    put(at, control);
    tx_next = (tx_next + 1) % kTxEntries;
  }
  void doorbell() { write8(0x6b4, 0x10); }
  void send(const longhaul::testing::ByteVector& bytes) {
    describe(kTxControl | static_cast<std::uint32_t>(bytes.size()), place(bytes));
    doorbell();
  }

  // --- the far end
  /// `size` bytes to this station, with `seed` in them.
  static longhaul::testing::ByteVector packet(std::size_t size, std::uint32_t seed = 1) {
    longhaul::testing::ByteVector bytes(size);
    for (std::size_t i = 14; i < size; ++i)
      bytes[i] = static_cast<std::uint8_t>(seed * 7 + i * 13 + (i >> 8));
    const std::uint8_t header[14] = {0, 0, 0x5a, 0x98, 0, 1, 2, 0, 0, 0, 0, 2, 0x08, 0x00};
    std::copy_n(header, std::min<std::size_t>(size, 14), bytes.begin());
    return bytes;
  }
  static FrameRef frame_of(const longhaul::testing::ByteVector& bytes) {
    FrameRef ref = Frame::allocate(static_cast<std::uint32_t>(bytes.size()));
    std::copy(bytes.begin(), bytes.end(), ref.writable().data());
    return ref;
  }
  void receive(const FrameRef& frame) { mac.port.eth_rx->receive(frame); }
  void receive(const longhaul::testing::ByteVector& bytes) { receive(frame_of(bytes)); }
  longhaul::testing::ByteVector at(std::uint64_t where, std::size_t length) const {
    const auto from = bus.memory.begin() + static_cast<std::ptrdiff_t>(where);
    return {from, from + static_cast<std::ptrdiff_t>(length)};
  }
  longhaul::testing::ByteVector buffer(std::uint32_t index, std::size_t length) const {
    return at(kRxData + std::uint64_t{kPitch} * index, length);
  }

 private:
  void write_lanes(std::uint32_t at, std::uint32_t v, std::uint32_t mask) {
    const std::uint32_t shift = 8 * (at % 4);
    bank.write(at, v << shift, mask << shift);
  }
};

}  // namespace longhaul::nic::genesis
