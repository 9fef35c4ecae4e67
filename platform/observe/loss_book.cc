// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/loss_book.h"

#include <fmt/format.h>

#include <algorithm>

namespace longhaul::observe {
namespace {

/// Sequence numbers that a segment takes.
std::uint32_t numbers(const TransportHeader& header) {
  return header.payload + ((header.flags & TransportHeader::kSyn) != 0 ? 1 : 0);
}

bool has_sequence(const TransportHeader& header) {
  return header.protocol == TransportHeader::Protocol::kTcp && !header.later_fragment && numbers(header) > 0;
}

}  // namespace

std::string LossBook::Entry::text() const {
  constexpr std::uint64_t kPsInNs = 1000, kNsInS = 1'000'000'000;
  const std::uint64_t ns = ps / kPsInNs;
  return fmt::format("{} at {}.{:09} s ({})", *place, ns / kNsInS, ns % kNsInS, why);
}

LossBook::LossBook(LossWatch& watch) : watch_(watch) { watch_.listen(this); }

LossBook::~LossBook() {
  watch_.ignore(this);
  for (PayloadMeter* meter : meters_) meter->on_retransmit({});
}

void LossBook::watch(PayloadMeter& meter) {
  meters_.push_back(&meter);
  meter.on_retransmit([this](const Frame& frame, const TransportHeader& header) { on_retransmit(frame, header); });
}

std::uint64_t LossBook::unwrap(const Flow& flow, std::uint32_t sequence) {
  const auto ahead = static_cast<std::int32_t>(sequence - static_cast<std::uint32_t>(flow.furthest));
  return flow.furthest + static_cast<std::uint64_t>(std::int64_t{ahead});
}

void LossBook::on_loss(const Loss& loss) {
  const Entry entry{loss.ps, &loss.place, loss.why};
  notes_.push_back({loss.frame->id(), false, entry});
  const std::optional<TransportHeader> header = transport_header(*loss.frame);
  if (!header || !has_sequence(*header)) return;
  Flow& flow = flows_[header->flow];
  const std::uint64_t begin = unwrap(flow, header->sequence);
  flow.furthest = std::max(flow.furthest, begin);
  flow.lost[begin] = {begin + numbers(*header), entry};
}

std::optional<LossBook::Entry> LossBook::last_loss(const FlowKey& key, std::uint32_t sequence,
                                                   std::uint32_t bytes) const {
  const auto found = flows_.find(key);
  if (found == flows_.end()) return std::nullopt;
  const Flow& flow = found->second;
  const std::uint64_t begin = unwrap(flow, sequence);
  std::optional<Entry> last;
  auto at = flow.lost.lower_bound(begin);
  if (at != flow.lost.begin() && std::prev(at)->second.end > begin) --at;
  for (; at != flow.lost.end() && at->first < begin + bytes; ++at) {
    if (!last || at->second.loss.ps > last->ps) last = at->second.loss;
  }
  return last;
}

void LossBook::on_retransmit(const Frame& frame, const TransportHeader& header) {
  const std::optional<Entry> loss = last_loss(header.flow, header.sequence, std::max(1U, numbers(header)));
  notes_.push_back({frame.id(), true, loss.value_or(Entry{})});
}

std::vector<std::string> LossBook::comments(std::uint64_t frame) {
  const auto earlier = [](const Note& a, const Note& b) { return a.frame < b.frame; };
  if (sorted_ != notes_.size()) std::stable_sort(notes_.begin(), notes_.end(), earlier);
  sorted_ = notes_.size();
  std::vector<std::string> all;
  for (auto note = std::lower_bound(notes_.begin(), notes_.end(), Note{frame, false, {}}, earlier);
       note != notes_.end() && note->frame == frame; ++note) {
    if (!note->retransmission) {
      all.push_back("dropped later: " + note->loss.text());
    } else if (note->loss.place != nullptr) {
      all.push_back("retransmission: of bytes dropped by " + note->loss.text());
    } else {
      all.emplace_back("retransmission: no part has dropped these bytes");
    }
  }
  return all;
}

}  // namespace longhaul::observe
