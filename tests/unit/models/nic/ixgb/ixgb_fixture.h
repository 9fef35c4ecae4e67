// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/nic/ixgb/ixgb.h"
#include "tests/unit/models/net/frame/packets.h"
#include "tests/unit/models/nic/fake_host.h"
#include "tests/unit/models/pcix/dma_test_bus.h"

namespace longhaul::nic::ixgb {

using longhaul::testing::ByteVector;
using longhaul::testing::DmaTestBus;
using longhaul::testing::FakeHost;
using longhaul::testing::FakeWire;

// Statistics of TSO: contexts that were sent, and that failed.
inline constexpr std::uint32_t kTsctc = 0x2170;
inline constexpr std::uint32_t kTsctfc = 0x2178;

/// An adapter on a test memory, and a driver that does to registers and rings what Linux's ixgb
/// does.
class IxgbFixture {
 public:
  static constexpr std::uint64_t kTxRing = 0x10000;
  static constexpr std::uint64_t kRxRing = 0x20000;
  static constexpr std::uint64_t kMsi = 0x8000;
  static constexpr std::uint64_t kTxData = 0x100000;
  static constexpr std::uint64_t kTxDataBytes = 0x200000;
  static constexpr std::uint64_t kRxData = 0x400000;
  static constexpr std::uint32_t kRxBufferPitch = 16384;

  /// Parameters in which the transmit engine is faster than the wire, unless a test says how fast
  /// it is.
  static nlohmann::json with_fast_engine(nlohmann::json params) {
    if (params.is_null()) params = nlohmann::json::object();
    if (!params.contains("tx_kib_clocks")) params["tx_kib_clocks"] = 64;
    return params;
  }
  explicit IxgbFixture(const nlohmann::json& params = {})
      : nic(make_ixgb("nic", with_fast_engine(params), 0)) {
    nic->dma().dma_initiator.bind(bus.dma_target);
    host.mmio.bind(nic->mmio_target);
    host.config.bind(nic->config_target);
    nic->inta_o.bind(host.inta);
    nic->port().eth_tx.bind(wire);
    config_write(0x04, 2, 0x0006);  // memory, bus master
    run_us(20);                     // the link comes up
  }

  DmaTestBus bus{"bus", 16U << 20};
  FakeWire wire;
  FakeHost host{"host"};
  std::unique_ptr<Ixgb> nic;

