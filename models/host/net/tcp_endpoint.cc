// SPDX-License-Identifier: Apache-2.0
// Events from the stack and from the engine to an endpoint.
#include "models/host/net/tcp_endpoint.h"

#include "models/host/net/stack.h"
#include "models/host/net/tcp_listener.h"

namespace longhaul::host {

TcpEndpoint::TcpEndpoint(Stack& stack, std::uint32_t slot, const SocketSettings& settings)
    : stack_(stack),
      slot_(slot),
      settings_(settings),
      lock_(*this, stack.params().backlog_holds_softirqs()),
      connection_(std::in_place, stack.tcp_config(), static_cast<tcp::Environment&>(*this)),
      output_(stack, *this),
      input_(stack, *this),
      discipline_(stack.make_discipline(*this)),
      timers_(stack, *this) {}

TcpEndpoint::~TcpEndpoint() {
  while (lock_.has_backlog()) stack_.freed(lock_.pop().packet);
}

void TcpEndpoint::attach(Interface& interface, Neighbour& neighbour, const tcp::Endpoints& ends) {
  output_.attach(interface, neighbour, ends);
  TcpOffload* const offload = interface.device().offload();
  if (offload != nullptr && offload->host_opens() && !ends.ipv6 && stack_.passage() == nullptr)
    place_ = std::make_unique<TcpPlace>(stack_, *this, *offload);
}

// From the stack.

void TcpEndpoint::deliver(const Arrival& arrival) {
  if (lock_.is_held()) {
    stack_.backlogged.add();
    return lock_.queue(arrival);
  }
  if (discipline_->prequeue(arrival)) return;
  lock_.take();
  if (lock_.has_backlog()) {  // segments that no reader has taken yet: keep their order
    lock_.queue(arrival);
  } else {
    handle_segment(arrival);
  }
  lock_.release();
}

void TcpEndpoint::handle_segment(const Arrival& arrival) {
  if (arrival.packet.checksum_good) return handle_summed(arrival);
  handle_summed(input_.summed(arrival));
}

void TcpEndpoint::handle_summed(const Arrival& arrival) {
  const NetParams& params = stack_.params();
  const tcp::Segment& segment = arrival.segment;
  const bool acknowledges =
      segment.has(tcp::kAck) &&
      static_cast<std::int32_t>(segment.ack - tcp::to_wire(iss_, connection_->sender().una())) > 0;
  Processor::current()->execute(
      (segment.length != 0 ? params.tcp_receive_cycles() : 0) +
      (segment.length == 0 || acknowledges ? params.tcp_ack_cycles() : 0));
  if (segment.options.timestamps) peer_timestamp_ = segment.options.ts_value;
  if (ended_ || handed_over_) return stack_.freed(arrival.packet);
  if (away()) return place_->keep(arrival);
  const bool synchronized = connection_->state() >= tcp::State::kSynReceived;
  if (segment.length != 0 && synchronized && !segment.has(tcp::kSyn)) {
    input_.handle_data(arrival);
  } else {
    connection_->receive(segment);
    stack_.freed(arrival.packet);
  }
  engine_returned();
}

void TcpEndpoint::timer(tcp::Timer timer) {
  if (lock_.is_held()) return lock_.defer_timer(timer);
  lock_.take();
  handle_timer(timer);
  lock_.release();
}

void TcpEndpoint::handle_timer(tcp::Timer timer) {
  connection_->on_timer(timer);
  engine_returned();
}

void TcpEndpoint::handle_room() {
  connection_->on_room();
  engine_returned();
}

void TcpEndpoint::sent(const SendQueue::Hold& hold) {
  output_.queue().released(hold);
  settle();
}

void TcpEndpoint::unreachable() {
  if (connection_->state() != tcp::State::kSynSent || lock_.is_held()) return;
  lock_.take();
  connection_->abort();
  error_ = SocketError::kUnreachable;
  engine_returned();
  lock_.release();
}

/// Destroys the endpoint when nothing needs it. The caller must not use it afterwards.
void TcpEndpoint::settle() {
  if (lock_.is_held() || attached_ || !(ended_ || handed_over_)) return;
  if (place_ != nullptr && place_->asked()) return;
  output_.queue().abandon();
  if (output_.queue().held() == 0) stack_.destroy(*this);
}

void TcpEndpoint::engine_returned() {
  stack_.stepped();
  if (ended_) {
    shown_.set(stack_, 0, 0);
    return stack_.unbind(*this);
  }
  if (away()) return shown_.set(stack_, 0, 0);
  if (established_ && !handed_over_) {
    const tcp::Sender& sender = connection_->sender();
    shown_.set(stack_, sender.control().cwnd(), sender.next() - sender.una());
  }
  if (!attached_ && !handed_over_ && connection_->state() == tcp::State::kTimeWait) to_time_wait();
  if (established_ && place_ != nullptr) place_->consider();
}

void TcpEndpoint::to_time_wait() {
  handed_over_ = true;
  shown_.set(stack_, 0, 0);
  stack_.unbind(*this);
  TimeWait::Bucket bucket;
  bucket.ends = ends();
  bucket.receive_next = tcp::to_wire(connection_->receiver().irs(), connection_->receiver().next());
  bucket.send_next = tcp::to_wire(iss_, connection_->sender().next());
  bucket.timestamps = output_.timestamps();
  bucket.peer_timestamp = peer_timestamp_;
  bucket.timestamp_offset = connection_->timestamp_offset();
  stack_.to_time_wait(bucket);
}

tcp::Connection& TcpEndpoint::renew() {
  connection_.emplace(stack_.tcp_config(), static_cast<tcp::Environment&>(*this));
  connection_->set_nodelay(settings_.nodelay);
  return *connection_;
}

void TcpEndpoint::lose(SocketError why) {
  error_ = why;
  ended(tcp::End::kAborted);
  engine_returned();
}

// From the engine.

void TcpEndpoint::established() {
  established_ = true;
  discipline_->established();
  output_.established();
  stack_.connections.add();
  if (listener_ != nullptr) listener_->established(*this);
  openers_.wake_all();
  notify(SocketEvent::kConnected);
}

void TcpEndpoint::readable(std::uint64_t) {
  discipline_->readable();
  notify(SocketEvent::kReadable);
}

void TcpEndpoint::writable(std::uint64_t bytes) {
  output_.queue().acknowledged(bytes);
  notify(SocketEvent::kWritable);
  discipline_->writable();
}

void TcpEndpoint::end_of_stream() {
  stream_ended_ = true;
  readers_.wake_all();
  notify(SocketEvent::kHangUp);
}

void TcpEndpoint::ended(tcp::End why) {
  ended_ = true;
  stream_ended_ = true;
  if (!error_) {
    if (why == tcp::End::kReset)
      error_ = established_ ? SocketError::kReset : SocketError::kRefused;
    if (why == tcp::End::kTimedOut) error_ = SocketError::kTimedOut;
  }
  if (why != tcp::End::kClosed) stack_.connections_failed.add();
  output_.queue().abandon();
  if (listener_ != nullptr) listener_->ended(*this);
  readers_.wake_all();
  writers_.wake_all();
  openers_.wake_all();
  notify(SocketEvent::kHangUp);
}

}  // namespace longhaul::host
