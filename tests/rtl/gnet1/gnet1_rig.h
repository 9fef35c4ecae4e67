// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/common/payload.h"
#include "models/net/link/link.h"
#include "models/wan/gnet1/gnet1_regs.h"
#include "rtl/gnet1/box/gnet1_rtl.h"
#include "tests/unit/support/ethernet.h"

namespace longhaul::test {

/// A gigabit link without length.
inline LinkParams gigabit_link() {
  LinkParams params;
  params.phy.value = "1000base-x";
  params.length_m.value = 0;
  return params;
}

/// Reads and writes registers from a thread: `program` runs from the simulation's begin.
class RegisterMaster final : public sc_core::sc_module {
 public:
  explicit RegisterMaster(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(RegisterMaster);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<RegisterMaster> socket{"socket"};
  std::function<void()> program;

  void write(std::uint32_t offset, std::uint32_t value) {
    access(tlm::TLM_WRITE_COMMAND, offset, value);
  }
  std::uint32_t read(std::uint32_t offset) {
    std::uint32_t value = 0;
    access(tlm::TLM_READ_COMMAND, offset, value);
    return value;
  }
  /// A counter of a port, latched with all others.
  std::uint32_t counter(std::size_t port, wan::gnet1_regs::Counter which) {
    write(wan::gnet1_regs::kCtrl, read(wan::gnet1_regs::kCtrl) | wan::gnet1_regs::kCtrlLatch);
    return read(wan::gnet1_regs::port_base(port) + wan::gnet1_regs::counter_offset(which));
  }

 private:
  void run() {
    if (program) program();
  }
  void access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value) {
    tlm::tlm_generic_payload payload;
    set_access(payload, command, offset, &value, sizeof value);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload, delay);
    if (!payload.is_response_ok()) throw std::runtime_error(payload.get_response_string());
  }
};

/// The RTL box with a host at each port.
struct Gnet1Rig {
  explicit Gnet1Rig(wan::Gnet1Params params = {}) : box("box", std::move(params)) {
    for (std::size_t i = 0; i < wan::Gnet1::kPorts; ++i) {
      hosts[i] = std::make_unique<Station>(("h" + std::to_string(i)).c_str());
      hosts[i]->mac.set_accept_bad_fcs(true);
      links[i] = std::make_unique<Link>(("l" + std::to_string(i)).c_str(), gigabit_link());
      links[i]->connect(hosts[i]->port(), box.port(i));
    }
    master.socket.bind(*box.control());
  }

  cosim::Gnet1Rtl box;
  std::array<std::unique_ptr<Station>, wan::Gnet1::kPorts> hosts;
  std::array<std::unique_ptr<Link>, wan::Gnet1::kPorts> links;
  RegisterMaster master{"master"};
  At at{"at"};
};

}  // namespace longhaul::test