  // --- access
  std::uint32_t read(std::uint32_t reg) { return host.access(false, true, reg, 4, 0); }
  void write(std::uint32_t reg, std::uint32_t value) { host.access(false, false, reg, 4, value); }
  std::uint32_t config_read(std::uint32_t at, std::uint32_t size) {
    return host.access(true, true, at, size, 0);
  }
  void config_write(std::uint32_t at, std::uint32_t size, std::uint32_t v) {
    host.access(true, false, at, size, v);
  }
  void run_us(std::uint64_t us) { run_ps(us * 1'000'000); }
  void run_ns(std::uint64_t ns) { run_ps(ns * 1000); }
  /// Runs for a time, what happens at its very end included.
  void run_ps(std::uint64_t ps) {
    sc_core::sc_start(from_ps(ps));
    while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  std::uint64_t statistic(std::uint32_t low) {
    const std::uint64_t value = read(low);
    return value | static_cast<std::uint64_t>(read(low + 4)) << 32;
  }
  std::uint32_t word(std::uint64_t at) const { return read_le32(&bus.memory[at]); }
  void put_word(std::uint64_t at, std::uint32_t v) {
    for (int i = 0; i < 4; ++i) bus.memory[at + i] = static_cast<std::uint8_t>(v >> (8 * i));
  }
  std::size_t writes_to(std::uint64_t address) const {
    std::size_t n = 0;
    for (const DmaTestBus::Seen& seen : bus.seen)
      n += !seen.is_read && seen.address == address ? 1 : 0;
    return n;
  }

  // --- driver: EEPROM
  void eecd(std::uint32_t value) {
    write(regs::kEecd, value);
    read(regs::kStatus);
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
  std::uint32_t shift_in() {
    std::uint32_t data = 0;
    for (int i = 0; i < 16; ++i) {
      eecd(regs::kEecdFields.cs | regs::kEecdFields.sk);
      data = data << 1 | ((read(regs::kEecd) & regs::kEecdFields.data_out) != 0 ? 1U : 0U);
      eecd(regs::kEecdFields.cs);
    }
    return data;
  }
  void eeprom_standby() {
    eecd(0);
    eecd(regs::kEecdFields.sk);
    eecd(regs::kEecdFields.sk | regs::kEecdFields.cs);
    eecd(regs::kEecdFields.cs);
  }
  std::uint32_t eeprom_read(std::uint32_t address) {
    write(regs::kEecd, 0);
    write(regs::kEecd, regs::kEecdFields.cs);
    shift_out(6, 3);
    shift_out(address, 6);
    const std::uint32_t data = shift_in();
    eeprom_standby();
    return data;
  }

  // --- driver: MDIO
  std::uint32_t mdio(std::uint32_t op, std::uint32_t device, std::uint32_t address) {
    write(regs::kMsca, address | device << 16 | op << 26 | regs::kMscaFields.mdi_command);
    for (int i = 0; i < 10 && (read(regs::kMsca) & regs::kMscaFields.mdi_command) != 0; ++i)
      run_us(10);
    EXPECT_EQ(read(regs::kMsca) & regs::kMscaFields.mdi_command, 0U);
    return read(regs::kMsrwd) >> 16;
  }
  std::uint32_t phy_read(std::uint32_t device, std::uint32_t address) {
    mdio(0, device, address);
    return mdio(2, device, address);
  }

  // --- driver: rings
  struct Settings {
    std::uint32_t mtu = 1500;
    std::uint32_t tx_entries = 256;
    std::uint32_t rx_entries = 512;
    std::uint32_t rdtr = 72;
    std::uint32_t tidv = 32;
    std::uint32_t rctl = 0;          ///< bits to add
    std::uint32_t buffer_bytes = 0;  ///< 0: as the driver chooses by MTU
    bool flow_control = false;
    bool rx_checksum = true;
    bool interrupts = true;
    bool fill_ring = true;
  };

  void reset() {
    write(regs::kImc, 0xffffffff);
    write(regs::kRctl, read(regs::kRctl) & ~regs::kRctlFields.en);
    write(regs::kTctl, read(regs::kTctl) & ~regs::kTctlFields.en);
    run_us(10);
    write(regs::kCtrl0, regs::kCtrl0Fields.rst | 0x03f40000 | regs::kCtrl0Fields.sdp0);
    run_us(1000);
    EXPECT_EQ(read(regs::kCtrl0) & regs::kCtrl0Fields.rst, 0U);
    write(regs::kImc, 0xffffffff);
    read(regs::kIcr);
  }

  void up(const Settings& settings) {
    s = settings;
    tx_next = tx_clean = rx_clean = rx_next = 0;
    tx_data = kTxData;
    std::memset(&bus.memory[kTxRing], 0, 0x10000);
    std::memset(&bus.memory[kRxRing], 0, 0x10000);
    const std::uint32_t frame = s.mtu + 18;
    write(regs::kCtrl0,
          read(regs::kCtrl0) | regs::kCtrl0Fields.vme |
              (frame > 1518 ? regs::kCtrl0Fields.jfe : 0U) |
              (s.flow_control ? regs::kCtrl0Fields.rpe | regs::kCtrl0Fields.tpe : 0U));
    write(regs::kMfs, frame << 16);
    if (s.flow_control) {
      write(regs::kPap, 0xffff);
      write(regs::kFcrtl, 0x28000 | regs::kFcrtlFields.xone);
      write(regs::kFcrth, 0x30000);
    }
    write(regs::kTdbal, kTxRing);
    write(regs::kTdbah, 0);
    write(regs::kTdlen, s.tx_entries * 16);
    write(regs::kTdh, 0);
    write(regs::kTdt, 0);
    write(regs::kTidv, s.tidv);
    write(regs::kTctl, 0x7);

    std::uint32_t bytes = s.buffer_bytes;
    if (bytes == 0)
      for (bytes = 2048; bytes < frame + 8 && bytes < 16384;) bytes *= 2;
    std::uint32_t size_code = 0;
    while ((2048U << size_code) < bytes) ++size_code;
    const std::uint32_t rctl = regs::kRctlFields.bam | regs::kRctlFields.en |
                               regs::kRctlFields.cff | regs::kRctlFields.secrc |
                               regs::kRctlFields.bsize.put(size_code) | s.rctl;
    write(regs::kRctl, rctl & ~regs::kRctlFields.en);
    write(regs::kRdtr, s.rdtr);
    write(regs::kRdbal, kRxRing);
    write(regs::kRdbah, 0);
    write(regs::kRdlen, s.rx_entries * 16);
    write(regs::kRdh, 0);
    write(regs::kRdt, 0);
    write(regs::kRxdctl, 0);
    if (s.rx_checksum) write(regs::kRxcsum, regs::kRxcsumFields.tuofl);
    write(regs::kRctl, rctl);
    if (s.fill_ring) give_buffers(s.rx_entries - 4);
    if (s.interrupts) write(regs::kIms, kDriverCauses);
    run_us(5);
    read(regs::kIcr);
  }
  static constexpr std::uint32_t kDriverCauses = regs::kCauseFields.rxt0 |
                                                 regs::kCauseFields.rxdmt0 |
                                                 regs::kCauseFields.txdw | regs::kCauseFields.lsc;

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

  struct SendOptions {
    std::vector<std::uint32_t> pieces;  ///< sizes of the buffers; what is left goes into a last one
    bool checksum = false;
    std::uint32_t mss = 0;  ///< not 0: a super-frame
    int vlan = -1;
    bool ide = true;
    std::optional<std::uint32_t> payload_override;  ///< what the context says instead of the truth
    bool zero_mss = false;                          ///< a context that cannot be carried out
    longhaul::testing::PacketSpec spec;             ///< where headers lie, for checksum and mss
  };

  void send(const ByteVector& packet) { send(packet, SendOptions()); }
  void send(const ByteVector& packet, const SendOptions& options) {
    namespace t = longhaul::testing;
    const auto& spec = options.spec;
    const std::uint64_t first = kTxRing + 16ULL * tx_next;
    if (options.mss != 0 || options.checksum) {
      const std::uint64_t at = tx_slot();
      const auto l4 = static_cast<std::uint32_t>(t::l4_at(spec));
      const auto field = static_cast<std::uint32_t>(t::l4_field(spec));
      put_word(at + 4, l4 | field << 8);
      if (options.mss != 0) {
        const auto ip = static_cast<std::uint32_t>(t::ip_at(spec));
        const std::uint32_t header = l4 + (spec.tcp ? 20 + spec.options : 8);
        put_word(at, ip | (ip + 10) << 8 | (l4 - 1) << 16);
        const std::uint32_t payload =
            options.payload_override.value_or(static_cast<std::uint32_t>(packet.size() - header));
        put_word(at + 8, regs::tx::kTse | (spec.v6 ? 0U : regs::tx::kIp) |
                             (spec.tcp ? regs::tx::kEop : 0U) | regs::tx::kIde | payload);
        put_word(at + 12, header << 8 | options.mss << 16);
      } else {
        put_word(at, 0);
        put_word(at + 8, regs::tx::kIde);
        put_word(at + 12, 0);
      }
    }
    std::size_t done = 0;
    std::size_t piece = 0;
    const std::uint32_t common = 1U << regs::tx::kTypeShift | (options.ide ? regs::tx::kIde : 0U) |
                                 (options.mss != 0 ? regs::tx::kTse : 0U) |
                                 (options.vlan >= 0 ? regs::tx::kVle : 0U);
    const std::uint32_t popts = options.mss != 0 ? 3U : options.checksum ? 2U : 0U;
    while (done < packet.size()) {
      std::size_t size = packet.size() - done;
      if (piece < options.pieces.size())
        size = std::min<std::size_t>(size, options.pieces[piece++]);
      if (tx_data + size > kTxData + kTxDataBytes) tx_data = kTxData;
      std::copy_n(packet.begin() + static_cast<std::ptrdiff_t>(done), size,
                  bus.memory.begin() + static_cast<std::ptrdiff_t>(tx_data));
      const bool last = done + size == packet.size();
      const std::uint64_t at = tx_slot();
      put_word(at, static_cast<std::uint32_t>(tx_data));
      put_word(at + 4, 0);
      put_word(at + 8, common | static_cast<std::uint32_t>(size) |
                           (last ? regs::tx::kEop | regs::tx::kRs : 0U));
      put_word(at + 12,
               popts << 8 | static_cast<std::uint32_t>(options.vlan >= 0 ? options.vlan : 0) << 16);
      tx_data = (tx_data + size + 63) / 64 * 64 + 3;  // odd addresses, as a stack's are
      done += size;
    }
    if (options.zero_mss) put_word(first + 12, word(first + 12) & 0xffff);
    write(regs::kTdt, tx_next);
  }
  /// Packets whose last descriptor was reported done since the last call.
  std::uint32_t clean_tx() {
    std::uint32_t packets = 0;
    for (std::uint32_t at = tx_clean; at != tx_next;) {
      const std::uint32_t command = word(kTxRing + 16ULL * at + 8);
      const bool done = (word(kTxRing + 16ULL * at + 12) & regs::tx::kDd) != 0;
      at = (at + 1) % s.tx_entries;
      if ((command & regs::tx::kRs) == 0) continue;
      if (!done) break;
      ++packets;
      for (; tx_clean != at; tx_clean = (tx_clean + 1) % s.tx_entries)
        put_word(kTxRing + 16ULL * tx_clean + 12, 0);
    }
    return packets;
  }

  struct Received {
    ByteVector bytes;
    std::uint8_t status;
    std::uint8_t errors;
    std::uint16_t special;
    std::uint32_t descriptors;
  };
  /// What has arrived since the last call; buffers go back to the device.
  std::vector<Received> clean_rx(bool refill = true) {
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
        list.push_back(packet);
        packet = {};
      }
      put_word(at + 12, 0);
      rx_clean = (rx_clean + 1) % s.rx_entries;
      ++used;
    }
    if (refill && used != 0) give_buffers(used);
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

  Settings s;
  std::uint32_t tx_next = 0;
  std::uint32_t tx_clean = 0;
  std::uint32_t rx_next = 0;
  std::uint32_t rx_clean = 0;
  std::uint64_t tx_data = kTxData;

 private:
  std::uint64_t tx_slot() {
    const std::uint64_t at = kTxRing + 16ULL * tx_next;
    tx_next = (tx_next + 1) % s.tx_entries;
    return at;
  }
};

}  // namespace longhaul::nic::ixgb
