// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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
  Param<bool> tahoe{"tahoe",
                    false,
                    "a fast retransmit falls back to slow start (Tahoe)",
                    {Evidence::kDatasheet, "Linux 6.1, cxgb/regs.h: TAHOE_ENABLE of TP_PARA_REG3"}};
  auto fields() { return std::tie(fin_wait2, keepalive_idle, tahoe); }
};

}  // namespace longhaul::toe
