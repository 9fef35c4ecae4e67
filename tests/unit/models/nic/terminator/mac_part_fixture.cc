// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/models/nic/terminator/mac_part_fixture.h"

namespace longhaul::nic::terminator::testing {
namespace {

struct Write {
  std::uint32_t number;
  std::uint32_t value;
};

// Writes of pm3393_mac_create before and after PL4IO's sixteen lanes.
constexpr Write kFirst[] = {{0x0001, 0x8000}, {0x0001, 0x0000}, {0x2308, 0x9800}, {0x2305, 0x1001}};
constexpr Write kRest[] = {{0x230d, 0x9c00},
                           {0x2304, 0x0202},
                           // Egress FIFO.
                           {0x3200, 0x8080},
                           {0x3210, 0x0000},
                           {0x3203, 0x0000},
                           {0x3204, 0x0040},
                           {0x3205, 0x02cc},
                           {0x3206, 0x0199},
                           {0x3207, 0x0240},
                           {0x3202, 0x0000},
                           {0x3210, 0x0001},
                           {0x3208, 0xffff},
                           {0x320a, 0xffff},
                           {0x320c, 0xffff},
                           {0x320e, 0xffff},
                           // Ingress FIFO.
                           {0x2200, 0xc000},
                           {0x2201, 0x0000},
                           {0x220e, 0x0000},
                           {0x220f, 0x0100},
                           {0x2210, 0x0c00},
                           {0x2211, 0x0599},
                           {0x220d, 0x0000},
                           {0x2201, 0x0001},
                           {0x2203, 0xffff},
                           {0x2205, 0xffff},
                           {0x2209, 0xffff},
                           // SPI-4.2.
                           {0x2241, 0xffff'fffe},
                           {0x2242, 0xffff},
                           {0x2243, 0x0008},
                           {0x2244, 0x0008},
                           {0x2245, 0x0008},
                           {0x2240, 0x0005},
                           {0x2280, 0x2103},
                           {0x2284, 0x0000},
                           {0x3280, 0x0087},
                           {0x3282, 0x001f},
                           // MACs, broadcast in filter 0.
                           {0x3040, 0x0c32},
                           {0x304d, 0x8000},
                           {0x2040, 0x059c},
                           {0x2049, 0x0001},
                           {0x2070, 0x0000},
                           {0x206e, 0x0000},
                           {0x204a, 0xffff},
                           {0x204b, 0xffff},
                           {0x204c, 0xffff},
                           {0x206e, 0x0009},
                           {0x0003, 0x0000},
                           {0x0100, 0x0ff0},
                           {0x0101, 0x0f0f}};

constexpr std::uint32_t kRxConfig = 0x0400 | 0x14 | 0x0080 | 0x0008;      // RXXG_CONF1_VAL
constexpr std::uint32_t kTxConfig = 12U << 7 | 0x0020 | 0x0010 | 0x0002;  // TXXG_CONF1_VAL
constexpr std::uint32_t kBothPauses = 0x0008 | 0x0004;

}  // namespace

void MacPartFixture::espi_init() {
  bank.write(0x8ac, 0);
  bank.write(0x8a8, 0x80'0100);
  for (std::uint32_t token = 0x880; token <= 0x88c; token += 4) bank.write(token, 0x1f4);
  bank.write(0x890, 0x100);
  bank.write(0x894, 0x4000);
  bank.write(0x898, 3);
  bank.write(0x8ac, 0x0800'0008);
  bank.write(0x89c, 0x101);
  bank.write(0x8a0, 1);
}

void MacPartFixture::board_init() {
  bank.write(kTpiPar, 0xf);
  tpi_write(kElmerGpo, board_ == Board::kN110 ? 0x800 : 0x1800);
  if (board_ != Board::kN110 && (tpi_read(kElmerGpiStat) & 0x20U) == 0)
    tpi_write(kElmerGpo, tpi_read(kElmerGpo) | 1U << 18);
  const std::uint32_t divider = 44 / 2 - 1;
  const std::uint32_t invert = board_ == Board::kN110 ? 0 : 3;
  tpi_write(kMi1Cfg, 4 | invert | divider << 5);
}

void MacPartFixture::phy_reset() {
  const std::uint32_t value = tpi_read(kElmerGpo) & ~4U;
  tpi_write(kElmerGpo, value);
  run(100 * kMs);
  tpi_write(kElmerGpo, value | 4U);
  run((board_ == Board::kT110Fibre ? 5000 : 1000) * kMs);
  tpi_write(kElmerGpo, tpi_read(kElmerGpo) | 0x8000U);
  run(100 * kUs);
}

bool MacPartFixture::mac_reset() {
  std::uint32_t value = tpi_read(kElmerGpo) & ~1U;
  tpi_write(kElmerGpo, value);
  run(4 * kMs);
  value |= 1U;
  tpi_write(kElmerGpo, value);
  run(16 * kMs);
  const std::uint32_t status = pm_read(0x0004);
  return (status & 0x40U) != 0 && (status & 0x17U) == 0 && (status & 0x200U) != 0;
}

void MacPartFixture::phy_create() {
  if (board_ != Board::kN110) return;
  mdio_write(3, 0x8300, mdio_read(3, 0x8300) | 1U);
  mdio_read(1, 8);
  mdio_read(3, 8);
  mdio_write(3, 0x8304, 0xdddd);
}

void MacPartFixture::mac_create() {
  for (const Write& write : kFirst) pm_write(write.number, write.value);
  for (std::uint32_t lane = 0x2320; lane <= 0x232f; ++lane) pm_write(lane, 0x8800);
  for (const Write& write : kRest) pm_write(write.number, write.value);
}

void MacPartFixture::enable(bool on) {
  pm_write(0x2040, kRxConfig | (on ? 0x8000U : 0U));
  pm_write(0x3040, kTxConfig | (on ? 0x8000U | kBothPauses : 0U));
  if (!on) run(20 * kUs);
}

void MacPartFixture::set_mtu(std::uint32_t mtu) {
  enable(false);
  pm_write(0x2045, mtu + 18);
  pm_write(0x3045, mtu + 18);
  enable();
}

void MacPartFixture::set_address(const MacAddress& address) {
  std::array<std::uint32_t, 3> halves{};
  for (std::size_t i = 0; i < 3; ++i)
    halves.at(i) = address.at(2 * i) | std::uint32_t{address.at(2 * i + 1)} << 8U;
  for (std::uint32_t i = 0; i < 3; ++i) pm_write(0x2046 + i, halves.at(i));
  for (std::uint32_t i = 0; i < 3; ++i) pm_write(0x3047 + i, halves.at(i));
  std::uint32_t control = pm_read(0x206e) & 0xff0fU;
  pm_write(0x206e, control);
  for (std::uint32_t i = 0; i < 3; ++i) pm_write(0x204d + i, halves.at(i));
  pm_write(0x206e, control | 0x0090U);
}

std::uint32_t MacPartFixture::ether_crc(const MacAddress& address) {
  std::uint32_t crc = ~0U;
  for (const std::uint8_t byte : address) {
    for (std::uint32_t bit = 0; bit < 8; ++bit) {
      const bool differs = ((crc >> 31U) ^ (byte >> bit & 1U)) != 0;
      crc = crc << 1U ^ (differs ? 0x04c1'1db7U : 0U);
    }
  }
  return crc;
}

void MacPartFixture::set_rx_mode(bool promiscuous, bool all_multicast,
                                 const std::vector<MacAddress>& groups) {
  std::uint32_t mode = pm_read(0x2070) & ~3U;
  pm_write(0x2070, mode);
  if (promiscuous) mode |= 2U;
  if (all_multicast || !groups.empty()) {
    std::array<std::uint32_t, 4> table{};
    if (all_multicast) table.fill(0xffff);
    for (const MacAddress& group : groups) {
      const std::uint32_t bit = ether_crc(group) >> 23U & 0x3fU;
      table.at(bit >> 4U) |= 1U << (bit & 0xfU);
    }
    for (std::uint32_t i = 0; i < 4; ++i) pm_write(0x206a + i, table.at(i));
    mode |= 1U;
  }
  pm_write(0x2070, mode);
}

void MacPartFixture::mac_interrupt_enable() {
  for (const std::uint32_t number : {0x0102, 0x2088, 0x208b, 0x20c7}) pm_write(number, 0xffff);
  for (std::uint32_t number = 0x2105; number <= 0x2108; ++number) pm_write(number, 0);
  for (const std::uint32_t number :
       {0x2209, 0x2282, 0x3085, 0x30c6, 0x2042, 0x2302, 0x3042, 0x3282, 0x320c})
    pm_write(number, 0xffff);
  pm_write(0x000e, 0);
}

void MacPartFixture::mac_interrupt_clear() {
  for (const std::uint32_t number : {0x0104, 0x2089, 0x208c, 0x20c8, 0x2283, 0x3084, 0x220a, 0x30c7,
                                     0x2043, 0x3043, 0x3283, 0x320d, 0x2300, 0x2301, 0x000d})
    pm_read(number);
  tpi_write(kElmerIntCause, tpi_read(kElmerIntCause) | 2U);
}

void MacPartFixture::phy_interrupt_enable() {
  mdio_write(1, 0x9002, 1);
  tpi_write(kElmerIntEnable, tpi_read(kElmerIntEnable) | 0x40U);
}

void MacPartFixture::phy_interrupt_clear() {
  for (const std::uint32_t reg : {0x9003, 0x9004, 0x9005, 1, 1, 0x9005, 0x9003, 0x9004})
    mdio_read(1, reg);
  tpi_write(kElmerIntCause, tpi_read(kElmerIntCause) | 0x40U);
}

void MacPartFixture::up() {
  board_init();
  phy_reset();
  mac_reset();
  phy_create();
  mac_create();
  mac_interrupt_clear();
  espi_init();
  mac_interrupt_enable();
  set_address(kMe);
  set_rx_mode(false, false, {});
  pm_write(0x2100, 2);
  run(2 * kUs);
  enable();
  run(kUs);
}

std::uint64_t MacPartFixture::snapped(std::uint32_t number) {
  const std::uint32_t first = 0x2110 + 4 * number;
  const std::uint64_t low = pm_read(first) & 0xffffU;
  const std::uint64_t middle = pm_read(first + 1) & 0xffffU;
  const std::uint64_t high = pm_read(first + 2) & 0xffU;
  return high << 32U | middle << 16U | low;
}

std::uint64_t MacPartFixture::counter(std::uint32_t number) {
  pm_write(0x2100, 1);
  return snapped(number);
}

std::uint64_t MacPartFixture::rollovers() {
  std::uint64_t bits = 0;
  for (std::uint32_t word = 0; word < 4; ++word)
    bits |= std::uint64_t{pm_read(0x2101 + word) & 0xffffU} << 16U * word;
  return bits;
}

}  // namespace longhaul::nic::terminator::testing
