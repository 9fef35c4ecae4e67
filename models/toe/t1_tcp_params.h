// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "models/common/param.h"
#include "models/tcp/params.h"

namespace longhaul::toe {

/// The TCP of Chelsio's Terminator T1, as its initialisation for offload sets it (illumos,
/// chxge/com/tp.c; README.md#tcp-of-the-t1).
tcp::TcpParams t1_tcp_params();

/// Parts of the T1's TCP that TcpParams has no place for.
struct T1Params {
  using Time = sc_core::sc_time;
  Param<Time> fin_wait2{"fin_wait2",
                        Time(60, sc_core::SC_SEC),
                        "time in FIN-WAIT-2 without a segment that ends the connection; 0s is none",
                        {Evidence::kDatasheet, "illumos, chxge/com/tp.c: TP_FINWAIT2_TIME"}};
  Param<Time> keepalive_idle{"keepalive_idle",
                             Time(7200, sc_core::SC_SEC),
                             "idle time before keepalive of connections that ask for it",
                             {Evidence::kDatasheet, "illumos, chxge/com/tp.c: TP_KEEP_IDLE"}};
  Param<std::string> on_loss{
      "on_loss",
      "reno",
      "duplicate ACKs: fast recovery, slow start, or all sent again without reduction",
      {Evidence::kDatasheet,
       "Linux 6.1, cxgb/regs.h: TP_PARA_REG3 has TAHOE_ENABLE, so Reno without it"},
      {"reno", "tahoe", "none"}};
  auto fields() { return std::tie(fin_wait2, keepalive_idle, on_loss); }
};

}  // namespace longhaul::toe
