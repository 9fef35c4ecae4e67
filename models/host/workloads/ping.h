// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <tuple>

#include "models/common/param.h"
#include "models/host/workloads/program.h"

namespace longhaul::host {

struct PingParams {
  Param<std::string> to{"to", "", {Evidence::kChosen, "whom to ask: an address"}};
  Param<sc_core::sc_time> interval{"interval",
                                   {1, sc_core::SC_SEC},
                                   {Evidence::kDatasheet, "iputils ping: -i is 1 s"},
                                   Range<sc_core::sc_time>{{1, sc_core::SC_MS}, {1000, sc_core::SC_SEC}}};
  Param<sc_core::sc_time> duration{"duration",
                                   {10, sc_core::SC_SEC},
                                   {Evidence::kChosen, "as long as requests are sent"},
                                   Range<sc_core::sc_time>{{1, sc_core::SC_US}, {100'000, sc_core::SC_SEC}}};
  Param<sc_core::sc_time> timeout{"timeout",
                                  {10, sc_core::SC_SEC},
                                  {Evidence::kDatasheet, "iputils ping: waits 10 s for an answer"},
                                  Range<sc_core::sc_time>{{1, sc_core::SC_MS}, {1000, sc_core::SC_SEC}}};
  Param<Bytes> size{"size", {56}, {Evidence::kDatasheet, "iputils ping: -s is 56"}, Range<Bytes>{{8}, {1472}}};
  auto fields() { return std::tie(to, interval, duration, timeout, size); }
};

/// Echo requests one after the other, each when the one before has been answered and the interval is over.
///
/// Reports {"sent", "received", "rtt_ms": {"min", "avg", "max"}}; round trips are absent when nothing came back.
class Ping final : public Program {
 public:
  explicit Ping(const ProgramRequest& request);

 private:
  void run() override;

  PingParams params_;
  Address to_;
};

}  // namespace longhaul::host
