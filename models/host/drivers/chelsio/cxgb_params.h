// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <tuple>

#include "models/common/param.h"

namespace longhaul::host::chelsio {

/// Parameters of Chelsio's driver cxgb 2.1.1 (README.md#cxgb).
struct CxgbDriverParams {
  Param<std::uint32_t> mtu{"mtu",
                           1500,
                           "MTU of the interface, bytes",
                           {Evidence::kStandard, "IEEE 802.3: 1500 B; larger by ifconfig"},
                           Range<std::uint32_t>{68, 9582}};
  Param<std::uint32_t> tx_descriptors{"tx_descriptors",
                                      1024,
                                      "descriptors of command queue 0",
                                      {Evidence::kDatasheet, "sge.c: SGE_CMDQ0_E_N"},
                                      Range<std::uint32_t>{64, 16384}};
  Param<std::uint32_t> rx_buffers{"rx_buffers",
                                  4096,
                                  "entries of the free list of small buffers",
                                  {Evidence::kDatasheet, "sge.c: SGE_FREEL_SIZE"},
                                  Range<std::uint32_t>{64, 16384}};
  Param<std::uint32_t> rx_jumbo_buffers{"rx_jumbo_buffers",
                                        512,
                                        "entries of the free list of 16 KiB buffers",
                                        {Evidence::kDatasheet, "sge.c: SGE_JUMBO_FREEL_SIZE"},
                                        Range<std::uint32_t>{64, 16384}};
  Param<std::uint32_t> responses{"responses",
                                 1024,
                                 "entries of the response queue",
                                 {Evidence::kDatasheet, "sge.c: SGE_RESPQ_E_N"},
                                 Range<std::uint32_t>{64, 16384}};
  Param<std::uint32_t> small_packet{"small_packet",
                                    1536,
                                    "longest packet of a small buffer, its CPL header included",
                                    {Evidence::kDatasheet, "sge.c: SGE_RX_SM_BUF_SIZE"},
                                    Range<std::uint32_t>{256, 8192}};
  Param<bool> scatter_gather{"scatter_gather",
                             true,
                             "sends packets of several pieces of memory",
                             {Evidence::kDatasheet, "cxgb2.c, init_one(): NETIF_F_SG"}};
  Param<bool> checksum_tx{"checksum_tx",
                          true,
                          "lets the chip compute checksums of sent IPv4 packets",
                          {Evidence::kDatasheet, "cxgb2.c, init_one(): NETIF_F_IP_CSUM"}};
  Param<bool> checksum_rx{"checksum_rx",
                          true,
                          "takes the chip's word on checksums of received IPv4 packets",
                          {Evidence::kDatasheet, "cxgb2.c, init_one(): RX_CSUM_ENABLED"}};
  Param<sc_core::sc_time> rx_coalesce{
      "rx_coalesce",
      {50, sc_core::SC_US},
      "least time from the end of an interrupt's work to the next interrupt",
      {Evidence::kDatasheet, "sge.c, t1_sge_create(): rx_coalesce_usecs 50"}};
  Param<bool> polling{"polling",
                      false,
                      "the driver is polled (NAPI), if the system has NAPI",
                      {Evidence::kDatasheet, "sge.c, t1_sge_create(): polling 0"}};
  Param<std::uint32_t> copybreak{"copybreak",
                                 256,
                                 "packets shorter than this, CPL header included, are copied",
                                 {Evidence::kDatasheet, "sge.c: SGE_RX_COPY_THRES"},
                                 Range<std::uint32_t>{0, 16384}};
  Param<std::uint32_t> drop_below{
      "drop_below",
      16,
      "free buffers below which packets that are not copied are dropped",
      {Evidence::kDatasheet, "sge.c: SGE_RX_DROP_THRES"},
      Range<std::uint32_t>{2, 1024}};
  Param<std::uint32_t> refill_below{"refill_below",
                                    16,
                                    "entries without buffer, more than which a list is refilled",
                                    {Evidence::kDatasheet, "sge.c: SGE_FREEL_REFILL_THRESH"},
                                    Range<std::uint32_t>{0, 1024}};
  Param<std::uint32_t> tx_stop{"tx_stop",
                               19,
                               "free descriptors below which the queue stops",
                               {Evidence::kDatasheet,
                                "sge.c, alloc_tx_resources(): a packet of MAX_SKB_FRAGS (18 with "
                                "pages of 4 KiB) and its head"},
                               Range<std::uint32_t>{1, 1024}};
  Param<sc_core::sc_time> reclaim_period{
      "reclaim_period",
      {250, sc_core::SC_MS},
      "period of the timer that reclaims sent packets",
      {Evidence::kDatasheet, "sge.c: TX_RECLAIM_PERIOD, HZ / 4"}};
  Param<bool> flow_control{
      "flow_control",
      true,
      "obeys and sends PAUSE frames",
      {Evidence::kDatasheet, "subr.c, init_link_config(): PAUSE_RX and PAUSE_TX are requested"}};

  auto fields() {
    return std::tie(mtu, tx_descriptors, rx_buffers, rx_jumbo_buffers, responses, small_packet,
                    scatter_gather, checksum_tx, checksum_rx, rx_coalesce, polling, copybreak,
                    drop_below, refill_below, tx_stop, reclaim_period, flow_control);
  }
};

/// Throws ConfigError if a mark of a ring is not less than the ring's entries.
void check_rings(const CxgbDriverParams& params, const std::string& where);

/// The parameters with the values of `json` over them. Throws ConfigError whose message starts with
/// `where` for illegal values.
CxgbDriverParams cxgb_driver_params(const nlohmann::json& json, const std::string& where);

}  // namespace longhaul::host::chelsio
