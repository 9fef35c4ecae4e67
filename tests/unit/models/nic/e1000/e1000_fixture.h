// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/nic/e1000/e1000.h"
#include "tests/unit/models/net/frame/packets.h"
#include "tests/unit/models/nic/fake_host.h"
#include "tests/unit/models/pcix/dma_test_bus.h"

namespace longhaul::nic::e1000 {

using longhaul::testing::ByteVector;
using longhaul::testing::DmaTestBus;
using longhaul::testing::FakeHost;
using longhaul::testing::FakeWire;

/// An adapter on a test memory, and a driver that does to registers and rings what Linux's e1000
/// does.
class E1000Fixture {
 public:
  static constexpr std::uint64_t kTxRing = 0x10000;
  static constexpr std::uint64_t kRxRing = 0x20000;
  static constexpr std::uint64_t kTxData = 0x100000;
  static constexpr std::uint64_t kTxDataBytes = 0x200000;
  static constexpr std::uint64_t kRxData = 0x400000;
  static constexpr std::uint32_t kRxBufferPitch = 16384;
  static constexpr std::uint32_t kDriverCauses = regs::kCauseFields.rxt0 | regs::kCauseFields.txdw |
                                                 regs::kCauseFields.rxdmt0 |
                                                 regs::kCauseFields.rxseq | regs::kCauseFields.lsc;

  explicit E1000Fixture(const nlohmann::json& params = {}) : nic(make_e1000("nic", params, 0)) {
    nic->dma().dma_initiator.bind(bus.dma_target);
    host.mmio.bind(nic->mmio_target);
    host.io.bind(nic->io_target);
    host.config.bind(nic->config_target);
    nic->inta_o.bind(host.inta);
    nic->port().eth_tx.bind(wire);
    config_write(0x04, 2, 0x0006);  // memory, bus master
    run_us(20);
  }

