// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "platform/cosim/gmii_rx.h"
#include "platform/cosim/gmii_tx.h"
#include "platform/cosim/rtl_model.h"
#include "platform/cosim/trace_sink.h"

namespace longhaul::cosim::regenerator {

constexpr std::size_t kPorts = 2;

/// Pins of rtl/regenerator/regenerator_top.sv, grouped by function.
struct Pins {
  BitPin clk_125m;
  BitPin arst_n;
  std::array<BitPin, kPorts> rx_clk;
  std::array<GmiiRxPins, kPorts> gmii_rx;
  std::array<GmiiTxPins, kPorts> gmii_tx;
};

/// Maps the pins to the signals of `Verilated`, Verilator's class of regenerator_top. Of a vector,
/// Verilator keeps port n in bit n of a byte or in byte n of a word.
template <class Verilated>
Pins pins_of(Verilated& model) {
  Pins pins;
  pins.clk_125m = {&model.clk_125m};
  pins.arst_n = {&model.arst_n};
  for (std::size_t n = 0; n < kPorts; ++n) {
    const auto bit = static_cast<std::uint8_t>(1U << n);
    pins.rx_clk.at(n) = {&model.rx_clk, bit};
    pins.gmii_rx.at(n) = {
        reinterpret_cast<std::uint8_t*>(&model.rxd) + n, {&model.rx_dv, bit}, {&model.rx_er, bit}};
    pins.gmii_tx.at(n) = {
        reinterpret_cast<std::uint8_t*>(&model.txd) + n, {&model.tx_en, bit}, {&model.tx_er, bit}};
  }
  return pins;
}

/// A Verilated regenerator_top and its pins.
struct Model {
  std::unique_ptr<RtlModel> rtl;
  Pins pins;
};

/// Makes a new model with all inputs low.
Model make_model();
/// Makes a new model that is compiled with tracing. It sends its signals to `sink`, which must
/// outlive the model.
Model make_traced_model(TraceSink& sink);

}  // namespace longhaul::cosim::regenerator
