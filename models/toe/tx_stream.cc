// SPDX-License-Identifier: Apache-2.0
#include "models/toe/tx_stream.h"

#include <algorithm>
#include <utility>

namespace longhaul::toe {
namespace {

constexpr auto kOwnHalf = PayloadMemory::Half::kTransmit;

}  // namespace

bool TxStream::has_room(std::uint32_t bytes) const {
  return owner_.payload().fits(kOwnHalf, stream_, end_, end_ + bytes);
}

bool TxStream::store(const TxData& data) {
  const std::uint32_t length = data.length();
  PayloadMemory& payload = owner_.payload();
  if (!payload.reserve(kOwnHalf, stream_, end_, end_ + length)) return false;
  const std::uint32_t stored = data.bytes->stored() - std::min(data.bytes->stored(), data.skip);
  payload.write(stream_, end_, data.bytes->head() + data.skip, stored, length);
  owner_.spend_payload(length);
  end_ += length;
  unpushed_ += length;
  return true;
}

std::uint64_t TxStream::push(bool all, std::uint32_t mss) {
  const std::uint64_t bytes = all ? unpushed_ : unpushed_ - unpushed_ % mss;
  unpushed_ -= bytes;
  return bytes;
}

void TxStream::sent(const tcp::Segment& segment) {
  if (segment.offset < sent_) owner_.counts().tx_resent.add();
  sent_ = std::max(sent_, segment.offset + segment.length);
}

void TxStream::acknowledged(std::uint64_t bytes) {
  una_ += bytes;
  owner_.payload().release_below(kOwnHalf, stream_, una_);
  if (una_ == end_) release_all();
}

std::uint64_t TxStream::tell(bool all) {
  if (told_ == una_) return 0;
  const ToeParams& params = owner_.params();
  const std::uint64_t step = params.ack_pages() * params.pm_page().count;
  if (step != 0 && una_ != end_ && !all && una_ / step == told_ / step) return 0;
  return una_ - std::exchange(told_, una_);
}

void TxStream::release_all() { owner_.payload().release_all(kOwnHalf, stream_); }

}  // namespace longhaul::toe
