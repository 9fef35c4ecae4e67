// SPDX-License-Identifier: Apache-2.0
// Handling of arriving segments by a connection (RFC 9293, 3.10.7).
#include <algorithm>

#include "models/tcp/connection.h"

namespace longhaul::tcp {

void Connection::receive(const Segment& segment) {
  ++stats_.segments_received;
  arrive(segment);
  notices_.tell(environment_);
}

void Connection::arrive(const Segment& segment) {
  switch (state_) {
    case State::kClosed: return refuse(segment);
    case State::kListen: return in_listen(segment);
    case State::kSynSent: return in_syn_sent(segment);
    default: return in_synchronized(segment);
  }
}

void Connection::refuse(const Segment& segment) {
  if (segment.has(kRst)) return;
  Segment reset = reset_for(segment);
  if (environment_.transmit(reset)) ++stats_.segments_sent;
}

void Connection::agree(const Segment& syn) {
  peer_offers_ = syn.options;
  agree(syn.seq, offers(false), syn.options);
  sender_.set_window(syn.window, 0, 1);
}

void Connection::agree(std::uint32_t irs, const Options& own, const Options& peer) {
  receiver_.open(irs);
  agreed_ = agree_on(own, peer, opening_.mss, config_.default_mss);
  if (agreed_.timestamps) timestamps_.enable(peer.ts_value, environment_.now());
  outbox_.start(opening_.iss, agreed_.mss);
  receiver_.start(agreed_.own_mss, agreed_.sack, agreed_.timestamps, agreed_.own_shift);
}

void Connection::take_over(const Handover& handover) {
  if (state_ != State::kClosed) return;
  opening_ = handover.opening;
  agree(handover.irs, handover.own, handover.peer);
  const std::uint64_t now = environment_.now();
  if (timestamps_.on()) {
    timestamps_.enable(handover.peer_timestamp, now);
    timestamps_.continue_from(handover.timestamp, now);
  }
  receiver_.window().set_edge(1 + handover.offered);
  receiver_.sent();  // the SYN has been acknowledged
  sender_.syn_sent(now - handover.rtt, false);
  sender_.set_window(handover.window, 0, 1);
  become_established();
  if (handover.announce) receiver_.ack_soon();
  speak();
  notices_.tell(environment_);
}

void Connection::become_established() {
  sender_.start(agreed_.mss, agreed_.sack, agreed_.peer_shift);
  const bool closing = sender_.fin_queued();
  state_ = closing ? State::kFinWait1 : State::kEstablished;
  heard();
  notices_.established = true;
}

void Connection::in_listen(const Segment& segment) {
  if (segment.has(kRst)) return;
  if (segment.has(kAck)) return refuse(segment);
  if (!segment.has(kSyn)) return;
  agree(segment);
  state_ = State::kSynReceived;
  send_syn(false);
}

void Connection::in_syn_sent(const Segment& segment) {
  const bool acks_syn = segment.has(kAck) && segment.ack == to_wire(opening_.iss, 1);
  if (segment.has(kAck) && !acks_syn) return refuse(segment);
  if (segment.has(kRst)) {
    if (acks_syn) end(End::kReset);
    return;
  }
  if (!segment.has(kSyn)) return;
  agree(segment);
  if (!acks_syn) {  // simultaneous open
    state_ = State::kSynReceived;
    return send_syn(false);
  }
  become_established();
  receiver_.ack_soon();
  speak();
}

bool Connection::acceptable(std::int64_t begin, const Segment& segment) const {
  // RFC 9293, table 6.
  const auto next = static_cast<std::int64_t>(receiver_.next());
  const auto edge = std::max(static_cast<std::int64_t>(receiver_.window().edge()), next);
  const std::int64_t length = segment.sequence_length();
  // A bare FIN needs no room in the buffer. It is accepted even with a closed window.
  if (segment.length == 0 && segment.has(kFin) && begin == next) return true;
  if (length == 0) return edge == next ? begin == next : begin >= next && begin < edge;
  if (edge == next) return false;
  return begin < edge && begin + length > next;
}

void Connection::challenge() {
  ++stats_.challenge_acks;
  outbox_.send(0, sender_.next(), 0);
}

void Connection::on_reset(std::int64_t begin) {
  // RFC 5961, 3.2: only the exact sequence number resets. Another number in the window gets a
  // challenge ACK.
  const auto next = static_cast<std::int64_t>(receiver_.next());
  const auto edge = static_cast<std::int64_t>(receiver_.window().edge());
  if (begin == next) {
    // RFC 9293, 3.10.7.4: both directions are complete, so no data is lost.
    const bool done = receiver_.finished() && sender_.unacked() == 0 && state_ >= State::kClosing;
    return end(done ? End::kClosed : End::kReset);
  }
  if (begin > next && begin < edge) challenge();
}

void Connection::in_synchronized(const Segment& segment) {
  const std::int64_t begin = from_wire(receiver_.irs(), segment.seq, receiver_.next());
  const std::uint64_t now = environment_.now();
  if (timestamps_.refuses(segment, now)) {
    ++stats_.paws_dropped;
    challenge();
    return;
  }
  if (segment.has(kRst)) return on_reset(begin);
  if (state_ == State::kSynReceived && segment.has(kSyn) && begin == 0 && segment.has(kAck) &&
      segment.ack == to_wire(opening_.iss, 1)) {
    // Simultaneous open: the peer's SYN-ACK repeats its SYN, but its ACK is new.
    become_established();
    return speak();
  }
  if (!acceptable(begin, segment)) {
    // Its acknowledgement may be used, but its data is not (RFC 9293, 3.10.7.4, zero windows).
    if (state_ == State::kSynReceived && segment.has(kSyn)) return send_syn(true);
    if (state_ == State::kTimeWait && segment.has(kFin)) enter_time_wait();
    if (segment.length > 0) receiver_.accept(begin, segment.length, false);
    if (segment.has(kAck) && !segment.has(kSyn) && state_ != State::kSynReceived &&
        !on_acknowledgement(segment, begin)) {
      return;
    }
    if (state_ == State::kClosed) return;
    receiver_.ack_soon();
    return speak();
  }
  timestamps_.take(segment, begin, receiver_.last_ack_sent(), now);
  if (segment.has(kSyn)) return challenge();  // RFC 5961, 4.2
  if (!segment.has(kAck)) return;
  if (state_ == State::kSynReceived) {
    if (segment.ack != to_wire(opening_.iss, 1)) return refuse(segment);
    become_established();
  }
  heard();
  if (!on_acknowledgement(segment, begin) || state_ == State::kClosed) return;
  on_text(segment, begin);
  if (state_ != State::kClosed) speak();
}

bool Connection::on_acknowledgement(const Segment& segment, std::int64_t begin) {
  const std::int64_t ack = from_wire(opening_.iss, segment.ack, sender_.una());
  const auto una = static_cast<std::int64_t>(sender_.una());
  // RFC 5961, 5.2: the ACK must not cover unsent data, nor be older than any window.
  if (ack > static_cast<std::int64_t>(sender_.highest()) ||
      ack < una - static_cast<std::int64_t>(sender_.largest_window())) {
    challenge();
    return false;
  }
  if (ack < 1) return true;
  const std::uint64_t acked = sender_.on_ack(segment, begin, static_cast<Position>(ack));
  if (sender_.fin_acked()) on_fin_acked();
  notices_.acked += acked;
  return true;
}

void Connection::on_fin_acked() {
  if (state_ == State::kFinWait1) {
    state_ = State::kFinWait2;
  } else if (state_ == State::kClosing) {
    enter_time_wait();
  } else if (state_ == State::kLastAck) {
    end(End::kClosed);
  }
}

void Connection::on_text(const Segment& segment, std::int64_t begin) {
  if ((segment.length == 0 && !segment.has(kFin)) || receiver_.finished()) return;
  const Receiver::Accepted accepted = receiver_.accept(begin, segment.length, segment.has(kFin));
  notices_.readable += accepted.delivered;
  if (accepted.finished) on_fin();
}

void Connection::on_fin() {
  notices_.finished = true;
  if (state_ == State::kEstablished) {
    state_ = State::kCloseWait;
  } else if (state_ == State::kFinWait1) {
    state_ = State::kClosing;
  } else if (state_ == State::kFinWait2) {
    enter_time_wait();
  }
}

void Connection::enter_time_wait() {
  state_ = State::kTimeWait;
  timers_.cancel_all();
  timers_.set(Timer::kLinger, fires_at(environment_.now(), config_.time_wait, config_.timer_tick));
}

}  // namespace longhaul::tcp
