// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "platform/cosim/gmii_rx.h"
#include "platform/cosim/gmii_tx.h"
#include "platform/cosim/register_bus.h"
#include "platform/cosim/zbt_sram.h"

namespace longhaul::cosim {

/// Pins of rtl/gnet1/gnet1_top.sv, grouped by function.
struct Gnet1Pins {
  static constexpr std::size_t kPorts = 4;
  static constexpr std::uint32_t kSramAddressBits = 22;
  static constexpr std::uint32_t kSramDataBits = 36;

  BitPin clk_31m25;
  BitPin clk_62m5;
  BitPin clk_125m;
  BitPin arst_n;
  std::array<BitPin, kPorts> rx_clk;
  std::array<GmiiRxPins, kPorts> gmii_rx;
  std::array<GmiiTxPins, kPorts> gmii_tx;
  std::array<ZbtSramPins, kPorts> sram;
  RegisterBusPins bus;
  BitPin gps_pps;
};

/// Maps the pins to the signals of `Model`, Verilator's class of gnet1_top. Of a vector of four,
/// Verilator keeps port n in bit n of a byte or byte n of a word. In an array of words, port n is
/// at n times the width.
template <class Model>
Gnet1Pins gnet1_pins(Model& model) {
  Gnet1Pins pins;
  pins.clk_31m25 = {&model.clk_31m25};
  pins.clk_62m5 = {&model.clk_62m5};
  pins.clk_125m = {&model.clk_125m};
  pins.arst_n = {&model.arst_n};
  for (std::uint32_t n = 0; n < Gnet1Pins::kPorts; ++n) {
    const auto bit = static_cast<std::uint8_t>(1U << n);
    const std::uint32_t address = n * Gnet1Pins::kSramAddressBits;
    const std::uint32_t data = n * Gnet1Pins::kSramDataBits;
    pins.rx_clk[n] = {&model.rx_clk, bit};
    pins.gmii_rx[n] = {
        reinterpret_cast<std::uint8_t*>(&model.rxd) + n, {&model.rx_dv, bit}, {&model.rx_er, bit}};
    pins.gmii_tx[n] = {
        reinterpret_cast<std::uint8_t*>(&model.txd) + n, {&model.tx_en, bit}, {&model.tx_er, bit}};
    pins.sram[n] = {Pin(model.sram_addr.data(), address, Gnet1Pins::kSramAddressBits),
                    Pin(&model.sram_re, n, 1), Pin(&model.sram_we, n, 1),
                    Pin(model.sram_wdata.data(), data, Gnet1Pins::kSramDataBits),
                    Pin(model.sram_rdata.data(), data, Gnet1Pins::kSramDataBits)};
  }
  pins.bus = {{&model.bus_sel},         {&model.bus_write},       WordPin(model.bus_addr),
              WordPin(model.bus_wdata), WordPin(model.bus_rdata), {&model.bus_ack}};
  pins.gps_pps = {&model.gps_pps};
  return pins;
}

}  // namespace longhaul::cosim