  DmaTestBus bus{"bus", 16U << 20};
  FakeWire wire{BitRate{1'000'000'000}};
  FakeHost host{"host"};
  std::unique_ptr<E1000> nic;

  // --- access
  std::uint32_t read(std::uint32_t reg) { return host.access(false, true, reg, 4, 0); }
  void write(std::uint32_t reg, std::uint32_t value) { host.access(false, false, reg, 4, value); }
  /// IOADDR (port 0) and IODATA (port 4).
  std::uint32_t port_read(std::uint32_t port, std::uint32_t size = 4) {
    return host.access_io(true, port, size, 0);
  }
  void port_write(std::uint32_t port, std::uint32_t value, std::uint32_t size = 4) {
    host.access_io(false, port, size, value);
  }
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
  void run_until(std::uint64_t ps) { run_ps(ps - now_ps()); }
  std::uint64_t statistic(std::uint32_t low) {
    const std::uint64_t value = read(low);
    return value | static_cast<std::uint64_t>(read(low + 4)) << 32;
  }
  std::uint32_t word(std::uint64_t at) const { return read_le32(&bus.memory[at]); }
  void put_word(std::uint64_t at, std::uint32_t v) {
    for (int i = 0; i < 4; ++i) bus.memory[at + i] = static_cast<std::uint8_t>(v >> (8 * i));
  }

  // --- driver: EEPROM
  void eecd(std::uint32_t pins) {
    write(regs::kEecd, regs::kEecdFields.req | pins);
    run_us(50);
  }
  void shift_out(std::uint32_t data, int bits) {
    for (int i = bits - 1; i >= 0; --i) {
      const std::uint32_t pins =
          regs::kEecdFields.cs | ((data >> i & 1U) != 0 ? regs::kEecdFields.di : 0U);
      eecd(pins);
      eecd(pins | regs::kEecdFields.sk);
      eecd(pins);
    }
  }
  std::uint32_t eeprom_read(std::uint32_t address) {
    write(regs::kEecd, regs::kEecdFields.req);
    EXPECT_NE(read(regs::kEecd) & regs::kEecdFields.gnt, 0U);
    eecd(regs::kEecdFields.cs);
    shift_out(6, 3);
    shift_out(address, 6);
    std::uint32_t data = 0;
    for (int i = 0; i < 16; ++i) {
      eecd(regs::kEecdFields.cs | regs::kEecdFields.sk);
      data = data << 1 | ((read(regs::kEecd) & regs::kEecdFields.data_out) != 0 ? 1U : 0U);
      eecd(regs::kEecdFields.cs);
    }
    eecd(0);
    write(regs::kEecd, 0);
    return data;
  }

  // --- driver: PHY
  std::uint32_t mdic(std::uint32_t command) {
    write(regs::kMdic, command);
    for (int i = 0; i < 64 && (read(regs::kMdic) & regs::kMdicFields.ready) == 0; ++i) run_us(50);
    EXPECT_NE(read(regs::kMdic) & regs::kMdicFields.ready, 0U);
    return read(regs::kMdic) & 0xffff;
  }
  std::uint32_t phy_read(std::uint32_t number) {
    return mdic(regs::kMdicFields.reg.put(number) | regs::kMdicFields.phy.put(1U) |
                regs::kMdicFields.read);
  }
  void phy_write(std::uint32_t number, std::uint32_t value) {
    mdic(value | regs::kMdicFields.reg.put(number) | regs::kMdicFields.phy.put(1U) |
         regs::kMdicFields.write);
  }

  // --- driver: link and rings
  struct Settings {
    std::uint32_t mtu = 1500;
    std::uint32_t tx_entries = 256;
    std::uint32_t rx_entries = 256;
    std::uint32_t rdtr = 0;
    std::uint32_t radv = 8;
    std::uint32_t tidv = 8;
    std::uint32_t tadv = 32;
    std::uint32_t itr = 0;
    std::uint32_t rctl = 0;         ///< bits to add
    std::uint32_t buffer_code = 0;  ///< BSIZE and BSEX bits
    bool fill_ring = true;
  };

  void reset() {
    write(regs::kImc, 0xffffffff);
    write(regs::kRctl, 0);
    write(regs::kTctl, 0);
    run_us(10);
    write(regs::kCtrlDup, read(regs::kCtrl) | regs::kCtrlFields.rst);
    run_us(5);
    EXPECT_EQ(read(regs::kCtrl) & regs::kCtrlFields.rst, 0U);
    write(regs::kImc, 0xffffffff);
    read(regs::kIcr);
  }

  /// Brings a fibre link up as e1000_setup_fiber_serdes_link() does; returns how long it took, in
  /// microseconds.
  std::uint64_t link_up(std::uint32_t pause_bits = regs::kTxcwFields.pause |
                                                   regs::kTxcwFields.asm_dir) {
    write(regs::kTxcw, regs::kTxcwFields.ane | regs::kTxcwFields.fd | pause_bits);
    write(regs::kCtrl, read(regs::kCtrl) & ~regs::kCtrlFields.lrst);
    const std::uint64_t start = now_ps();
    while ((read(regs::kStatus) & regs::kStatusFields.lu) == 0 &&
           now_ps() - start < 600'000'000'000)
      run_us(100);
    return (now_ps() - start) / 1'000'000;
  }

  void up(const Settings& settings) {
    s = settings;
    link_up();
    tx_next = rx_clean = rx_next = tx_clean = 0;
    tx_data = kTxData;
    std::memset(&bus.memory[kTxRing], 0, 0x10000);
    std::memset(&bus.memory[kRxRing], 0, 0x10000);
    write(regs::kCtrl, read(regs::kCtrl) | regs::kCtrlFields.vme);
    write(regs::kTxdctl, 0x01010000);
    write(regs::kTdlen, s.tx_entries * 16);
    write(regs::kTdbah, 0);
    write(regs::kTdbal, kTxRing);
    write(regs::kTdt, 0);
    write(regs::kTdh, 0);
    write(regs::kTidv, s.tidv);
    write(regs::kTadv, s.tadv);
    write(regs::kTctl, 0x0103f0fa);
    const std::uint32_t rctl = regs::kRctlFields.bam | (s.mtu > 1500 ? regs::kRctlFields.lpe : 0U) |
                               s.buffer_code | s.rctl;
    write(regs::kRctl, rctl);
    write(regs::kRdtr, s.rdtr);
    write(regs::kRadv, s.radv);
    write(regs::kItr, s.itr);
    write(regs::kRdlen, s.rx_entries * 16);
    write(regs::kRdbah, 0);
    write(regs::kRdbal, kRxRing);
    write(regs::kRdt, 0);
    write(regs::kRdh, 0);
    write(regs::kRxcsum, regs::kRxcsumFields.tuofl);
    write(regs::kRctl, rctl | regs::kRctlFields.en);
    if (s.fill_ring) give_buffers(s.rx_entries - 1);
    read(regs::kIcr);
    write(regs::kIms, kDriverCauses);
    run_us(5);
  }

  void give_buffers(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t at = kRxRing + 16ULL * rx_next;
      put_word(at, static_cast<std::uint32_t>(kRxData + std::uint64_t{rx_next} * kRxBufferPitch));
      put_word(at + 4, 0);
      put_word(at + 12, 0);
      rx_next = (rx_next + 1) % s.rx_entries;
    }
    write(regs::kRdt, rx_next);
  }

  /// Puts bytes into memory and returns where.
  std::uint32_t place(const ByteVector& bytes) {
    if (tx_data + bytes.size() > kTxData + kTxDataBytes) tx_data = kTxData;
    std::copy(bytes.begin(), bytes.end(),
              bus.memory.begin() + static_cast<std::ptrdiff_t>(tx_data));
    const auto at = static_cast<std::uint32_t>(tx_data);
    tx_data = (tx_data + bytes.size() + 63) / 64 * 64 + 3;  // odd addresses, as a stack's are
    return at;
  }
  void descriptor(std::uint32_t low, std::uint32_t high, std::uint32_t command,
                  std::uint32_t fields) {
    const std::uint64_t at = kTxRing + 16ULL * tx_next;
    put_word(at, low);
    put_word(at + 4, high);
    put_word(at + 8, command);
    put_word(at + 12, fields);
    tx_next = (tx_next + 1) % s.tx_entries;
  }
  void ring() { write(regs::kTdt, tx_next); }

  static constexpr std::uint32_t kLast = regs::tx::kEop | regs::tx::kRs | regs::tx::kIde;
  static constexpr std::uint32_t kData = 1U << regs::tx::kTypeShift | regs::tx::kExtended;

  /// One packet by extended descriptors; `command` and `fields` are bits to add.
  void send(const ByteVector& packet, std::uint32_t command = regs::tx::kIde,
            std::uint32_t fields = 0) {
    const auto size = static_cast<std::uint32_t>(packet.size());
    descriptor(place(packet), 0, kData | size | regs::tx::kEop | regs::tx::kRs | command, fields);
    ring();
  }
  /// A super-frame with its context, in one buffer of header and one of payload, as the driver maps
  /// it.
  void send_super_frame(const longhaul::testing::PacketSpec& spec, std::uint32_t mss) {
    namespace t = longhaul::testing;
    const ByteVector packet = t::super_frame(spec);
    const auto ip = static_cast<std::uint32_t>(t::ip_at(spec));
    const auto l4 = static_cast<std::uint32_t>(t::l4_at(spec));
    const auto field = static_cast<std::uint32_t>(t::l4_field(spec));
    const std::uint32_t header = l4 + 20 + spec.options;
    const auto payload = static_cast<std::uint32_t>(packet.size()) - header;
    descriptor(ip | (ip + 10) << 8 | (l4 - 1) << 16, l4 | field << 8,
               regs::tx::kExtended | regs::tx::kTse | (spec.v6 ? 0U : regs::tx::kIp) |
                   regs::tx::kEop | payload,
               header << 8 | mss << 16);
    const std::uint32_t at = place(packet);
    const std::uint32_t common = kData | regs::tx::kTse;
    descriptor(at, 0, common | header, 3U << 8);
    descriptor(at + header, 0, common | payload | kLast, 3U << 8);
    ring();
  }
  /// Packets whose last descriptor was reported done since the last call.
  std::uint32_t clean_tx() {
    std::uint32_t packets = 0;
    for (std::uint32_t at = tx_clean; at != tx_next; at = (at + 1) % s.tx_entries) {
      if ((word(kTxRing + 16ULL * at + 8) & regs::tx::kRs) == 0) continue;
      if ((word(kTxRing + 16ULL * at + 12) & regs::tx::kDd) == 0) break;
      ++packets;
      tx_clean = (at + 1) % s.tx_entries;
    }
    return packets;
  }

  struct Received {
    ByteVector bytes;
    std::uint8_t status;
    std::uint8_t errors;
    std::uint16_t special;
    std::uint16_t checksum;
    std::uint32_t descriptors;
  };
  /// What has arrived since the last call; buffers go back to the device.
  std::vector<Received> clean_rx() {
    std::vector<Received> list;
    std::uint32_t used = 0;
    Received packet{};
    for (;;) {
      const std::uint64_t at = kRxRing + 16ULL * rx_clean;
      const std::uint32_t status = word(at + 12);
      if ((status & regs::rx_status::kDd) == 0) break;
      const std::uint32_t length = word(at + 8) & 0xffff;
      const auto from = bus.memory.begin() + static_cast<std::ptrdiff_t>(word(at));
      packet.bytes.insert(packet.bytes.end(), from, from + length);
      ++packet.descriptors;
      if ((status & regs::rx_status::kEop) != 0) {
        packet.status = static_cast<std::uint8_t>(status);
        packet.errors = static_cast<std::uint8_t>(status >> 8);
        packet.special = static_cast<std::uint16_t>(status >> 16);
        packet.checksum = static_cast<std::uint16_t>(word(at + 8) >> 16);
        list.push_back(packet);
        packet = {};
      }
      put_word(at + 12, 0);
      rx_clean = (rx_clean + 1) % s.rx_entries;
      ++used;
    }
    if (used != 0) give_buffers(used);
    return list;
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
  void receive(const ByteVector& bytes) { receive(frame_of(bytes)); }
  void receive(const FrameRef& frame) { nic->port().eth_rx->receive(frame); }
  void set_carrier(bool up) {
    wire.has_carrier = up;
    nic->port().eth_rx->carrier_changed(up);
  }
  /// A packet to this adapter, with right checksums.
  static longhaul::testing::PacketSpec to_me() {
    longhaul::testing::PacketSpec spec;
    spec.to = {0x00, 0x04, 0x23, 0, 0, 1};
    return spec;
  }

  Settings s;
  std::uint32_t tx_next = 0;
  std::uint32_t tx_clean = 0;
  std::uint32_t rx_next = 0;
  std::uint32_t rx_clean = 0;
  std::uint64_t tx_data = kTxData;
};

}  // namespace longhaul::nic::e1000
