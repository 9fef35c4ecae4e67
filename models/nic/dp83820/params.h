// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <tuple>

#include "models/common/param.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/eeprom_93c46.h"
#include "models/nic/blocks/kinds.h"
#include "models/nic/blocks/link_partner.h"
#include "models/pcix/dma_engine.h"
#include "models/pcix/pcix_device.h"

namespace longhaul::nic::dp83820 {

/// A board that carries a DP83820 with a fibre transceiver on its ten-bit interface.
struct BoardKind {
  const char* name;
  std::uint16_t subsystem_vendor;
  std::uint16_t subsystem_id;
};

/// PCI ID repository (pci.ids), 100b:0022.
constexpr std::array<BoardKind, 1> kBoards{{{"ga621", 0x1385, 0x621a}}};

/// Numbers of a DP83820 adapter. Numbers that neither drivers nor public descriptions of the data
/// sheet give are assumed.
struct Dp83820Params {
  // The board.
  Param<std::string> mac{"mac",
                         "",
                         "Ethernet address; empty is one by the adapter's number",
                         {Evidence::kChosen,
                          "models/nic/dp83820/README.md#does-not-model: 00:40:f4:20:00:NN by index "
                          "when empty"}};
  Param<std::string> board{"board",
                           "ga621",
                           "board and medium",
                           {Evidence::kDatasheet, "pci.ids, 100b:0022: 1385:621a, Netgear GA621"},
                           names_of(kBoards)};
  Param<std::string> link_partner{
      "link_partner",
      "alike",
      "what the far end says in negotiation",
      {Evidence::kChosen,
       "models/nic/dp83820/README.md#link: alike (advertises what this end does), no-pause, silent "
       "(never negotiates)"},
      link_partner_names()};
  Param<std::uint32_t> revision{"revision",
                                0x0103,
                                "silicon revision register",
                                {Evidence::kAssumed, "models/nic/dp83820/README.md#open-numbers"},
                                Range<std::uint32_t>{0, 0xffff}};

  // Memories.
  Param<Bytes> tx_fifo{
      "tx_fifo",
      units::KiB(8),
      "transmit data FIFO",
      {Evidence::kDatasheet, "Linux 6.1 ns83820.c: the largest packet is 8192 - FLTH - burst size"},
      Range<Bytes>{units::KiB(4), units::KiB(64)}};
  Param<Bytes> rx_fifo{"rx_fifo",
                       units::KiB(32),
                       "receive data FIFO",
                       {Evidence::kAssumed, "models/nic/dp83820/README.md#open-numbers"},
                       Range<Bytes>{units::KiB(8), units::KiB(256)}};
  Param<std::uint32_t> fifo_granule{
      "fifo_granule",
      8,
      "bytes that a frame's length in the FIFOs is rounded up to",
      {Evidence::kAssumed, "models/nic/dp83820/README.md#open-numbers: 64-bit words"},
      Range<std::uint32_t>{1, 64}};

  // Engines.
  Param<Frequency> engine_clock{
      "engine_clock",
      {66'666'667},
      "clock of the list and DMA engines",
      {Evidence::kAssumed,
       "models/nic/dp83820/README.md#open-numbers: the bus' clock, PCI at 66 MHz"},
      Range<Frequency>{{25'000'000}, {133'333'333}}};
  Param<std::uint32_t> tx_descriptor_clocks{
      "tx_descriptor_clocks",
      4,
      "engine clocks for a transmit descriptor",
      {Evidence::kAssumed, "models/nic/dp83820/README.md#open-numbers"},
      Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> tx_packet_clocks{
      "tx_packet_clocks",
      4,
      "engine clocks for a sent packet",
      {Evidence::kAssumed, "models/nic/dp83820/README.md#open-numbers"},
      Range<std::uint32_t>{1, 256}};
  Param<sc_core::sc_time> tx_latency{
      "tx_latency",
      sc_core::sc_time(500, sc_core::SC_NS),
      "from the whole frame in the FIFO to its preamble",
      {Evidence::kAssumed, "models/nic/dp83820/README.md#open-numbers"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};
  Param<std::uint32_t> rx_descriptor_clocks{
      "rx_descriptor_clocks",
      4,
      "engine clocks for a receive descriptor",
      {Evidence::kAssumed, "models/nic/dp83820/README.md#open-numbers"},
      Range<std::uint32_t>{1, 256}};
  Param<std::uint32_t> rx_packet_clocks{
      "rx_packet_clocks",
      4,
      "engine clocks for a received packet",
      {Evidence::kAssumed, "models/nic/dp83820/README.md#open-numbers"},
      Range<std::uint32_t>{1, 256}};
  Param<sc_core::sc_time> rx_latency{
      "rx_latency",
      sc_core::sc_time(500, sc_core::SC_NS),
      "from the last bit of a frame to the begin of its way to memory",
      {Evidence::kAssumed, "models/nic/dp83820/README.md#open-numbers"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};

  // Behaviour.
  Param<sc_core::sc_time> holdoff_unit{
      "holdoff_unit",
      sc_core::sc_time(100, sc_core::SC_US),
      "unit of the interrupt hold-off register",
      {Evidence::kDatasheet, "Linux 6.1 ns83820.c, ihr: time in 100 us increments"}};
  Param<sc_core::sc_time> fiber_negotiation{
      "fiber_negotiation",
      sc_core::sc_time(30, sc_core::SC_MS),
      "time that 1000BASE-X takes to negotiate",
      {Evidence::kStandard, "IEEE 802.3, 37.3.1.4: link_timer 10 ms, passed in three states"}};
  Param<sc_core::sc_time> reset_time{
      "reset_time",
      sc_core::sc_time(10, sc_core::SC_US),
      "time of a reset by CR.RST",
      {Evidence::kAssumed, "models/nic/dp83820/README.md#open-numbers"},
      Range<sc_core::sc_time>{{1, sc_core::SC_NS}, {10, sc_core::SC_MS}}};
  Param<sc_core::sc_time> self_test_time{
      "self_test_time",
      sc_core::sc_time(1, sc_core::SC_MS),
      "time of a self test, and of loading from the EEPROM",
      {Evidence::kAssumed, "models/nic/dp83820/README.md#open-numbers"},
      Range<sc_core::sc_time>{{1, sc_core::SC_NS}, {100, sc_core::SC_MS}}};

  auto fields() {
    return std::tie(mac, board, link_partner, revision, tx_fifo, rx_fifo, fifo_granule,
                    engine_clock, tx_descriptor_clocks, tx_packet_clocks, tx_latency,
                    rx_descriptor_clocks, rx_packet_clocks, rx_latency, holdoff_unit,
                    fiber_negotiation, reset_time, self_test_time, dma.read_fifo_bytes,
                    target.decode_clocks, target.read_wait_clocks, target.width_bits,
                    mac_unit.pause_response, mac_unit.hold_without_carrier, eeprom.write_cycle);
  }

  pcix::DmaParams dma;
  pcix::TargetParams target;
  EthMacParams mac_unit;
  Eeprom93c46Params eeprom;
};

}  // namespace longhaul::nic::dp83820
