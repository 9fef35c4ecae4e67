// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/bus_sides.h"

#include <stdexcept>
#include <utility>

#include "platform/cosim/bus/axi_manager.h"
#include "platform/cosim/bus/axi_subordinate.h"

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
  return pins.completed(interface.name + ": ");
}

bool is_axi(const InterfaceEntry& interface) {
  return interface.kind == "axi4" || interface.kind == "axi4-lite";
}

template <class Made>
RegisterSide side_of(std::unique_ptr<Made> made) {
  RegisterSide side;
  side.port = made.get();
  side.transactor = std::move(made);
  return side;
}

}  // namespace

RegisterSide make_register_side(MappedBlock& block, const InterfaceEntry& interface,
                                cosim::RegisterClient& client) {
  const cosim::RegisterManagerParams params{interface.name + ".", interface.patience};
  if (is_axi(interface)) {
    return side_of(std::make_unique<cosim::AxiManager>(block.rtl(), block.clock(interface.clock),
                                                       axi_pins(block, interface), client, params,
                                                       block.sink_of(interface)));
  }
  throw std::logic_error(interface.kind + " is no kind of register interface");
}

std::unique_ptr<cosim::Transactor> make_memory_side(MappedBlock& block,
                                                    const InterfaceEntry& interface,
                                                    cosim::BlockMemory& memory) {
  if (is_axi(interface)) {
    cosim::AxiSubordinateParams params;
    params.prefix = interface.name + ".";
    params.reads = interface.outstanding;
    params.writes = interface.outstanding;
    return std::make_unique<cosim::AxiSubordinate>(block.rtl(), block.clock(interface.clock),
                                                   axi_pins(block, interface), memory, params,
                                                   block.sink_of(interface));
  }
  throw std::logic_error(interface.kind + " is no kind of memory interface");
}

}  // namespace longhaul::portmap
