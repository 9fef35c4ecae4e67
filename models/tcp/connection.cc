// SPDX-License-Identifier: Apache-2.0
// A connection's calls from its user and its timers; segments that arrive are in
// connection_segments.cc.
#include "models/tcp/connection.h"

#include <algorithm>
#include <utility>

namespace longhaul::tcp {

Connection::Connection(const TcpConfig& config, Environment& environment)
    : config_(config),
      environment_(environment),
      timers_(environment),
      timestamps_(config),
      receiver_(config, environment, timers_, stats_),
      outbox_(environment, receiver_, timestamps_, stats_),
      sender_(config, environment, timers_, outbox_, timestamps_, stats_) {}

void Connection::connect(const Opening& opening) {
  if (state_ != State::kClosed) return;
  opening_ = opening;
  outbox_.start(opening.iss, opening.mss);
  receiver_.window().start(opening.mss, 0);
  state_ = State::kSynSent;
  send_syn(false);
}

void Connection::listen(const Opening& opening) {
  if (state_ != State::kClosed) return;
  opening_ = opening;
  outbox_.start(opening.iss, opening.mss);
  receiver_.window().start(opening.mss, 0);
  state_ = State::kListen;
}

Options Connection::offers(bool answering) const {
  Options options;
  options.mss = opening_.mss;
  options.sack_permitted = config_.sack && (!answering || peer_offers_.sack_permitted);
  options.timestamps = config_.timestamps && (!answering || peer_offers_.timestamps);
  if (config_.window_scaling && (!answering || peer_offers_.window_scale))
    options.window_scale = receiver_.window().wanted_shift();
  return options;
}

void Connection::send_syn(bool again) {
  const bool answering = state_ == State::kSynReceived;
  // If there was no room, the timer tries again.
  if (!outbox_.send_syn(answering ? kAck : 0, offers(answering))) again = true;
  sender_.syn_sent(environment_.now(), again);
}

bool Connection::write(std::uint64_t bytes) {
  if (sender_.fin_queued() || state_ == State::kClosed || state_ == State::kListen) return false;
  sender_.write(bytes);
  if (may_send()) speak();
  return true;
}

std::uint64_t Connection::read(std::uint64_t bytes) {
  bytes = std::min(bytes, readable());
  if (bytes == 0) return 0;
  if (receiver_.read(bytes) && state_ >= State::kEstablished) speak();
  return bytes;
}

void Connection::set_nodelay(bool on) {
  sender_.set_nodelay(on);
  if (on && may_send()) speak();
}

void Connection::close() {
  switch (state_) {
    case State::kListen:
    case State::kSynSent: end(End::kClosed); return notices_.tell(environment_);
    case State::kSynReceived: break;  // the FIN goes out when the SYN is acknowledged
    case State::kEstablished: state_ = State::kFinWait1; break;
    case State::kCloseWait: state_ = State::kLastAck; break;
    default: return;
  }
  sender_.finish();
  if (may_send()) speak();
}

void Connection::abort() {
  if (state_ == State::kClosed) return;
  if (state_ >= State::kSynReceived && state_ != State::kTimeWait)
    outbox_.send(kRst, sender_.next(), 0);
  end(End::kAborted);
  notices_.tell(environment_);
}

void Connection::end(End why) {
  state_ = State::kClosed;
  timers_.cancel_all();
  notices_.ended = why;
}

void Connection::speak() {
  sender_.output();
  if (receiver_.ack_due()) outbox_.send(0, sender_.next(), 0);
}

void Connection::on_room() {
  sender_.on_room();
  if (state_ >= State::kEstablished) speak();
}

void Connection::heard() {
  heard_at_ = environment_.now();
  keepalive_sent_ = 0;
  if (config_.keepalive_idle != 0 && state_ >= State::kEstablished && state_ != State::kTimeWait) {
    timers_.set(Timer::kKeepalive, fires_at(heard_at_, config_.keepalive_idle, config_.timer_tick));
  }
}

void Connection::on_keepalive_timer() {
  if (keepalive_sent_ >= config_.keepalive_probes) {
    outbox_.send(kRst, sender_.next(), 0);
    return end(End::kTimedOut);
  }
  // RFC 9293, 3.8.4: an old number without payload, which a live peer answers.
  if (sender_.everything_acked()) {
    ++keepalive_sent_;
    outbox_.send(0, sender_.next() - 1, 0);
  }
  timers_.set(Timer::kKeepalive,
              fires_at(environment_.now(), config_.keepalive_interval, config_.timer_tick));
}

void Connection::on_timer(Timer timer) {
  if (!timers_.expired(timer) || state_ == State::kClosed) return;
  expire(timer);
  notices_.tell(environment_);
}

void Connection::expire(Timer timer) {
  switch (timer) {
    case Timer::kRetransmit:
      if (state_ == State::kSynSent || state_ == State::kSynReceived) {
        if (++syn_tries_ > config_.syn_retries) return end(End::kTimedOut);
        sender_.back_off();
        return send_syn(true);
      }
      if (!sender_.on_retransmit_timer()) return end(End::kTimedOut);
      break;
    case Timer::kPersist:
      if (!sender_.on_persist_timer()) return end(End::kTimedOut);
      break;
    case Timer::kDelayedAck: receiver_.on_timer(); break;
    case Timer::kKeepalive: return on_keepalive_timer();
    case Timer::kLinger: return end(End::kClosed);
  }
  speak();
}

}  // namespace longhaul::tcp
