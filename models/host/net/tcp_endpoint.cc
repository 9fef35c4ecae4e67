// SPDX-License-Identifier: Apache-2.0
// Ownership, and what the engine asks of its environment.
#include "models/host/net/tcp_endpoint.h"

#include <algorithm>
#include <utility>

#include "models/host/net/stack.h"
#include "models/host/net/tcp_listener.h"

namespace longhaul::host {
namespace {

constexpr std::uint32_t bit(tcp::Timer timer) { return 1U << static_cast<std::uint32_t>(timer); }

}  // namespace

TcpEndpoint::TcpEndpoint(Stack& stack, std::uint32_t slot, const SocketSettings& settings)
    : stack_(stack),
      slot_(slot),
      settings_(settings),
      connection_(stack.tcp_config(), *this),
      send_(stack.pool(), stack.params()),
      receive_(stack.receive_buffers(), !stack.params().truesize()),
      memory_(stack.params()) {
  for (std::size_t i = 0; i < timers_.size(); ++i) {
    timers_[i].owner = this;
    timers_[i].kind = static_cast<tcp::Timer>(i);
  }
}

TcpEndpoint::~TcpEndpoint() {
  while (!backlog_.empty()) stack_.freed(backlog_.pop_front().packet);
}

void TcpEndpoint::set(const SocketSettings& settings) { settings_ = settings; }

void TcpEndpoint::attach(Interface& interface, Neighbour& neighbour, const tcp::Endpoints& ends) {
  interface_ = &interface;
  neighbour_ = &neighbour;
  ends_ = ends;
}

tcp::Opening TcpEndpoint::opening(std::uint32_t iss) const { return {iss, interface_->mss(ends_.ipv6)}; }

/// Limits, before the SYN tells of them.
void TcpEndpoint::prepare() {
  const std::uint16_t mss = interface_->mss(ends_.ipv6);
  send_.set_limit(settings_.send_limit);
  memory_.start(settings_.receive_limit, stack_.tcp_config().window_start, mss);
  window_limit_ = memory_.worth(settings_.receive_limit);
  connection_.set_receive_limit(window_limit_);
  if (tunes()) connection_.set_receive_most(memory_.worth(stack_.params().receive_buffer_most().count));
  connection_.set_nodelay(settings_.nodelay);
}

void TcpEndpoint::listen(TcpListener& listener, std::uint32_t iss) {
  listener_ = &listener;
  iss_ = iss;
  prepare();
  connection_.listen(opening(iss));
}

// Ownership.

void TcpEndpoint::lock(Processor& processor) {
  constexpr std::uint64_t kSpinCycles = 50;
  while (locked_) {  // a softirq of another processor, or another process
    processor.execute(kSpinCycles);
    processor.pay();
  }
  locked_ = true;
}

void TcpEndpoint::work_off() {
  for (;;) {
    if (timers_due_ != 0) {
      const std::uint32_t due = std::exchange(timers_due_, 0);
      for (std::size_t i = 0; i < tcp::kTimerKinds; ++i) {
        const auto kind = static_cast<tcp::Timer>(i);
        if ((due & bit(kind)) == 0) continue;
        connection_.on_timer(kind);
        after_call();
      }
    } else if (room_due_) {
      room_due_ = false;
      connection_.on_room();
      after_call();
    } else if (!backlog_.empty()) {
      handle_next();
    } else {
      return;
    }
  }
}

void TcpEndpoint::handle_next() {
  const Arrival arrival = backlog_.pop_front();
  backlog_bytes_ -= std::min<std::uint64_t>(backlog_bytes_, arrival.packet.bytes);
  handle(arrival);
  Processor::current()->pay();
}

void TcpEndpoint::unlock() {
  work_off();
  locked_ = false;
  settle();
}

/// Goes when nothing holds it any longer; not to be touched after this.
void TcpEndpoint::settle() {
  if (locked_ || attached_ || !(ended_ || handed_over_)) return;
  send_.abandon();
  if (send_.held() == 0) stack_.destroy(*this);
}

void TcpEndpoint::deliver(const Arrival& arrival) {
  if (locked_) {
    stack_.backlogged.add();
    backlog_.push_back(arrival);
    return;
  }
  if (reader_waits_ && stack_.params().prequeue() && backlog_bytes_ < settings_.receive_limit) {
    stack_.prequeued.add();
    const bool first = backlog_.empty();
    backlog_bytes_ += arrival.packet.bytes;
    backlog_.push_back(arrival);
    if (first) readers_.wake_all();
    return;
  }
  locked_ = true;
  if (!backlog_.empty()) {  // the reader could not keep up: in order
    backlog_.push_back(arrival);
  } else {
    handle(arrival);
  }
  unlock();
}

void TcpEndpoint::timer(tcp::Timer timer) {
  if (locked_) {
    timers_due_ |= bit(timer);
    return;
  }
  locked_ = true;
  connection_.on_timer(timer);
  after_call();
  unlock();
}

void TcpEndpoint::has_room() {
  room_due_ = true;
  if (locked_) return;
  locked_ = true;
  unlock();
}

void TcpEndpoint::sent(const SendQueue::Hold& hold) {
  send_.released(hold);
  settle();
}

void TcpEndpoint::unreachable() {
  if (connection_.state() != tcp::State::kSynSent || locked_) return;
  locked_ = true;
  connection_.abort();
  error_ = SocketError::kUnreachable;
  after_call();
  unlock();
}

/// The engine has returned: what follows from its state.
void TcpEndpoint::after_call() {
  stack_.stepped();
  if (ended_) {
    show({});
    return stack_.unbind(*this);
  }
  if (established_ && !handed_over_) {
    const tcp::Sender& sender = connection_.sender();
    show({sender.control().cwnd(), sender.next() - sender.una()});
  }
  if (attached_ || connection_.state() != tcp::State::kTimeWait || handed_over_) return;
  handed_over_ = true;
  show({});
  stack_.unbind(*this);
  TimeWait::Bucket bucket;
  bucket.ends = ends_;
  bucket.receive_next = tcp::to_wire(connection_.receiver().irs(), connection_.receiver().next());
  bucket.send_next = tcp::to_wire(iss_, connection_.sender().next());
  bucket.timestamps = timestamps_;
  bucket.peer_timestamp = peer_timestamp_;
  bucket.timestamp_offset = connection_.timestamp_offset();
  stack_.to_time_wait(bucket);
}

// What the engine says.

void TcpEndpoint::wake(tcp::Timer timer, std::uint64_t at) {
  stack_.timers().set(timers_[static_cast<std::size_t>(timer)], at);
}

void TcpEndpoint::established() {
  established_ = true;
  begin_stream();
  stack_.connections.add();
  if (listener_ != nullptr) listener_->established(*this);
  openers_.wake_all();
  tell(EndpointWatcher::News::kOpen);
}

/// The segment's size is agreed: what the buffers take.
void TcpEndpoint::begin_stream() {
  open_window();
  const DeviceFeatures& features = interface_->device().features();
  const std::uint32_t mss = connection_.sender().mss();
  std::uint32_t payload = mss;
  const bool cuts = features.tso_bytes != 0 && (!ends_.ipv6 || features.tso_ipv6);
  if (stack_.params().tso() && cuts && features.scatter_gather && features.checksum_tx) {
    constexpr std::uint32_t kLargestIp = 65535;
    constexpr std::uint32_t kMostHeader = 40 + 60;
    // The headers' own extent, the first buffer's linear part, and a page more for both ends that are cut.
    constexpr std::uint32_t kMostPages = TxPacket::kMostExtents - 3;
    const auto pages = static_cast<std::uint32_t>(kMostPages * stack_.params().send_page().count);
    const std::uint32_t most = std::min({features.tso_bytes, kLargestIp - kMostHeader, pages});
    payload = std::max(most - most % mss, mss);
    connection_.set_offload(payload);
  }
  send_.start(payload, features.scatter_gather);
}

void TcpEndpoint::readable(std::uint64_t) {
  if (!readers_.empty() && !stack_.params().posted_reads()) readers_.wake_all();
  tell(EndpointWatcher::News::kReadable);
}

/// Room for twice the congestion window (Linux, tcp_new_space()).
void TcpEndpoint::grow_send_memory() {
  const std::uint64_t most = stack_.params().send_buffer_most().count;
  if (settings_.send_limit_is_set || send_.limit() >= most) return;
  constexpr std::uint64_t kLeastSegments = 4;  // more than may be reordered
  constexpr std::uint64_t kHeaders = 256;      // MAX_TCP_HEADER
  const tcp::Sender& sender = connection_.sender();
  const std::uint64_t segments = std::max(sender.control().cwnd() / sender.mss(), kLeastSegments);
  const std::uint64_t wanted = 2 * (sender.mss() + kHeaders + stack_.params().buffer_overhead()) * segments;
  if (wanted > send_.limit()) send_.set_limit(std::min(wanted, most));
}

void TcpEndpoint::writable(std::uint64_t bytes) {
  send_.acknowledged(bytes);
  tell(EndpointWatcher::News::kRoom);
  if (stack_.params().send_by_call()) return call_acknowledged();
  grow_send_memory();
  if (!writers_.empty() && send_.worth_waking()) writers_.wake_all();
}

void TcpEndpoint::end_of_stream() {
  stream_ended_ = true;
  readers_.wake_all();
  tell(EndpointWatcher::News::kEnd);
}

void TcpEndpoint::ended(tcp::End why) {
  ended_ = true;
  stream_ended_ = true;
  if (!error_) {
    if (why == tcp::End::kReset) error_ = established_ ? SocketError::kReset : SocketError::kRefused;
    if (why == tcp::End::kTimedOut) error_ = SocketError::kTimedOut;
  }
  if (why != tcp::End::kClosed) stack_.connections_failed.add();
  send_.abandon();
  if (listener_ != nullptr) listener_->ended(*this);
  readers_.wake_all();
  writers_.wake_all();
  openers_.wake_all();
  tell(EndpointWatcher::News::kEnd);
}

void TcpEndpoint::show(const ConnectionView& now) {
  if (now.cwnd != shown_.cwnd) stack_.cwnd.add(static_cast<std::int64_t>(now.cwnd - shown_.cwnd));
  if (now.flight != shown_.flight) stack_.flight.add(static_cast<std::int64_t>(now.flight - shown_.flight));
  shown_ = now;
}

}  // namespace longhaul::host
