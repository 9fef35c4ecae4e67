// SPDX-License-Identifier: Apache-2.0
// A connection that goes from one TCP to another of the same end.
#include "models/tcp/connection.h"

namespace longhaul::tcp {

bool Connection::may_move() const {
  return state_ == State::kEstablished && !sender_.fin_queued() && receiver_.holes() == 0 &&
         sender_.recovery().phase() == Recovery::Phase::kOpen &&
         sender_.recovery().duplicates() == 0 && sender_.highest() == sender_.next();
}

Context Connection::context() const {
  Context context;
  context.iss = opening_.iss;
  context.irs = receiver_.irs();
  context.agreed = agreed_;
  sender_.describe(context);
  context.received = receiver_.next();
  context.offered = receiver_.window().edge();
  context.unread = receiver_.window().unread();
  context.ack_waits = receiver_.pending() > 0 || receiver_.ack_due();
  context.peer_timestamp = timestamps_.echo();
  context.timestamp = timestamps_.value(environment_.now());
  return context;
}

Context Connection::leave() {
  const Context left = context();
  state_ = State::kClosed;
  timers_.cancel_all();
  return left;
}

void Connection::resume(const Context& context, Position end) {
  if (state_ != State::kClosed) return;
  const std::uint64_t now = environment_.now();
  opening_.iss = context.iss;
  agreed_ = context.agreed;
  state_ = State::kEstablished;
  if (agreed_.timestamps) {
    timestamps_.enable(context.peer_timestamp, now);
    timestamps_.continue_from(context.timestamp, now);
  }
  outbox_.start(context.iss, agreed_.mss);
  receiver_.open(context.irs);
  receiver_.start(agreed_.own_mss, agreed_.sack, agreed_.timestamps, agreed_.own_shift);
  receiver_.resume(context.received, context.offered, context.unread);
  sender_.resume(context, agreed_, end);
  heard();
  if (context.ack_waits) receiver_.ack_soon();
  speak();
  notices_.tell(environment_);
}

bool Connection::is_exception(const Segment& segment) const {
  constexpr std::uint8_t kPlain = kAck | kPsh;
  if (!segment.has(kAck) || (segment.flags & ~kPlain) != 0) return true;
  const std::int64_t begin = from_wire(receiver_.irs(), segment.seq, receiver_.next());
  if (segment.length > 0 && begin > static_cast<std::int64_t>(receiver_.next())) return true;
  return sender_.is_last_duplicate(segment, begin,
                                   from_wire(opening_.iss, segment.ack, sender_.una()));
}

bool Connection::is_unanswered(Timer timer) const {
  return (timer == Timer::kRetransmit || timer == Timer::kPersist) &&
         timers_.deadline(timer) <= environment_.now();
}

}  // namespace longhaul::tcp
