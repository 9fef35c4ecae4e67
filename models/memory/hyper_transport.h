// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <systemc>
#include <vector>

#include "models/memory/interconnect.h"
#include "models/memory/interconnect_params.h"
#include "models/memory/link_direction.h"

namespace longhaul::memory {

/// Coherent HyperTransport between 1 to 8 nodes. A node has a link to each node whose number
/// differs in one bit: two nodes are neighbours, four form a square (as in AMD 40555, figure 1),
/// eight a cube. Requests and data share the link directions that they use. Lines to or from a
/// node's own memory use no link.
class HyperTransport final : public sc_core::sc_module, public Interconnect {
 public:
  HyperTransport(const sc_core::sc_module_name& name, const InterconnectParams& params,
                 std::uint32_t nodes, std::uint64_t line_bytes, std::size_t flows);

  std::uint64_t one_way_ps(const Crossing& crossing) const override {
    return routes_[crossing.from][crossing.home].one_way_ps;
  }
  std::uint64_t line_ps(const Crossing& crossing) const override;
  std::uint64_t wait_ps(const Crossing& crossing, std::uint64_t at_ps) const override;
  std::uint64_t quote(const Crossing& crossing, std::uint64_t at_ps) const override;
  void book(const Crossing& crossing, std::uint64_t at_ps, std::uint64_t end_ps) override;
  std::uint64_t probe_ps(const Crossing& crossing) const override {
    return routes_[crossing.from][crossing.home].probe_ps;
  }
  bool supply_writes_back() const override { return false; }  // the owner keeps the line (MOESI)

  /// The link direction from `node` to its neighbour in bit `dimension`; null if there is none.
  const LinkDirection* link(std::uint32_t node, std::uint32_t dimension) const {
    return links_[node * kDimensions + dimension].get();
  }

 private:
  static constexpr std::uint32_t kDimensions = 3;

  static constexpr std::uint32_t kMostNodes = 1U << kDimensions;

  /// Latencies between two nodes, without load.
  struct Route {
    std::uint64_t one_way_ps = 0;
    std::uint64_t probe_ps = 0;
  };
  Route route(std::uint32_t from, std::uint32_t home) const;
  /// Calls `on_link(direction, bytes a line)` for each direction of a link, on the way there and
  /// back.
  template <class OnLink>
  void each_link(const Crossing& crossing, OnLink&& on_link) const;
  std::uint64_t time_ps(std::uint64_t bytes) const;

  const std::uint64_t hop_ps_;
  const std::uint64_t probe_latency_ps_;
  const std::uint64_t request_bytes_;
  const std::uint64_t response_bytes_;
  const std::uint64_t line_bytes_;
  const std::uint64_t bytes_per_s_;
  const std::uint32_t nodes_;
  std::vector<std::unique_ptr<LinkDirection>> links_;
  std::array<std::array<Route, kMostNodes>, kMostNodes> routes_{};
};

}  // namespace longhaul::memory
