// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/workloads/workload.h"

namespace longhaul::host {

using MakeWorkload = Workload(const std::string& label, const WorkloadHost& host, const nlohmann::json& params,
                              const std::string& where);

MakeWorkload make_iperf_client;  ///< stream.cc: iperf 1 and 2, TCP
MakeWorkload make_iperf_server;
MakeWorkload make_netperf_stream;  ///< stream.cc: netperf's TCP_STREAM
MakeWorkload make_netserver_stream;
MakeWorkload make_ring_sender;  ///< stream.cc: GNET-1's writes from a ring in memory
MakeWorkload make_netperf_rr;   ///< request_response.cc: netperf's TCP_RR
MakeWorkload make_netserver_rr;
MakeWorkload make_smb_client;  ///< request_response.cc: a file read block by block
MakeWorkload make_smb_server;
MakeWorkload make_ping;            ///< ping.cc
MakeWorkload make_connect_client;  ///< connect.cc: connections set up one after the other
MakeWorkload make_connect_server;
MakeWorkload make_booster_relay;  ///< models/booster: a relay between two ends and its partner

}  // namespace longhaul::host
