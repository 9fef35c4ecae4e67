// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tuple>

#include "models/common/param.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/kinds.h"
#include "models/nic/blocks/link_partner.h"
#include "models/nic/genesis/boards.h"
#include "models/nic/genesis/sk9843.h"
#include "models/pcix/dma_engine.h"
#include "models/pcix/pcix_device.h"

namespace longhaul::nic::genesis {

/// Numbers of an SK-98xx adapter with a GEnesis and one or two XMAC II. No data sheet of either is
/// public, so numbers that drivers do not give are assumed.
struct GenesisParams {
  // The board.
  Param<std::string> mac{
      "mac",
      "",
      "Ethernet address; empty is one by the adapter's number",
      {Evidence::kChosen,
       "models/nic/genesis/README.md#does-not-model: 00:00:5a:98:00:NN by index when empty"}};
  Param<std::string> board{
      "board",
      "sk-9843",
      "board and medium",
      {Evidence::kDatasheet, "Linux 6.1 skge.c: 1148:4300, PMD 'S' for 1000BASE-SX"},
      names_of(kBoards)};
  Param<std::string> bus{
      "bus",
      "pci-66",
      "what the slot tells of the bus",
      {Evidence::kDatasheet, "Linux 2.6 sk98lin/h/skgehw.h, B0_CTST: slot of 33 or 66 MHz"},
      names_of(kBuses)};
  Param<std::string> link_partner{
      "link_partner",
      "alike",
      "what the far end says in negotiation",
      {Evidence::kChosen,
       "models/nic/genesis/README.md#link: alike (advertises what this end does), "
       "no-pause, silent (never negotiates)"},
      link_partner_names()};
  Param<std::uint32_t> chip_revision{
      "chip_revision",
      0,
      "revision in the chip's id register",
      {Evidence::kAssumed, "models/nic/genesis/README.md#open-numbers"},
      Range<std::uint32_t>{0, 15}};

  // Memories.
  Param<Bytes> ram{"ram", sk9843::kRam.value, "packet memory on the board", sk9843::kRam.source,
                   Range<Bytes>{units::KiB(512), units::KiB(2048)}};
  Param<std::uint32_t> ram_bytes_per_clock{"ram_bytes_per_clock", sk9843::kRamBytesPerClock.value,
                                           "bytes that the packet memory moves in an engine clock",
                                           sk9843::kRamBytesPerClock.source,
                                           Range<std::uint32_t>{4, 64}};
  Param<std::uint32_t> rx_status_bytes{
      "rx_status_bytes",
      8,
      "bytes of status that go to memory with each received frame",
      {Evidence::kAssumed, "models/nic/genesis/README.md#open-numbers"},
      Range<std::uint32_t>{0, 32}};
  Param<Bytes> xmac_rx_fifo{
      "xmac_rx_fifo",
      units::KiB(8),
      "receive FIFO of the XMAC",
      {Evidence::kDatasheet, "Linux 6.1 skge.c, genesis_mac_init: 8 KB receive FIFO"},
      Range<Bytes>{units::KiB(2), units::KiB(64)}};
  Param<std::uint32_t> xmac_rx_low_words{"xmac_rx_low_words",
                                         512,
                                         "low water mark of that FIFO after reset, words",
                                         {Evidence::kAssumed,
                                          "models/nic/genesis/README.md#open-numbers: reset value "
                                          "of RX_LO_WM, which skge leaves alone"},
                                         Range<std::uint32_t>{0, 2047}};
  Param<std::uint32_t> xmac_rx_high_words{"xmac_rx_high_words",
                                          1450,
                                          "high water mark of that FIFO after reset, words",
                                          {Evidence::kAssumed,
                                           "models/nic/genesis/README.md#open-numbers: reset value "
                                           "of RX_HI_WM, which skge sets to this"},
                                          Range<std::uint32_t>{0, 2047}};
  Param<Bytes> xmac_tx_fifo{
      "xmac_tx_fifo",
      units::KiB(4),
      "transmit FIFO of the XMAC",
      {Evidence::kDatasheet, "Linux 6.1 skge.c, skge_ramset: 4 KB transmit FIFO"},
      Range<Bytes>{units::KiB(4), units::KiB(64)}};
  Param<Bytes> bmu_fifo{
      "bmu_fifo",
      units::KiB(2),
      "FIFO of a bus master unit",
      {Evidence::kAssumed,
       "models/nic/genesis/README.md#open-numbers: level field of 8 bit, quadwords"},
      Range<Bytes>{units::KiB(1), units::KiB(16)}};

