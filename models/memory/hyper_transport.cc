// SPDX-License-Identifier: Apache-2.0
#include "models/memory/hyper_transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/common/wide_math.h"

namespace longhaul::memory {

HyperTransport::HyperTransport(const sc_core::sc_module_name& name,
                               const InterconnectParams& params, std::uint32_t nodes,
                               std::uint64_t line_bytes, std::size_t flows)
    : sc_module(name),
      hop_ps_(to_ps(params.hop_latency())),
      probe_latency_ps_(to_ps(params.probe_latency())),
      request_bytes_(params.request_bytes().count),
      response_bytes_(params.response_bytes().count),
      line_bytes_(line_bytes),
      bytes_per_s_(static_cast<std::uint64_t>(std::llround(
          static_cast<double>(params.link_rate().bits_per_s) / 8 * params.link_efficiency()))),
      nodes_(nodes),
      links_(std::size_t{nodes} * kDimensions) {
  for (std::uint32_t from = 0; from < nodes; ++from) {
    for (std::uint32_t home = 0; home < nodes; ++home) routes_[from][home] = route(from, home);
  }
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (std::uint32_t dimension = 0; dimension < kDimensions; ++dimension) {
      const std::uint32_t other = node ^ (1U << dimension);
      if (other >= nodes) continue;
      links_[node * kDimensions + dimension] =
          std::make_unique<LinkDirection>(fmt::format("from{}to{}", node, other).c_str(), flows);
    }
  }
}

HyperTransport::Route HyperTransport::route(std::uint32_t from, std::uint32_t home) const {
  const auto distance = [](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(__builtin_popcount(a ^ b));
  };
  std::uint32_t furthest = 0;
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    if (node != from)
      furthest =
          std::max(furthest, distance(from, home) + distance(home, node) + distance(node, from));
  }
  return {distance(from, home) * hop_ps_, nodes_ == 1 ? 0 : probe_latency_ps_ + furthest * hop_ps_};
}

template <class OnLink>
void HyperTransport::each_link(const Crossing& crossing, OnLink&& on_link) const {
  const std::uint64_t out = request_bytes_ + (crossing.write ? line_bytes_ : 0);
  const std::uint64_t back = response_bytes_ + (crossing.write ? 0 : line_bytes_);
  std::uint32_t node = crossing.from;
  // Clears bits first, then sets bits. So no node on the way has a higher number than both ends
  // have.
  for (const bool set : {false, true}) {
    for (std::uint32_t dimension = 0; dimension < kDimensions; ++dimension) {
      const std::uint32_t bit = 1U << dimension;
      if (((crossing.from ^ crossing.home) & bit) == 0 || ((crossing.home & bit) != 0) != set)
        continue;
      on_link(*links_[node * kDimensions + dimension], out);
      on_link(*links_[(node ^ bit) * kDimensions + dimension], back);
      node ^= bit;
    }
  }
}

std::uint64_t HyperTransport::time_ps(std::uint64_t bytes) const {
  return times_over(bytes, 1'000'000'000'000ULL, 0, bytes_per_s_);
}

std::uint64_t HyperTransport::line_ps(const Crossing& crossing) const {
  if (crossing.from == crossing.home) return 0;
  // Cut through: counted once, whatever the number of hops.
  return time_ps(line_bytes_ + (crossing.write ? request_bytes_ : response_bytes_));
}

std::uint64_t HyperTransport::wait_ps(const Crossing& crossing, std::uint64_t at_ps) const {
  std::uint64_t sum = 0;
  if (crossing.from == crossing.home) return sum;
  each_link(crossing, [&](const LinkDirection& link, std::uint64_t bytes) {
    sum += link.wait_ps(crossing.flow, at_ps, time_ps(bytes));
  });
  return sum;
}

std::uint64_t HyperTransport::quote(const Crossing& crossing, std::uint64_t at_ps) const {
  std::uint64_t end_ps = at_ps;
  if (crossing.from == crossing.home) return end_ps;
  each_link(crossing, [&](const LinkDirection& link, std::uint64_t bytes) {
    end_ps = std::max(end_ps, link.quote(crossing.flow, at_ps, time_ps(crossing.lines * bytes)));
  });
  return end_ps;
}

void HyperTransport::book(const Crossing& crossing, std::uint64_t at_ps, std::uint64_t end_ps) {
  if (crossing.from == crossing.home) return;
  each_link(crossing, [&](LinkDirection& link, std::uint64_t bytes) {
    link.book(crossing.flow, at_ps, end_ps, time_ps(crossing.lines * bytes), crossing.lines * bytes,
              crossing.write);
  });
}

}  // namespace longhaul::memory
