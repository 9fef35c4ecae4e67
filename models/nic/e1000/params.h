// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tuple>

#include "models/common/param.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/eeprom_93c46.h"
#include "models/nic/blocks/link_partner.h"
#include "models/nic/blocks/mdio.h"
#include "models/nic/e1000/boards.h"
#include "models/nic/intel/kinds.h"
#include "models/pcix/dma_engine.h"
#include "models/pcix/pcix_device.h"

namespace longhaul::nic::e1000 {

/// Numbers of an 82545 or 82546 adapter. Where Intel's manual gives no number, the evidence tells
/// what it is based on.
struct E1000Params {
  // The board.
  Param<std::string> mac{
      "mac",
      "",
      "Ethernet address; empty is one by the adapter's number",
      {Evidence::kChosen,
       "models/nic/e1000/README.md#does-not-model: 00:04:23:00:00:NN by index when empty"}};
  Param<std::string> board{
      "board",
      "82545em-fiber",
      "controller and medium",
      {Evidence::kDatasheet,
       "Linux e1000_hw.h: device ids; 82545em, 82546eb, 82545gm, 82546gb, each -fiber "
       "or -copper"},
      names_of(kBoards)};
  Param<std::string> bus{"bus",
                         "pcix-133",
                         "what the slot tells of the bus",
                         {Evidence::kDatasheet,
                          "8254x SDM 13.4.2, STATUS: pcix-133, pcix-100, pcix-66, pci-66, pci-33"},
                         names_of(intel::kBuses)};
  Param<std::uint32_t> pba{
      "pba",
      0x00c1a791,
      "printed board number in the EEPROM",
      {Evidence::kChosen, "board number in the EEPROM; no behaviour depends on it"}};
  Param<std::string> link_partner{"link_partner",
                                  "alike",
                                  "what the far end says in negotiation",
                                  {Evidence::kChosen,
                                   "models/nic/e1000/README.md#link: alike (advertises what this "
                                   "end does), no-pause, silent (never negotiates)"},
                                  link_partner_names()};

