// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/loss_book.h"

#include <algorithm>

#include "models/net/frame/frame.h"

namespace longhaul::observe {
namespace {

bool has_sequence(const TransportHeader& header) {
  return header.protocol == TransportHeader::Protocol::kTcp && !header.later_fragment &&
         sequence_length(header) > 0;
}

}  // namespace

LossBook::LossBook(LossWatch& watch, std::size_t most_losses)
    : watch_(watch), most_losses_(most_losses) {
  watch_.listen(this);
}

LossBook::~LossBook() { watch_.ignore(this); }

std::uint64_t LossBook::unwrap(const Flow& flow, std::uint32_t sequence) {
  const auto ahead =
      static_cast<std::int32_t>(sequence - static_cast<std::uint32_t>(flow.furthest));
  return flow.furthest + static_cast<std::uint64_t>(std::int64_t{ahead});
}

void LossBook::on_loss(const Loss& loss) {
  const std::optional<TransportHeader> header = transport_header(*loss.frame);
  if (!header || !has_sequence(*header)) return;
  Flows::value_type& entry = *flows_.try_emplace(header->flow).first;
  Flow& flow = entry.second;
  const std::uint64_t begin = unwrap(flow, header->sequence);
  flow.furthest = std::max(flow.furthest, begin);
  flow.lost[begin] = {begin + sequence_length(*header), losses_, {loss.ps, &loss.place, loss.why}};
  in_order_.push_back({&entry, begin, losses_++});
  if (in_order_.size() > most_losses_) forget_oldest();
}

void LossBook::forget_oldest() {
  const Told oldest = in_order_.front();
  in_order_.pop_front();
  auto& lost = oldest.flow->second.lost;
  const auto found = lost.find(oldest.begin);
  if (found == lost.end() || found->second.number != oldest.number) return;  // lost once more since
  lost.erase(found);
  if (lost.empty()) flows_.erase(FlowKey(oldest.flow->first));
}

std::optional<PastLoss> LossBook::last_loss(const FlowKey& key, std::uint32_t sequence,
                                            std::uint32_t bytes) const {
  const auto found = flows_.find(key);
  if (found == flows_.end()) return std::nullopt;
  const Flow& flow = found->second;
  const std::uint64_t begin = unwrap(flow, sequence);
  std::optional<PastLoss> last;
  // A segment that begins earlier may reach into these bytes.
  for (auto at = flow.lost.lower_bound(begin - std::min<std::uint64_t>(begin, Frame::kMaxBytes));
       at != flow.lost.end() && at->first < begin + bytes; ++at) {
    const Lost& lost = at->second;
    if (lost.end > begin && (!last || lost.loss.ps > last->ps)) last = lost.loss;
  }
  return last;
}

}  // namespace longhaul::observe
