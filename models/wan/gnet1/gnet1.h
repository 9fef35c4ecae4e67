// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/net/eth.h"
#include "models/wan/gnet1/gnet1_regs.h"
#include "models/wan/wan_box.h"

namespace longhaul::wan {

/// The GNET-1 delay box as topology and control see it: four gigabit ports p0 to p3 and the
/// registers of rtl/gnet1/README.md. Its inside is the transaction-level twin (models/wan/gnet1) or
/// the Verilated RTL (rtl/gnet1/box); a scenario says `model: tlm` or `model: rtl`. Unless
/// ROUTE says otherwise, what arrives at p0 leaves at p1 and back, and p2 and p3 likewise. What its
/// ports' counters have of lost frames and flipped bits are probes, alike for both insides:
/// `red_drop_p0` and so on.
class Gnet1 : public sc_core::sc_module, public WanBox {
 public:
  static constexpr std::size_t kPorts = 4;

  std::vector<NamedPort> ports() final {
    std::vector<NamedPort> all;
    for (std::size_t i = 0; i < kPorts; ++i) all.push_back({"p" + std::to_string(i), &port(i)});
    return all;
  }
  virtual EthPort& port(std::size_t index) = 0;

  /// A counter of a port as the box has it now, not as it was latched last; 0 before the simulation
  /// starts. Changes nothing.
  virtual std::uint32_t counter_now(std::size_t port, gnet1_regs::Counter counter) = 0;

 protected:
  explicit Gnet1(const sc_core::sc_module_name& name);

 private:
  std::vector<std::unique_ptr<observe::Counter>> probes_;
};

}  // namespace longhaul::wan
