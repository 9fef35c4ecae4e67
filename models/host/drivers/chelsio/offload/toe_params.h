// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tuple>

#include "models/host/drivers/chelsio/cxgb_params.h"
#include "models/host/net/net_params.h"

namespace longhaul::host::chelsio {

/// Parameters of Chelsio's drivers of the T110: cxgbtoe 2.1.1, which is cxgb, and chtoe 1.1.4.
struct ToeDriverParams : CxgbDriverParams {
  static constexpr Source kIp{Evidence::kAssumed,
                              "as IP's share of a packet: Linux 2.6.6's of "
                              "models/host/profiles/README.md#costs; the code is not public"};

  Param<bool> offload{"offload",
                      false,
                      "the chip runs TCP over IPv4; no: it is a NIC",
                      {Evidence::kChosen, "the user's: OPTERON-10G measured both"}};
  Param<std::uint32_t> control_descriptors{"control_descriptors",
                                           128,
                                           "descriptors of command queue 1, which offload uses",
                                           {Evidence::kDatasheet, "sge.c: SGE_CMDQ1_E_N"},
                                           Range<std::uint32_t>{16, 16384}};
  Param<Bytes> message_data{
      "message_data",
      {15360},
      "most data of a CPL_TX_DATA",
      {Evidence::kAssumed,
       "the maker's next driver, t3_tom: up to 16,384 B; the chip's packet memory holds two"},
      Range<Bytes>{{1024}, {15360}}};
  Param<Bytes> credit_data{"credit_data",
                           units::KiB(15),
                           "bytes that a program reads before a CPL_RX_DATA_ACK tells of them",
                           {Evidence::kAssumed, "the maker's next driver, t3_tom: rx_credit_thres"},
                           Range<Bytes>{{1}, units::MiB(1)}};
  Param<std::uint32_t> offload_open_cycles{
      "offload_open_cycles",
      4000,
      "cycles to open a connection that the chip runs",
      {Evidence::kAssumed, "as TCP's own: models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> offload_send_cycles{
      "offload_send_cycles", 815, "cycles of the socket's code for a message with data", kIp};
  Param<std::uint32_t> offload_receive_cycles{"offload_receive_cycles", 545,
                                              "cycles of the socket's code for received data", kIp};
  Param<std::uint32_t> offload_ack_cycles{"offload_ack_cycles", 545,
                                          "cycles of the socket's code for acknowledged data", kIp};

  std::uint64_t receive_buffer = 0;  ///< of every connection; 0: that of its socket
  // Of NEC-TOE's parallel engine.
  bool host_opens = false;            ///< TcpOffload::host_opens()
  bool window_moves = true;           ///< TcpOffload::window_moves()
  std::uint32_t move_cycles = 0;      ///< OffloadCosts::move
  bool credits_wait_for_data = true;  ///< of connections that the host opens

  auto fields() {
    return std::tuple_cat(
        CxgbDriverParams::fields(),
        std::tie(offload, control_descriptors, message_data, credit_data, offload_open_cycles,
                 offload_send_cycles, offload_receive_cycles, offload_ack_cycles));
  }
};

/// The parameters with the values of `json` over them. Throws ConfigError whose message starts with
/// `where` for illegal values, and for offload under a system whose socket calls are not Linux'.
ToeDriverParams toe_driver_params(const nlohmann::json& json, const NetParams& net,
                                  const std::string& where);

}  // namespace longhaul::host::chelsio
