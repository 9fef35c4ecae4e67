// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tuple>
#include <vector>

#include "models/common/param.h"

namespace longhaul::nic::intel {

/// The speed of the engine of a transmit or receive unit, and how many accesses it has in progress.
/// It may change while the adapter runs.
struct EngineSpeed {
  std::uint32_t descriptor_clocks;
  std::uint32_t packet_clocks;
  std::uint32_t kib_clocks;
  sc_core::sc_time latency;
  std::uint32_t ahead;  ///< most reads, or writes, in progress
};

/// The matching Params; every Intel adapter uses these names.
template <class Params>
auto tx_speed_fields(Params& p) {
  return std::tie(p.tx_descriptor_clocks, p.tx_packet_clocks, p.tx_kib_clocks, p.tx_latency,
                  p.tx_reads_ahead);
}
template <class Params>
auto rx_speed_fields(Params& p) {
  return std::tie(p.rx_descriptor_clocks, p.rx_packet_clocks, p.rx_kib_clocks, p.rx_latency,
                  p.rx_writes_ahead);
}

template <class Params>
EngineSpeed tx_speed(const Params& params) {
  return std::apply([](const auto&... param) { return EngineSpeed{param()...}; },
                    tx_speed_fields(params));
}
template <class Params>
EngineSpeed rx_speed(const Params& params) {
  return std::apply([](const auto&... param) { return EngineSpeed{param()...}; },
                    rx_speed_fields(params));
}

/// The names of both engines' parameters.
template <class Params>
std::vector<std::string> speed_names(const Params& params) {
  return std::apply([](const auto&... param) { return std::vector<std::string>{param.name...}; },
                    std::tuple_cat(tx_speed_fields(params), rx_speed_fields(params)));
}

}  // namespace longhaul::nic::intel
