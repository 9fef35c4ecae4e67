// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tuple>

#include "models/host/drivers/chelsio/offload/toe_params.h"

namespace longhaul::host::nec {

/// Parameters of a driver of NEC-TOE's adapters. Those of the Terminator's core are the T110
/// driver's; no driver of these adapters is public.
struct NecDriverParams : chelsio::ToeDriverParams {
  NecDriverParams();

  Param<Bytes> connection_buffer{"receive_buffer",
                                 units::KiB(64),
                                 "receive buffer of a connection that the adapter runs",
                                 {Evidence::kMeasured, "NEC-TOE: parallel 64 KB"},
                                 Range<Bytes>{{1460}, units::KiB(64)}};
  Param<std::uint32_t> least_mss{
      "least_mss",
      512,
      "MSS of the interface, bytes, below which the adapter runs no connections",
      {Evidence::kMeasured, "NEC-TOE: below an MSS of 512 B the offload is off, by specification"},
      Range<std::uint32_t>{0, 1460}};

  Param<bool> keeps_errors{
      "host_keeps_errors",
      true,
      "the host opens, closes and repairs connections; no: the adapter runs all of TCP",
      {Evidence::kAssumed,
       "the slides do not say; an adapter of the time with three processors works so (US "
       "6,226,680)"}};
  Param<std::uint32_t> handover_cycles{
      "handover_cycles",
      4000,
      "cycles of the driver for a connection that goes to the adapter, or comes back",
      {Evidence::kAssumed, "as for opening one: offload_open_cycles"},
      Range<std::uint32_t>{0, 1'000'000}};
  Param<bool> handover_window{
      "handover_window",
      true,
      "the congestion window goes with a connection. no: host and adapter have one each",
      {Evidence::kAssumed, "a context with all that TCP continues with; the slides do not say"}};
  Param<bool> credits_wait{
      "credits_wait",
      true,
      "with host_keeps_errors: the adapter reads credits of received data behind data to send",
      {Evidence::kAssumed, "one queue keeps the order of a connection's messages and its moves"}};

  /// Whether the adapter runs connections with these parameters.
  bool offloads() const;
  auto fields() {
    return std::tuple_cat(chelsio::ToeDriverParams::fields(),
                          std::tie(connection_buffer, least_mss, keeps_errors, handover_cycles,
                                   handover_window, credits_wait));
  }
};

/// Defaults for the parallel engine.
inline NecDriverParams parallel_driver() { return {}; }
/// Defaults for the pipeline engine.
NecDriverParams pipeline_driver();

/// `params` with the values of `json` over them. Throws ConfigError whose message starts with
/// `where` for illegal values, and for offload under a system whose socket calls have no offloaded
/// form (FreeBSD's).
NecDriverParams nec_driver_params(NecDriverParams params, const nlohmann::json& json,
                                  const NetParams& net, const std::string& where);

}  // namespace longhaul::host::nec
