// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "models/host/workloads/workload.h"

namespace longhaul::booster {

/// Configuration of a relay: its interfaces to ends and partner, and the limits of its connections.
struct RelayParams : host::WorkloadParams {
  Param<std::uint32_t> edge{"edge",
                            0,
                            "number of the interface towards the ends",
                            {Evidence::kChosen, "the user's: interface towards the ends"},
                            Range<std::uint32_t>{0, 15}};
  Param<std::uint32_t> line{"line",
                            1,
                            "number of the interface towards the partner",
                            {Evidence::kChosen, "the user's: interface towards the partner"},
                            Range<std::uint32_t>{0, 15}};
  Param<std::string> partner{
      "partner",
      "10.11.0.2",
      "address of the other relay on the line",
      {Evidence::kChosen, "the user's: the other relay's address on the line"}};
  Param<std::uint32_t> port{"port",
                            5400,
                            "TCP port on which relays call each other",
                            {Evidence::kChosen, "where relays call each other"},
                            Range<std::uint32_t>{1, 65535}};
  Param<std::uint32_t> connections{
      "connections",
      1,
      "TCP connections on the line to the partner",
      {Evidence::kMeasured, "BOOSTER, section 3: TCP2 is one connection"},
      Range<std::uint32_t>{1, 64}};
  Param<Bytes> window{
      "window",
      {3'300'000},
      "send window of each connection on the line",
      {Evidence::kMeasured, "BOOSTER, section 4.3: send window of 3.3 MB; each connection's"},
      Range<Bytes>{{4096}, {1ULL << 30U}}};
  Param<Bytes> receive_window{
      "receive_window",
      {0},
      "receive window of each connection on the line; 0B is twice the send window",
      {Evidence::kChosen, "of each connection on the line; 0B: twice the send window"},
      Range<Bytes>{{0}, {1ULL << 30U}}};
  Param<Bytes> edge_buffer{
      "edge_buffer",
      units::MiB(1),
      "socket buffer of an end's connection, each way",
      {Evidence::kAssumed,
       "models/booster/README.md#open-numbers: each way, of an end's connection"},
      Range<Bytes>{{4096}, {1ULL << 30U}}};
  Param<Bytes> chunk{
      "chunk",
      units::KiB(64),
      "most bytes of a stream that stay on one connection of several",
      {Evidence::kChosen, "most bytes of a stream that stay on one connection of several"},
      Range<Bytes>{{1024}, units::MiB(16)}};
  Param<std::uint32_t> most_flows{
      "most_flows",
      65536,
      "connections that are relayed at once; others pass untouched",
      {Evidence::kChosen, "connections watched at once; others pass untouched"},
      Range<std::uint32_t>{1, 1U << 20U}};

  auto fields() {
    return std::tuple_cat(WorkloadParams::fields(),
                          std::tie(edge, line, partner, port, connections, window, receive_window,
                                   edge_buffer, chunk, most_flows));
  }
};

}  // namespace longhaul::booster
