// SPDX-License-Identifier: Apache-2.0
// A block of one's own in Verilog, as Verilator makes it, in a SystemC program: its clock, its bus
// with the protocol's checker, and accesses from SystemC.
#include "Vapb_counter.h"  // before SystemC's headers

#include "platform/cosim/bus/apb_manager.h"
#include "platform/cosim/rtl_block.h"
#include "platform/cosim/verilated_model.h"

#include <iostream>

using namespace longhaul;
using namespace longhaul::cosim;

/// What comes back from the block.
struct Client final : RegisterClient {
  void access_done(std::uint64_t tag, BusStatus status, const std::uint8_t* data) override {
    std::cout << sc_core::sc_time_stamp() << ": access " << tag
              << (status == BusStatus::kOk ? " is done" : " failed");
    if (data != nullptr) std::cout << ": " << data[0] + 256 * data[1];
    std::cout << std::endl;
  }
};

/// Prints each rule of APB that the block breaks.
struct Rules final : CheckerSink {
  void violated(const Rule& rule, std::uint64_t ps, const std::string& signal,
                const std::string& detail) override {
    std::cout << ps << " ps: " << signal << " breaks " << rule.name << ": " << detail << std::endl;
  }
};

struct Top : sc_core::sc_module {
  explicit Top(const sc_core::sc_module_name& name) : sc_module(name) {
    block.set_model(model);
    clock = &block.add_clock({&model.pins().clk}, {{100'000'000}});
    Vapb_counter& v = model.pins();
    pins.psel = Pin(&v.psel, 0, 1);
    pins.penable = Pin(&v.penable, 0, 1);
    pins.paddr = Pin(&v.paddr, 0, 8);
    pins.pwrite = Pin(&v.pwrite, 0, 1);
    pins.pwdata = Pin(&v.pwdata, 0, 32);
    pins.prdata = Pin(&v.prdata, 0, 32);
    pins.pready = Pin(&v.pready, 0, 1);
    pins.pslverr = Pin(&v.pslverr, 0, 1);
    bus =
        std::make_unique<ApbManager>(block, *clock, pins, client, RegisterManagerParams{}, &rules);
    v.rst_n = 1;
    SC_THREAD(accesses);
  }
  void accesses() {
    const std::uint8_t value[4] = {100, 0, 0, 0};
    wait(1, sc_core::SC_US);
    bus->write(0, value, 4, 1);
    bus->read(0, 4, 2);
    wait(1, sc_core::SC_US);
    bus->read(0, 4, 3);  // a hundred clocks later
    bus->read(8, 4, 4);  // where nothing is
  }
  longhaul::cosim::VerilatedModel<Vapb_counter> model{"counter"};
  RtlBlock block{"block"};
  ClockDomain* clock = nullptr;
  ApbPins pins;
  Client client;
  Rules rules;
  std::unique_ptr<ApbManager> bus;
  SC_HAS_PROCESS(Top);
};

int sc_main(int, char*[]) {
  Top top("top");
  sc_core::sc_start(3, sc_core::SC_US);
  return 0;
}
