// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "models/common/observe/probe.h"
#include "models/host/net/flow_key.h"
#include "models/host/net/offloaded_endpoint.h"

namespace longhaul::host {

/// The connections of a host that its adapters run.
class OffloadedSockets {
 public:
  explicit OffloadedSockets(observe::Level& open) : open_(open) {}

  /// Makes the end of a connection, whose ends are taken from here on.
  OffloadedEndpoint& make(Stack& stack, TcpOffload& offload, const SocketSettings& settings,
                          const tcp::Endpoints& ends) {
    auto made = std::make_unique<OffloadedEndpoint>(stack, offload, settings, ends);
    OffloadedEndpoint& end = *made;
    all_.emplace(&end, std::move(made));
    flows_.insert(outgoing_key(ends));
    open_.add(1);
    return end;
  }
  /// The connection has ended.
  void unbind(const tcp::Endpoints& ends) {
    flows_.erase(outgoing_key(ends));
    open_.add(-1);
  }
  void destroy(OffloadedEndpoint& end) { all_.erase(&end); }
  bool has(const FlowKey& flow) const { return !flows_.empty() && flows_.count(flow) != 0; }
  std::size_t size() const { return all_.size(); }

 private:
  observe::Level& open_;
  std::unordered_map<const OffloadedEndpoint*, std::unique_ptr<OffloadedEndpoint>> all_;
  std::unordered_set<FlowKey, FlowKey::Hash> flows_;
};

}  // namespace longhaul::host