  // Engines.
  Param<Frequency> engine_clock{"engine_clock", sk9843::kChipClock.value, "clock of the chip",
                                sk9843::kChipClock.source,
                                Range<Frequency>{{26'562'500}, {312'500'000}}};
  Param<std::uint32_t> tx_descriptor_clocks{
      "tx_descriptor_clocks",
      4,
      "engine clocks for a transmit descriptor",
      {Evidence::kAssumed, "models/nic/genesis/README.md#open-numbers"},
      Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> tx_packet_clocks{
      "tx_packet_clocks",
      8,
      "engine clocks for a sent packet",
      {Evidence::kAssumed, "models/nic/genesis/README.md#open-numbers"},
      Range<std::uint32_t>{1, 256}};
  Param<sc_core::sc_time> tx_latency{
      "tx_latency", sc_core::sc_time(sk9843::kLatencyNs.value, sc_core::SC_NS),
      "from the packet memory to the XMAC", sk9843::kLatencyNs.source,
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};
  Param<std::uint32_t> rx_descriptor_clocks{
      "rx_descriptor_clocks",
      4,
      "engine clocks for a receive descriptor",
      {Evidence::kAssumed, "models/nic/genesis/README.md#open-numbers"},
      Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> rx_packet_clocks{
      "rx_packet_clocks",
      8,
      "engine clocks for a received packet",
      {Evidence::kAssumed, "models/nic/genesis/README.md#open-numbers"},
      Range<std::uint32_t>{1, 256}};
  Param<sc_core::sc_time> rx_latency{
      "rx_latency", sc_core::sc_time(sk9843::kLatencyNs.value, sc_core::SC_NS),
      "from the XMAC to the packet memory", sk9843::kLatencyNs.source,
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};

  // Behaviour.
  Param<sc_core::sc_time> fiber_negotiation{
      "fiber_negotiation",
      sc_core::sc_time(30, sc_core::SC_MS),
      "time that 1000BASE-X takes to negotiate",
      {Evidence::kStandard, "IEEE 802.3, 37.3.1.4: link_timer 10 ms, passed in three states"}};
  Param<sc_core::sc_time> vpd_read_time{
      "vpd_read_time",
      sc_core::sc_time(1300, sc_core::SC_US),
      "time to read four bytes of VPD",
      {Evidence::kDatasheet, "Linux 2.6 sk98lin/skvpd.c: 1.3 to 2.6 ms for four bytes"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {20, sc_core::SC_MS}}};
  Param<sc_core::sc_time> vpd_write_time{
      "vpd_write_time",
      sc_core::sc_time(2500, sc_core::SC_US),
      "time to write four bytes of VPD",
      {Evidence::kDatasheet, "Linux 2.6 sk98lin/skvpd.c: 2.5 to 10.6 ms for four bytes"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {20, sc_core::SC_MS}}};

  auto fields() {
    return std::tie(mac, board, bus, link_partner, chip_revision, ram, ram_bytes_per_clock,
                    rx_status_bytes, xmac_rx_fifo, xmac_rx_low_words, xmac_rx_high_words,
                    xmac_tx_fifo, bmu_fifo, engine_clock, tx_descriptor_clocks, tx_packet_clocks,
                    tx_latency, rx_descriptor_clocks, rx_packet_clocks, rx_latency,
                    fiber_negotiation, vpd_read_time, vpd_write_time, dma.read_fifo_bytes,
                    target.decode_clocks, target.read_wait_clocks, mac_unit.pause_response,
                    mac_unit.hold_without_carrier);
  }

  pcix::DmaParams dma;
  pcix::TargetParams target;
  EthMacParams mac_unit;
};

}  // namespace longhaul::nic::genesis
