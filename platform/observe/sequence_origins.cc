// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/sequence_origins.h"

namespace longhaul::observe {

SequenceOrigins::~SequenceOrigins() {
  for (FrameTap* tap : taps_) tap->ignore(this);
}

void SequenceOrigins::watch(FrameTap& sent) {
  taps_.push_back(&sent);
  sent.listen(this);
}

std::optional<std::uint32_t> SequenceOrigins::of(const FlowKey& flow) const {
  const auto found = origins_.find(flow);
  return found == origins_.end() ? std::nullopt : std::optional(found->second);
}

void SequenceOrigins::on_frame(const sc_core::sc_time& /*at*/, const FrameRef& frame,
                               FrameFate fate, const char* /*why*/) {
  if (fate != FrameFate::kSent) return;
  const std::optional<TransportHeader> header = transport_header(*frame);
  if (!header || header->protocol != TransportHeader::Protocol::kTcp || header->later_fragment)
    return;
  if ((header->flags & TransportHeader::kSyn) == 0) return;
  if (origins_.insert_or_assign(header->flow, header->sequence).second)
    in_order_.push_back(header->flow);
  if (in_order_.size() <= most_flows_) return;
  origins_.erase(in_order_.front());
  in_order_.pop_front();
}

}  // namespace longhaul::observe
