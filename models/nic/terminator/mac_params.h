// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <tuple>

#include "models/common/param.h"
#include "models/common/units.h"

namespace longhaul::nic::terminator {

/// Numbers of what lies between the Terminator and the fibre: TPI, ESPI, Elmer0, PM3393, PHY. No
/// data sheet of these parts is public, so numbers that drivers do not give are assumed.
struct MacPartParams {
  // Buses.
  Param<std::uint32_t> tpi_base_clocks{
      "tpi_base_clocks",
      8,
      "core clocks of a TPI access beside those of TPI_PAR",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<std::uint32_t>{1, 1024}};
  Param<Frequency> elmer0_clock{
      "elmer0_clock",
      units::MHz(44),
      "clock of Elmer0, which MI1_CFG.CLK_DIV divides for MDC",
      {Evidence::kDatasheet, "Linux 6.1 cxgb/subr.c, t1_board: clock_elmer0 = 44 (MHz)"},
      Range<Frequency>{units::MHz(1), units::MHz(200)}};
  Param<BitRate> spi4_rate{
      "spi4_rate",
      {11'200'000'000},
      "rate of each direction of the SPI-4.2 bus, control words included",
      {Evidence::kAssumed,
       "models/nic/terminator/README.md#open-numbers: OIF-SPI4-02.1 has 16 lanes of at least "
       "622 Mb/s; 700 Mb/s carries 10 Gb/s of Ethernet"},
      Range<BitRate>{{1'000'000'000}, {16'000'000'000}}};

  // FIFOs.
  Param<Bytes> ingress_fifo{
      "ingress_fifo",
      units::KiB(64),
      "ingress FIFO of the PM3393",
      {Evidence::kFitted,
       "models/nic/terminator/README.md#fifo-units: high limit 0x100, almost full 0xC00 in "
       "Linux 6.1 cxgb/pm3393.c"},
      Range<Bytes>{units::KiB(2), units::KiB(1024)}};
  Param<Bytes> egress_fifo{
      "egress_fifo",
      units::KiB(16),
      "egress FIFO of the PM3393",
      {Evidence::kFitted,
       "models/nic/terminator/README.md#fifo-units: high limit 0x40, almost full 0x2CC in "
       "Linux 6.1 cxgb/pm3393.c"},
      Range<Bytes>{units::KiB(2), units::KiB(1024)}};
  Param<std::uint32_t> fifo_block{
      "fifo_block",
      16,
      "bytes of a block, the unit of the PM3393's FIFO thresholds",
      {Evidence::kAssumed, "models/nic/terminator/README.md#fifo-units"},
      Range<std::uint32_t>{8, 64}};
  Param<Bytes> espi_rx_fifo{"espi_rx_fifo",
                            units::KiB(32),
                            "receive FIFO of the Terminator's ESPI",
                            {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
                            Range<Bytes>{units::KiB(2), units::KiB(1024)}};
  Param<std::uint32_t> espi_watermark_bytes{
      "espi_watermark_bytes",
      1,
      "bytes of the unit of ESPI's FIFO watermarks",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<std::uint32_t>{1, 64}};

  // PAUSE.
  Param<bool> pause_xon{"pause_xon",
                        true,
                        "PAUSE of time 0 when the ingress FIFO is almost empty",
                        {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"}};
  Param<std::uint32_t> pause_interval{
      "pause_interval",
      0x4000,
      "reset value of TXXG_PAUSE_TIMER_INTERVAL, which cxgb leaves alone: quanta",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<std::uint32_t>{1, 0xffff}};

  // Latencies, resets and links.
  Param<sc_core::sc_time> rx_latency{
      "rx_latency",
      sc_core::sc_time(300, sc_core::SC_NS),
      "from the fibre to the ingress FIFO: PHY, XAUI and PM3393",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};
  Param<sc_core::sc_time> tx_latency{
      "tx_latency",
      sc_core::sc_time(300, sc_core::SC_NS),
      "from the egress FIFO to the fibre: PM3393, XAUI and PHY",
      {Evidence::kAssumed, "models/nic/terminator/README.md#open-numbers"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};
  Param<sc_core::sc_time> pm3393_reset_hold{
      "pm3393_reset_hold",
      sc_core::sc_time(1, sc_core::SC_MS),
      "shortest reset that initialises the PM3393",
      {Evidence::kDatasheet,
       "Linux 6.1 cxgb/pm3393.c, pm3393_mac_reset: wait at least 1 ms for a complete "
       "initialisation"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_SEC}}};
  Param<sc_core::sc_time> pm3393_reset{
      "pm3393_reset",
      sc_core::sc_time(14, sc_core::SC_MS),
      "from the release of the PM3393's reset to its digital part operating",
      {Evidence::kDatasheet,
       "Linux 6.1 cxgb/pm3393.c, pm3393_mac_reset: internal timers expire after about 14 ms"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_SEC}}};
  Param<sc_core::sc_time> xaui_stable{
      "xaui_stable",
      sc_core::sc_time(200, sc_core::SC_US),
      "from there to a stable XAUI",
      {Evidence::kDatasheet,
       "Linux 6.1 cxgb/pm3393.c, pm3393_mac_reset: at least 200 us for XAUI to stabilise"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_SEC}}};
  Param<sc_core::sc_time> phy_reset{
      "phy_reset",
      sc_core::sc_time(900, sc_core::SC_MS),
      "from the release of the PHY's reset to its first answer on MDIO",
      {Evidence::kAssumed,
       "models/nic/terminator/README.md#open-numbers: cxgb waits 1 s (mv88x201x.c, my3126.c)"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {10, sc_core::SC_SEC}}};
  Param<sc_core::sc_time> xpak_reset{
      "xpak_reset",
      sc_core::sc_time(4900, sc_core::SC_MS),
      "the same of an XPAK module (T110 with fibre)",
      {Evidence::kAssumed,
       "models/nic/terminator/README.md#open-numbers: illumos chxge/com/xpak.c waits 5 s"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {20, sc_core::SC_SEC}}};
  Param<sc_core::sc_time> laser_on{
      "laser_on",
      sc_core::sc_time(100, sc_core::SC_US),
      "from GPO bit 15 to light on the fibre",
      {Evidence::kDatasheet, "Linux 6.1 cxgb/mv88x201x.c: enables the laser, delays 100 us"},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_SEC}}};

  auto fields() {
    return std::tie(tpi_base_clocks, elmer0_clock, spi4_rate, ingress_fifo, egress_fifo, fifo_block,
                    espi_rx_fifo, espi_watermark_bytes, pause_xon, pause_interval, rx_latency,
                    tx_latency, pm3393_reset_hold, pm3393_reset, xaui_stable, phy_reset, xpak_reset,
                    laser_on);
  }
};

}  // namespace longhaul::nic::terminator
