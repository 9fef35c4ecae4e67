// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/bus_sides.h"

#include <utility>

#include "platform/cosim/bus/apb_manager.h"
#include "platform/cosim/bus/axi_manager.h"
#include "platform/cosim/bus/axi_subordinate.h"
#include "platform/cosim/bus/plain_bus_manager.h"
#include "platform/cosim/bus/wishbone_manager.h"
#include "platform/cosim/bus/wishbone_target.h"

namespace longhaul::portmap {
namespace {

using cosim::AxiAddressPins;
using cosim::AxiPins;
using cosim::Pin;

AxiAddressPins address_pins(MappedBlock& block, const InterfaceEntry& interface,
                            const std::string& channel) {
  const auto pin = [&](const char* signal, Pin otherwise = {}) {
    return block.pin(interface, channel + signal, otherwise);
  };
  AxiAddressPins pins;
  pins.valid = pin("valid");
  pins.ready = pin("ready", pins.ready);
  pins.id = pin("id");
  pins.addr = pin("addr");
  pins.len = pin("len");
  pins.size = pin("size");
  pins.burst = pin("burst");
  pins.lock = pin("lock");
  pins.cache = pin("cache");
  pins.prot = pin("prot");
  pins.qos = pin("qos");
  pins.region = pin("region");
  return pins;
}

AxiPins axi_pins(MappedBlock& block, const InterfaceEntry& interface) {
  const auto pin = [&](const char* signal, Pin otherwise = {}) {
    return block.pin(interface, signal, otherwise);
  };
  AxiPins pins;
  pins.aw = address_pins(block, interface, "aw");
  pins.ar = address_pins(block, interface, "ar");
  pins.w.valid = pin("wvalid");
  pins.w.ready = pin("wready", pins.w.ready);
  pins.w.data = pin("wdata");
  pins.w.strb = pin("wstrb");
  pins.w.last = pin("wlast");
  pins.b.valid = pin("bvalid");
  pins.b.ready = pin("bready", pins.b.ready);
  pins.b.id = pin("bid");
  pins.b.resp = pin("bresp");
  pins.r.valid = pin("rvalid");
  pins.r.ready = pin("rready", pins.r.ready);
  pins.r.id = pin("rid");
  pins.r.data = pin("rdata");
  pins.r.resp = pin("rresp");
  pins.r.last = pin("rlast");
  pins.reset = block.reset_of(interface.clock);
  pins = pins.completed(interface.name + ": ");
  if (BusCoverage* const buses = block.buses())
    buses->watch(block.clock(interface.clock), interface, pins);
  return pins;
}

cosim::ApbPins apb_pins(MappedBlock& block, const InterfaceEntry& interface) {
  const auto pin = [&](const char* signal, Pin otherwise = {}) {
    return block.pin(interface, signal, otherwise);
  };
  cosim::ApbPins pins;
  pins.psel = pin("psel");
  pins.penable = pin("penable");
  pins.paddr = pin("paddr");
  pins.pwrite = pin("pwrite");
  pins.pwdata = pin("pwdata");
  pins.pstrb = pin("pstrb");
  pins.pprot = pin("pprot");
  pins.prdata = pin("prdata");
  pins.pslverr = pin("pslverr");
  pins.pready = pin("pready", pins.pready);
  pins.reset = block.reset_of(interface.clock);
  return pins;
}

cosim::WishbonePins wishbone_pins(MappedBlock& block, const InterfaceEntry& interface) {
  const auto pin = [&](const char* signal, Pin otherwise = {}) {
    return block.pin(interface, signal, otherwise);
  };
  cosim::WishbonePins pins;
  pins.cyc = pin("cyc");
  pins.stb = pin("stb");
  pins.we = pin("we");
  pins.adr = pin("adr");
  pins.write_data = pin("dat_w");
  pins.read_data = pin("dat_r");
  pins.ack = pin("ack");
  pins.err = pin("err");
  pins.rty = pin("rty");
  pins.stall = pin("stall");
  pins.cti = pin("cti");
  pins.bte = pin("bte");
  pins.sel = pin("sel", pins.sel);
  pins.reset = block.reset_of(interface.clock);
  pins.pipelined = interface.pipelined;
  pins.word_addresses = interface.word_addresses;
  return pins;
}

cosim::PcixPins pcix_pins(MappedBlock& block, const InterfaceEntry& interface) {
  const auto pin = [&](const std::string& signal) { return block.pin(interface, signal); };
  const auto shared = [&](const std::string& signal, const std::string& enable) {
    return cosim::PcixPin{pin(signal + "_ni"), pin(signal + "_no"), pin(enable)};
  };
  const auto low = [&](const std::string& signal) { return shared(signal, signal + "_oe"); };
  const auto high = [&](const std::string& signal) {
    return cosim::PcixPin{pin(signal + "_i"), pin(signal + "_o"), pin(signal + "_oe")};
  };
  cosim::PcixPins pins;
  pins.ad = high("ad");
  pins.ad64_oe = pin("ad64_oe");
  pins.cbe = low("cbe");
  pins.cbe64_oe = pin("cbe64_oe");
  pins.par = high("par");
  pins.par64 = high("par64");
  pins.frame = low("frame");
  pins.irdy = low("irdy");
  pins.trdy = shared("trdy", "target_oe");
  pins.stop = shared("stop", "target_oe");
  pins.devsel = shared("devsel", "target_oe");
  pins.req64 = low("req64");
  pins.ack64 = low("ack64");
  pins.perr = low("perr");
  pins.idsel = pin("idsel");
  pins.gnt = pin("gnt_ni");
  pins.req = pin("req_no");
  pins.reset = block.reset_of(interface.clock);
  return pins;
}

cosim::PlainBusPins plain_bus_pins(MappedBlock& block, const InterfaceEntry& interface) {
  const auto pin = [&](const char* signal) { return block.pin(interface, signal); };
  cosim::PlainBusPins pins;
  pins.select = pin("select");
  pins.write = pin("write");
  pins.address = pin("address");
  pins.write_data = pin("write_data");
  pins.read_data = pin("read_data");
  pins.acknowledge = pin("acknowledge");
  pins.byte_enable = pin("byte_enable");
  pins.error = pin("error");
  pins.reset = block.reset_of(interface.clock);
  return pins;
}

bool is_axi(const InterfaceEntry& interface) {
  return interface.kind == "axi4" || interface.kind == "axi4-lite";
}

template <class Manager, class Pins>
RegisterSide register_side(MappedBlock& block, const InterfaceEntry& interface, const Pins& pins,
                           cosim::RegisterClient& client) {
  const cosim::RegisterManagerParams params{interface.name + ".", interface.patience};
  auto made = std::make_unique<Manager>(block.rtl(), block.clock(interface.clock), pins, client,
                                        params, block.sink_of(interface));
  RegisterSide side;
  side.port = made.get();
  side.transactor = std::move(made);
  return side;
}

}  // namespace

RegisterSide make_register_side(MappedBlock& block, const InterfaceEntry& interface,
                                cosim::RegisterClient& client) {
  if (is_axi(interface)) {
    return register_side<cosim::AxiManager>(block, interface, axi_pins(block, interface), client);
  }
  if (interface.kind == "apb") {
    return register_side<cosim::ApbManager>(block, interface, apb_pins(block, interface), client);
  }
  if (interface.kind == "wishbone") {
    return register_side<cosim::WishboneManager>(block, interface, wishbone_pins(block, interface),
                                                 client);
  }
  return register_side<cosim::PlainBusManager>(block, interface, plain_bus_pins(block, interface),
                                               client);
}

std::unique_ptr<cosim::PcixHost> make_pcix_side(MappedBlock& block, const InterfaceEntry& interface,
                                                cosim::PcixAccessClient& client,
                                                cosim::BlockMemory& memory,
                                                cosim::PcixHostParams params) {
  return std::make_unique<cosim::PcixHost>(block.rtl(), block.clock(interface.clock),
                                           pcix_pins(block, interface), client, memory,
                                           std::move(params), block.sink_of(interface));
}

std::unique_ptr<cosim::Transactor> make_memory_side(MappedBlock& block,
                                                    const InterfaceEntry& interface,
                                                    const MemoryStress& stress,
                                                    cosim::BlockMemory& memory) {
  const cosim::Stalls stalls(stress.seed(), stress.stalls() * 256 / 100);
  cosim::RtlBlock& rtl = block.rtl();
  cosim::ClockDomain& clock = block.clock(interface.clock);
  if (interface.kind == "wishbone") {
    cosim::WishboneTargetParams params;
    params.prefix = interface.name + ".";
    params.requests = interface.outstanding;
    params.stalls = stalls;
    return std::make_unique<cosim::WishboneTarget>(rtl, clock, wishbone_pins(block, interface),
                                                   memory, params, block.sink_of(interface));
  }
  cosim::AxiSubordinateParams params;
  params.prefix = interface.name + ".";
  params.reads = interface.outstanding;
  params.writes = interface.outstanding;
  params.patience = interface.patience;
  params.stalls = stalls;
  params.delays = cosim::Delays(stress.seed() + 1, stress.delay());
  return std::make_unique<cosim::AxiSubordinate>(rtl, clock, axi_pins(block, interface), memory,
                                                 params, block.sink_of(interface));
}

}  // namespace longhaul::portmap
