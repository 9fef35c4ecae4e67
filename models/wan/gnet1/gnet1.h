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

/// The GNET-1 delay box for topology and control: four gigabit ports p0 to p3 and the registers of
/// rtl/gnet1/README.md.
///
/// It is implemented by the transaction-level twin (models/wan/gnet1) or by the Verilated RTL
/// (rtl/gnet1/box); a scenario selects one by `model: tlm` or `model: rtl`. Unless ROUTE is set
/// otherwise, frames from p0 leave at p1 and back, and the same for p2 and p3. Probes show the
/// ports' counters of lost frames and flipped bits, with the same names in both implementations:
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

  /// The present value of a port's counter, not the latched value. 0 before the simulation starts.
  /// Changes nothing.
  virtual std::uint32_t counter_now(std::size_t port, gnet1_regs::Counter counter) = 0;

 protected:
  explicit Gnet1(const sc_core::sc_module_name& name);

 private:
  std::vector<std::unique_ptr<observe::Counter>> probes_;
};

}  // namespace longhaul::wan
