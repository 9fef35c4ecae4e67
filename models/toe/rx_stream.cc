// SPDX-License-Identifier: Apache-2.0
#include "models/toe/rx_stream.h"

#include <algorithm>
#include <utility>

namespace longhaul::toe {
namespace {

constexpr auto kHalf = PayloadMemory::Half::kReceive;

bool covers(const tcp::Receiver& receiver, std::int64_t begin, std::int64_t end) {
  return receiver.waits(static_cast<tcp::Position>(begin), static_cast<tcp::Position>(end));
}

}  // namespace

RxStream::~RxStream() { owner_.payload().release_all(kHalf, stream_); }

RxStream::Place RxStream::place(const tcp::Receiver& receiver, const tcp::Segment& segment) {
  Place place;
  place.next = static_cast<std::int64_t>(receiver.next());
  place.begin = tcp::from_wire(receiver.irs(), segment.seq, receiver.next());
  place.end = std::min<std::int64_t>(place.begin + segment.length,
                                     static_cast<std::int64_t>(receiver.window().edge()));
  place.stores = !receiver.finished() && place.end > std::max(place.begin, place.next);
  place.waited = place.stores && place.beyond() && covers(receiver, place.begin, place.end);
  return place;
}

bool RxStream::make_room(const tcp::Receiver& receiver, const Place& place) {
  if (!place.stores) return true;
  const std::int64_t from = std::max(place.begin, place.next);
  const std::int64_t to = place.end;
  // A segment that touches bytes beyond a hole makes no range of its own.
  if (place.beyond() && receiver.holes() >= owner_.params().reorder_ranges() &&
      !covers(receiver, from - 1, from) && !covers(receiver, to, to + 1) &&
      !covers(receiver, from, from + 1) && !covers(receiver, to - 1, to)) {
    owner_.dropped(false);
    return false;
  }
  const std::uint32_t keep = place.beyond() ? owner_.params().pm_kept_pages() : 0;
  if (owner_.payload().reserve(kHalf, stream_, static_cast<std::uint64_t>(from) - 1,
                               static_cast<std::uint64_t>(to) - 1, keep))
    return true;
  owner_.dropped(true);
  return false;
}

void RxStream::write(std::int64_t begin, std::int64_t end, const Place& place,
                     const std::uint8_t* payload, std::uint32_t stored) {
  const auto skipped = static_cast<std::uint32_t>(begin - place.begin);
  const auto length = static_cast<std::uint32_t>(end - begin);
  const std::uint32_t real = stored > skipped ? std::min(stored - skipped, length) : 0;
  owner_.payload().write(stream_, static_cast<std::uint64_t>(begin) - 1, payload + skipped, real,
                         length);
  owner_.spend_payload(length);
}

bool RxStream::store(const tcp::Receiver& receiver, const Place& place, const std::uint8_t* payload,
                     std::uint32_t stored) {
  if (!place.stores) return false;
  const auto next = static_cast<std::int64_t>(receiver.next());
  if (!place.beyond()) {
    if (next == place.next) return false;  // not taken
    write(place.next, std::min(place.end, next), place, payload, stored);
    return next > place.end + 1;  // a FIN counts as one
  }
  if (!place.waited && covers(receiver, place.begin, place.end))
    write(place.begin, place.end, place, payload, stored);
  return false;
}

bool RxStream::gather(std::uint64_t fresh, bool at_once, bool push, std::uint32_t irs) {
  const std::uint64_t most = owner_.params().coalesce_size().count;
  if (pending() > 0 && pending() + fresh > most) give_all(false, irs);
  in_order_ += fresh;
  if (at_once || push || pending() >= most) {
    give_all(push, irs);
    return false;
  }
  if (gather_until_ != kNever) return false;
  gather_until_ = now_ps() + to_ps(owner_.params().coalesce_time());
  return true;
}

void RxStream::give_all(bool push, std::uint32_t irs) {
  const std::uint64_t most = owner_.params().coalesce_size().count;
  while (pending() > most) give(most, false, irs);
  if (pending() > 0) give(pending(), push, irs);
  gather_until_ = kNever;
}

void RxStream::give(std::uint64_t bytes, bool push, std::uint32_t irs) {
  const auto length = static_cast<std::uint32_t>(bytes);
  RxData message{tid_, epoch_, tcp::to_wire(irs, given_ + 1), Frame::allocate(length), push};
  Frame& frame = message.bytes.writable();
  if (owner_.payload().is_blank(stream_, given_, length)) {
    frame.leave_blank(0);
  } else {
    owner_.payload().read(stream_, given_, frame.data(), length);
  }
  owner_.spend_payload(bytes);
  given_ += bytes;
  owner_.post(std::move(message));
}

void RxStream::taken(std::uint32_t bytes, bool holes) {
  taken_ = std::min(taken_ + bytes, given_);
  PayloadMemory& payload = owner_.payload();
  payload.release_below(kHalf, stream_, taken_);
  if (taken_ == in_order_ && !holes) payload.release_all(kHalf, stream_);
}

std::uint64_t RxStream::credit(std::uint32_t bytes) {
  const std::uint64_t most = given_ - credited_;
  const std::uint64_t given_back = std::min<std::uint64_t>(bytes, most);
  credited_ += given_back;
  return given_back;
}

std::uint64_t RxStream::room(std::uint64_t fresh) const {
  return owner_.payload().available(kHalf, stream_, in_order_ + fresh);
}

}  // namespace longhaul::toe
