// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/move.h"

#include "models/tcp/connection.h"

namespace longhaul::tcp {

bool Move::is_possible(const Connection& connection) {
  const Sender& sender = connection.sender_;
  return connection.state_ == State::kEstablished && !sender.fin_queued() &&
         connection.receiver_.holes() == 0 && sender.recovery().phase() == Recovery::Phase::kOpen &&
         sender.recovery().duplicates() == 0 && sender.highest() == sender.next();
}

Context Move::context(const Connection& connection) {
  const Receiver& receiver = connection.receiver_;
  Context context;
  context.iss = connection.opening_.iss;
  context.irs = receiver.irs();
  context.agreed = connection.agreed_;
  describe(connection.sender_, context);
  context.received = receiver.next();
  context.offered = receiver.window().edge();
  context.unread = receiver.window().unread();
  context.ack_waits = receiver.pending() > 0 || receiver.ack_due();
  context.peer_timestamp = connection.timestamps_.echo();
  context.timestamp = connection.timestamps_.value(connection.environment_.now());
  return context;
}

Context Move::leave(Connection& connection) {
  const Context left = context(connection);
  connection.state_ = State::kClosed;
  connection.timers_.cancel_all();
  return left;
}

void Move::resume(Connection& connection, const Context& context, Position end,
                  const Stats& earlier) {
  if (connection.state_ != State::kClosed) return;
  connection.stats_ = earlier;
  const std::uint64_t now = connection.environment_.now();
  Receiver& receiver = connection.receiver_;
  const Agreement& agreed = context.agreed;
  connection.opening_.iss = context.iss;
  connection.agreed_ = agreed;
  connection.state_ = State::kEstablished;
  if (agreed.timestamps) {
    connection.timestamps_.enable(context.peer_timestamp, now);
    connection.timestamps_.continue_from(context.timestamp, now);
  }
  connection.outbox_.start(context.iss, agreed.mss);
  receiver.open(context.irs);
  receiver.start(agreed.own_mss, agreed.sack, agreed.timestamps, agreed.own_shift);
  receiver.resume(context.received, context.offered, context.unread);
  resume(connection.sender_, context, end);
  connection.heard();
  if (context.ack_waits) receiver.ack_soon();
  connection.speak();
  connection.notices_.tell(connection.environment_);
}

bool Move::is_exception(const Connection& connection, const Segment& segment) {
  constexpr std::uint8_t kPlain = kAck | kPsh;
  if (!segment.has(kAck) || (segment.flags & ~kPlain) != 0) return true;
  const Receiver& receiver = connection.receiver_;
  const std::int64_t begin = from_wire(receiver.irs(), segment.seq, receiver.next());
  if (segment.length > 0 && begin > static_cast<std::int64_t>(receiver.next())) return true;
  const Sender& sender = connection.sender_;
  return is_last_duplicate(sender, segment, begin,
                           from_wire(connection.opening_.iss, segment.ack, sender.una()));
}

bool Move::is_unanswered(const Connection& connection, Timer timer) {
  return (timer == Timer::kRetransmit || timer == Timer::kPersist) &&
         connection.timers_.deadline(timer) <= connection.environment_.now();
}

// The sender's part.

void Move::describe(const Sender& sender, Context& context) {
  context.una = sender.una_;
  context.next = sender.next_;
  context.peer_edge = sender.peer_.edge();
  context.duplicates = sender.recovery_.duplicates();
  context.cwnd = sender.control_->cwnd();
  context.ssthresh = sender.control_->ssthresh();
  if (!sender.rtt_.measured()) return;
  context.srtt = sender.rtt_.srtt();
  context.rttvar = sender.rtt_.rttvar();
}

void Move::resume(Sender& sender, const Context& context, Position end) {
  const Agreement& agreed = context.agreed;
  const std::uint64_t now = sender.environment_.now();
  sender.mss_ = agreed.mss;
  sender.sack_ = agreed.sack;
  sender.una_ = context.una;
  sender.next_ = context.next;
  sender.end_ = end;
  sender.peer_.set_shift(agreed.peer_shift);
  sender.peer_.set(context.peer_edge - context.una, static_cast<std::int64_t>(context.received),
                   context.una);
  sender.control_->start(agreed.mss);
  if (context.cwnd != 0) sender.control_->resume(context.cwnd, context.ssthresh);
  sender.recovery_.start(agreed.mss, agreed.sack, context.una);
  sender.recovery_.resume(context.duplicates);
  if (context.srtt != 0) sender.rtt_.resume(context.srtt, context.rttvar);
  sender.last_sent_ = now;
  sender.used_since_ = now;
  if (context.una == context.next) return;
  if (context.timed_out) return sender.timers_.set(Timer::kRetransmit, now);
  sender.restart_timer();
}

bool Move::is_last_duplicate(const Sender& sender, const Segment& segment, std::int64_t seq,
                             std::int64_t ack) {
  // Only the host's TCP knows what SACK tells.
  if (sender.sack_ && segment.options.sack_count > 0) return true;
  return sender.una_ != sender.next_ && segment.sequence_length() == 0 &&
         ack == static_cast<std::int64_t>(sender.una_) &&
         !sender.peer_.would_change(segment, seq, sender.una_) &&
         sender.recovery_.duplicates() + 1 >= sender.recovery_.board().threshold();
}

}  // namespace longhaul::tcp