  // Memories.
  Param<Bytes> packet_buffer{
      "packet_buffer",
      units::KiB(64),
      "on-chip memory for frames of both directions",
      {Evidence::kDatasheet, "8254x SDM 13.4.12, PBA: 64 KB shared by both directions"},
      Range<Bytes>{units::KiB(16), units::KiB(1024)}};
  Param<std::uint32_t> rx_buffer_kib{
      "rx_buffer_kib",
      48,
      "KiB of it for received frames after power-on (PBA)",
      {Evidence::kDatasheet, "8254x SDM 13.4.12: PBA.RXA is 30h after power-on"},
      Range<std::uint32_t>{8, 1016}};
  Param<std::uint32_t> fifo_granule{
      "fifo_granule",
      16,
      "bytes to which a stored frame is rounded up",
      {Evidence::kAssumed, "Linux e1000_main.c: 16 B roundup of 82547's transmit FIFO"},
      Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> descriptor_cache{
      "descriptor_cache",
      64,
      "descriptors of a ring that are on chip",
      {Evidence::kDatasheet, "8254x SDM 3.2.4, 3.4: 64 descriptors on chip"},
      Range<std::uint32_t>{8, 4096}};
  Param<std::uint32_t> descriptor_burst{
      "descriptor_burst",
      16,
      "descriptors that one bus read fetches at most",
      {Evidence::kAssumed, "models/nic/e1000/README.md#open-numbers"},
      Range<std::uint32_t>{1, 4096}};

  // Engines.
  Param<Frequency> engine_clock{"engine_clock",
                                {62'500'000},
                                "clock of the transmit and receive engines",
                                {Evidence::kAssumed, "models/nic/e1000/README.md#open-numbers"},
                                Range<Frequency>{{31'250'000}, {312'500'000}}};
  Param<std::uint32_t> tx_descriptor_clocks{
      "tx_descriptor_clocks",
      4,
      "engine clocks for a transmit descriptor",
      {Evidence::kAssumed, "models/nic/e1000/README.md#open-numbers"},
      Range<std::uint32_t>{1, 64}};
  Param<std::uint32_t> tx_packet_clocks{
      "tx_packet_clocks",
      8,
      "engine clocks for a sent packet",
      {Evidence::kAssumed, "models/nic/e1000/README.md#open-numbers"},
      Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> tx_kib_clocks{
      "tx_kib_clocks",
      128,
      "engine clocks for a KiB of sent data",
      {Evidence::kAssumed, "models/nic/e1000/README.md#open-numbers"},
      Range<std::uint32_t>{32, 512}};
  Param<sc_core::sc_time> tx_latency{
      "tx_latency",
      sc_core::sc_time(500, sc_core::SC_NS),
      "from the last byte in the transmit FIFO to the MAC",
      {Evidence::kAssumed, "models/nic/e1000/README.md#open-numbers"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};
  Param<std::uint32_t> tx_reads_ahead{
      "tx_reads_ahead",
      4,
      "bus reads of transmit data that are outstanding at once",
      {Evidence::kAssumed, "models/nic/e1000/README.md#open-numbers"},
      Range<std::uint32_t>{1, 64}};
  Param<std::uint32_t> rx_descriptor_clocks{
      "rx_descriptor_clocks",
      4,
      "engine clocks for a receive descriptor",
      {Evidence::kAssumed, "models/nic/e1000/README.md#open-numbers"},
      Range<std::uint32_t>{1, 64}};
  Param<std::uint32_t> rx_packet_clocks{
      "rx_packet_clocks",
      8,
      "engine clocks for a received packet",
      {Evidence::kAssumed, "models/nic/e1000/README.md#open-numbers"},
      Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> rx_kib_clocks{
      "rx_kib_clocks",
      128,
      "engine clocks for a KiB of received data",
      {Evidence::kAssumed, "models/nic/e1000/README.md#open-numbers"},
      Range<std::uint32_t>{32, 512}};
  Param<sc_core::sc_time> rx_latency{
      "rx_latency",
      sc_core::sc_time(500, sc_core::SC_NS),
      "from the MAC to the receive FIFO",
      {Evidence::kAssumed, "models/nic/e1000/README.md#open-numbers"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};
  Param<std::uint32_t> rx_writes_ahead{
      "rx_writes_ahead",
      4,
      "bus writes of received data that are outstanding at once",
      {Evidence::kAssumed, "models/nic/e1000/README.md#open-numbers"},
      Range<std::uint32_t>{1, 64}};

  // Behaviour.
  Param<sc_core::sc_time> delay_unit{
      "delay_unit",
      sc_core::sc_time(1024, sc_core::SC_NS),
      "unit of the interrupt delay registers",
      {Evidence::kDatasheet, "8254x SDM 13.4.30, 13.4.31, 13.4.44: timers in units of 1.024 us"}};
  Param<sc_core::sc_time> throttle_unit{
      "throttle_unit",
      sc_core::sc_time(256, sc_core::SC_NS),
      "unit of the interrupt throttle register (ITR)",
      {Evidence::kDatasheet, "8254x SDM 13.4.18: ITR in units of 256 ns"}};
  Param<bool> rx_checksum_ipv6{
      "rx_checksum_ipv6",
      true,
      "checks TCP and UDP checksums of IPv6 packets",
      {Evidence::kDatasheet, "8254x SDM 3.2.9: IPv6 packets' TCP and UDP sums, 82544 excepted"}};
  Param<bool> tso_cwr_first_only{
      "tso_cwr_first_only",
      false,
      "sets CWR in the first segment of a cut one alone",
      {Evidence::kDatasheet, "Linux e1000_main.c offers TSO without ECN"}};
  Param<sc_core::sc_time> reset_time{
      "reset_time",
      sc_core::sc_time(1, sc_core::SC_US),
      "time of a device reset",
      {Evidence::kDatasheet, "Linux e1000_hw.c: the reset bit clears within a microsecond"}};
  Param<sc_core::sc_time> fiber_negotiation{
      "fiber_negotiation",
      sc_core::sc_time(30, sc_core::SC_MS),
      "time that 1000BASE-X takes to negotiate",
      {Evidence::kStandard, "IEEE 802.3, 37.3.1.4: link_timer 10 ms, passed in three states"}};
  Param<sc_core::sc_time> copper_negotiation{
      "copper_negotiation",
      sc_core::sc_time(1500, sc_core::SC_MS),
      "time that 1000BASE-T takes to negotiate",
      {Evidence::kStandard,
       "IEEE 802.3, 28.3.2: break_link_timer 1.2 to 1.5 s, the longest of its timers"}};
  Param<sc_core::sc_time> eeprom_word_time{
      "eeprom_word_time",
      sc_core::sc_time(50, sc_core::SC_US),
      "time to read an EEPROM word by EERD",
      {Evidence::kAssumed, "models/nic/e1000/README.md#open-numbers: EERD, 25 clocks of 2 us"}};

  auto fields() {
    return std::tie(
        mac, board, bus, pba, link_partner, packet_buffer, rx_buffer_kib, fifo_granule,
        descriptor_cache, descriptor_burst, engine_clock, tx_descriptor_clocks, tx_packet_clocks,
        tx_kib_clocks, tx_latency, tx_reads_ahead, rx_descriptor_clocks, rx_packet_clocks,
        rx_kib_clocks, rx_latency, rx_writes_ahead, delay_unit, throttle_unit, rx_checksum_ipv6,
        tso_cwr_first_only, reset_time, fiber_negotiation, copper_negotiation, eeprom_word_time,
        dma.read_fifo_bytes, target.decode_clocks, target.read_wait_clocks, target.split_reads,
        target.split_latency, mac_unit.pause_response, mac_unit.hold_without_carrier,
        eeprom.write_cycle, mdio.frame_time);
  }

  pcix::DmaParams dma;
  pcix::TargetParams target;
  EthMacParams mac_unit;
  Eeprom93c46Params eeprom;
  MdioParams mdio;
};

}  // namespace longhaul::nic::e1000
