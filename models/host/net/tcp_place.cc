// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/tcp_place.h"

#include <algorithm>
#include <utility>

#include "models/host/net/offloaded_endpoint.h"
#include "models/host/net/stack.h"
#include "models/host/net/tcp_endpoint.h"
#include "models/tcp/move.h"

namespace longhaul::host {

// The way to the adapter.

bool TcpPlace::may_go() const {
  const tcp::Connection& connection = socket_.connection();
  const tcp::Sender& sender = connection.sender();
  return socket_.may_send() && socket_.has_user() && tcp::Move::is_possible(connection) &&
         sender.una() >= until_ && (sender.unsent() == 0 || sender.window() > 0);
}

void TcpPlace::consider() {
  if (where_ != Where::kHost || refused_ || coming_back_ || !may_go()) return;
  const Neighbour& station = *socket_.neighbour();
  if (!station.known()) return;
  flow_ = offload_.take(*this, socket_.ends(), station.mac(),
                        OffloadedEndpoint::options(stack_, offload_, socket_.settings()),
                        tcp::Move::context(socket_.connection()));
  refused_ = flow_ == nullptr;
  if (!refused_) where_ = Where::kAsked;
}

void TcpPlace::on_place() {
  if (flow_ == nullptr) return;  // on_ended() follows
  if (!may_go()) {
    where_ = Where::kDeclined;
    return flow_->recall();
  }
  where_ = Where::kAdapter;
  tcp::Context context = tcp::Move::leave(socket_.engine());
  handed_ = context.next - 1;
  uncredited_ = 0;
  own_ = {context.cwnd, context.ssthresh};
  if (!offload_.window_moves()) {
    context.cwnd = adapters_.cwnd;
    context.ssthresh = adapters_.ssthresh;
  }
  flow_->give(context);
  socket_.engine_returned();
  send();
}

void TcpPlace::send() {
  SendQueue& queue = socket_.output().queue();
  while (where_ == Where::kAdapter && flow_ != nullptr && handed_ < queue.end()) {
    std::uint64_t length = std::min<std::uint64_t>(queue.end() - handed_, offload_.message_bytes());
    constexpr std::uint64_t kLeast = 256;
    while (!send_message(static_cast<std::uint32_t>(length))) {
      // A message has few pieces. Without memory for its header the host goes on itself.
      if (length <= kLeast) return take_back(Then::kNothing);
      length /= 2;
    }
  }
}

/// Returns false if the message has too many pieces, or there is no memory for its header.
bool TcpPlace::send_message(std::uint32_t length) {
  Processor& processor = *Processor::current();
  TxPacket packet{};
  const auto made = messages_.make(processor, socket_.output().queue(), handed_, length, packet);
  if (made == OffloadMessages::Made::kNoMemory) stack_.drop_no_memory.add();
  if (made != OffloadMessages::Made::kWhole) return false;
  processor.execute(offload_.costs().send);
  handed_ += length;
  stack_.data_bytes_out.add(length);
  flow_->send(packet, true);
  return true;
}

void TcpPlace::sent(std::uint64_t cookie) { socket_.sent(messages_.sent(cookie)); }

void TcpPlace::credit(std::uint64_t bytes) {
  uncredited_ += bytes;
  if (where_ != Where::kAdapter || flow_ == nullptr) return;
  constexpr std::uint64_t kGathered = 16384;  // as OffloadedEndpoint's
  const std::uint64_t window = offload_.receive_buffer();
  if (uncredited_ < offload_.credit_bytes() && uncredited_ + kGathered < window) return;
  flow_->credit(std::exchange(uncredited_, 0));
}

// News of the adapter.

void TcpPlace::tell(News news) {
  news_.push_back(news);
  socket_.has_news();
}

void TcpPlace::acknowledged(std::uint64_t bytes) {
  News news;
  news.kind = News::Kind::kAcknowledged;
  news.bytes = bytes;
  tell(news);
}

void TcpPlace::received(const RxPacket& data) {
  News news;
  news.kind = News::Kind::kReceived;
  news.data = data;
  tell(news);
}

void TcpPlace::place_found() { Processor::current()->raise(*this); }

bool TcpPlace::run() {
  if (stack_.input_backlog.value() != 0) return true;
  tell({});
  return false;
}

void TcpPlace::returned(const tcp::Context* context) {
  flow_ = nullptr;
  News news;
  news.kind = News::Kind::kReturned;
  if (context != nullptr) news.context = *context;
  tell(news);
}

void TcpPlace::ended(OffloadEnd why) {
  flow_ = nullptr;
  News news;
  news.kind = News::Kind::kEnded;
  news.why = why;
  tell(news);
}

void TcpPlace::handle() {
  while (!news_.empty()) {
    const News news = news_.pop_front();
    switch (news.kind) {
      case News::Kind::kPlace: on_place(); break;
      case News::Kind::kAcknowledged:
        Processor::current()->execute(offload_.costs().ack);
        socket_.writable(news.bytes);
        if (then_ == Then::kClose) take_back(Then::kClose);
        break;
      case News::Kind::kReceived: on_received(news.data); break;
      case News::Kind::kReturned: on_returned(news.context); break;
      case News::Kind::kEnded: on_ended(news.why); break;
    }
    Processor::current()->pay();
  }
}

void TcpPlace::on_received(const RxPacket& data) {
  Processor::current()->execute(offload_.costs().receive);
  if (!socket_.has_user()) {  // RFC 1122, 4.2.2.13: no program will read the data
    stack_.freed(data);
    return take_back(Then::kAbort);
  }
  stack_.data_bytes_in.add(data.bytes);
  Arrival arrival{data, {}, data.address, data.bytes};
  arrival.segment.flags = tcp::kAck | tcp::kPsh;  // the adapter's messages end so, or are full
  arrival.packet.checksum_good = true;
  TcpInput& input = socket_.input();
  const std::uint64_t end = input.queue().end();
  SocketDiscipline& discipline = socket_.discipline();
  discipline.seek(*Processor::current(), input.unread(), data.bytes);
  discipline.store(arrival, {end, data.address, data.bytes,
                             input.memory().charge(data.buffer_bytes, data.bytes), false});
  socket_.readable(data.bytes);
}

/// The end of a turn of the adapter.
void TcpPlace::on_returned(const std::optional<tcp::Context>& context) {
  where_ = Where::kHost;
  if (!context) return socket_.engine_returned();
  tcp::Context with = *context;
  adapters_ = {with.cwnd, with.ssthresh};
  if (!offload_.window_moves()) {
    with.cwnd = own_.cwnd;
    with.ssthresh = own_.ssthresh;
  }
  until_ = with.next;
  resume(with);
  for (const Arrival& arrival : std::exchange(early_, {})) socket_.lock().queue(arrival);
  const Then then = std::exchange(then_, Then::kNothing);
  if (then == Then::kClose) socket_.engine().close();
  if (then == Then::kAbort) socket_.engine().abort();
  coming_back_ = true;
  socket_.engine_returned();
  coming_back_ = false;
}

/// The host's TCP continues.
void TcpPlace::resume(const tcp::Context& context) {
  TcpOutput& output = socket_.output();
  const std::uint64_t acked = context.una - 1 - output.queue().begin();
  if (acked != 0) socket_.writable(acked);
  output.resume(context.next - 1);
  const tcp::Stats earlier = socket_.connection().stats();
  tcp::Connection& engine = socket_.renew();
  socket_.input().resume();
  tcp::Context with = context;
  with.unread = socket_.input().unreported();
  tcp::Move::resume(engine, with, output.queue().end() + 1, earlier);
}

void TcpPlace::on_ended(OffloadEnd why) {
  const bool lost = away();
  where_ = Where::kHost;
  refused_ = true;
  if (!lost) return socket_.engine_returned();
  drop_kept();
  socket_.lose(why == OffloadEnd::kReset ? SocketError::kReset : SocketError::kUnreachable);
}

TcpSnapshot TcpPlace::snapshot() const {
  return {handed_ - socket_.send_queue().begin(), std::nullopt};
}

void TcpPlace::drop_kept() {
  for (const Arrival& arrival : std::exchange(early_, {})) stack_.freed(arrival.packet);
}

void TcpPlace::take_back(Then then) {
  then_ = std::max(then_, then);
  if (where_ != Where::kAdapter || flow_ == nullptr) return;
  // The adapter sends the rest before the host closes.
  const SendQueue& queue = socket_.send_queue();
  if (then == Then::kClose && queue.begin() != queue.end()) return;
  where_ = Where::kRecalled;
  flow_->recall();
}

}  // namespace longhaul::host
