// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/tcp_input.h"

#include <algorithm>

#include "models/host/net/pattern.h"
#include "models/host/net/stack.h"

namespace longhaul::host {

TcpInput::TcpInput(Stack& stack, TcpEndpoint& socket)
    : stack_(stack),
      socket_(socket),
      queue_(stack.receive_buffers(), !stack.params().truesize()),
      memory_(stack.params()) {}

void TcpInput::prepare(std::uint16_t mss) {
  const std::uint64_t limit = socket_.settings().receive_limit;
  memory_.start(limit, stack_.tcp_config().window_start, mss);
  set_window_limit(memory_.worth(limit));
  if (is_tuned())
    socket_.engine().set_receive_most(memory_.worth(stack_.params().receive_buffer_most().count));
}

void TcpInput::set_window_limit(std::uint64_t bytes) {
  window_limit_ = bytes;
  socket_.engine().set_receive_limit(bytes);
}

void TcpInput::resume() {
  socket_.engine().set_receive_limit(window_limit_);
  if (is_tuned())
    socket_.engine().set_receive_most(memory_.worth(stack_.params().receive_buffer_most().count));
}

bool TcpInput::is_tuned() const {
  return !socket_.settings().receive_limit_is_set &&
         memory_.limit() < stack_.params().receive_buffer_most().count;
}

void TcpInput::grow_memory(std::uint64_t window) {
  const std::uint32_t mss = std::max(socket_.connection().sender().mss(), 1U);
  const std::uint64_t wanted =
      std::min(memory_.memory_for(window, mss), stack_.params().receive_buffer_most().count);
  if (wanted <= memory_.limit()) return;
  memory_.set_limit(wanted);
  window_limit_ = memory_.worth(wanted);
  if (!memory_.counts_memory()) socket_.engine().set_receive_limit(wanted);
}

std::uint64_t TcpInput::copy_out(Processor& processor, std::uint64_t user, std::uint64_t bytes) {
  const SocketSettings& settings = socket_.settings();
  std::uint64_t done = 0;
  while (done < bytes) {
    const Extent front = queue_.front();
    if (front.bytes == 0) break;
    const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(front.bytes, bytes - done));
    processor.copy(front.address, user + done, n, queue_.sum_due());
    if (settings.carries) stack_.pool().copy(front.address, user + done, n);
    if (settings.verify) {
      const auto wrong =
          pattern::first_wrong(queue_.read_offset(), stack_.pool().at(front.address), n);
      if (wrong) stack_.verify_errors.add();
      if (wrong && !mismatch_) mismatch_ = wrong;
    }
    processor.pay();
    queue_.consume(n);
    done += n;
  }
  return done;
}

void TcpInput::report_read() {
  tcp::Connection& engine = socket_.engine();
  const std::uint64_t bytes = queue_.read_offset() - reported_;
  if (bytes == 0) return;
  reported_ += bytes;
  if (socket_.away()) return socket_.place()->credit(bytes);
  if (is_tuned()) {
    if (const std::uint64_t window = tuning_.read(queue_.read_offset(), now_ps()))
      grow_memory(window);
  }
  socket_.discipline().update_window(engine.readable() - bytes, queue_.charged());
  engine.read(bytes);
  socket_.engine_returned();
}

bool TcpInput::sums_while_copying(const Arrival& arrival) const {
  const tcp::Segment& segment = arrival.segment;
  const tcp::Receiver& receiver = socket_.connection().receiver();
  if (segment.length == 0 || !socket_.is_established() || receiver.holes() != 0) return false;
  if (segment.has(tcp::kSyn) || segment.has(tcp::kFin) || segment.has(tcp::kRst)) return false;
  if (segment.seq != tcp::to_wire(receiver.irs(), receiver.next())) return false;
  return socket_.discipline().takes_at_once(unread() + segment.length);
}

Arrival TcpInput::summed(const Arrival& arrival) const {
  Arrival summed = arrival;
  summed.packet.checksum_good = !sums_while_copying(arrival);
  const std::uint32_t header = arrival.tcp_bytes - arrival.segment.length;
  Processor::current()->sum(arrival.payload - header,
                            summed.packet.checksum_good ? arrival.tcp_bytes : header);
  return summed;
}

void TcpInput::handle_data(const Arrival& arrival) {
  tcp::Connection& engine = socket_.engine();
  SocketDiscipline& discipline = socket_.discipline();
  const tcp::Receiver& receiver = engine.receiver();
  const std::int64_t first = tcp::from_wire(receiver.irs(), arrival.segment.seq, receiver.next());
  const std::int64_t last = first + arrival.segment.length;
  const auto next = static_cast<std::int64_t>(receiver.next());
  const auto edge = static_cast<std::int64_t>(receiver.window().edge());
  if (!socket_.has_user() && last > next && engine.state() != tcp::State::kSynReceived) {
    // RFC 1122, 4.2.2.13: no program will read the data, so the connection is reset.
    stack_.freed(arrival.packet);
    return engine.abort();
  }
  if (first > next) stack_.out_of_order.add();
  const bool fills_hole = first <= next && receiver.holes() != 0;
  if (last > next && !make_room() && !fills_hole) return drop_payload(arrival);
  const std::uint64_t charged = queue_.charged();
  const auto begin =
      static_cast<std::uint64_t>(std::max<std::int64_t>(std::max(first, next), 1)) - 1;
  const std::uint64_t end =
      last > next ? static_cast<std::uint64_t>(std::min(last, std::max(edge, next))) - 1 : begin;
  const auto bytes = static_cast<std::uint32_t>(end > begin ? end - begin : 0);
  const std::uint32_t charge = memory_.charge(arrival.packet.buffer_bytes, bytes);
  if (bytes != 0) {
    if (first <= next) memory_.grow(charge, bytes, charged);
    discipline.update_window(queue_.end_with(begin, bytes) - reported_, charged + charge);
  }
  engine.hold_acks(discipline.holds_acks(engine.readable() + bytes));
  engine.receive(arrival.segment);
  engine.hold_acks(false);
  if (is_tuned()) tuning_.arrived(receiver.next(), receiver.window().edge(), now_ps());
  const tcp::Position position = begin + 1;
  const bool taken =
      bytes != 0 && (end + 1 <= receiver.next() || receiver.waits(position, end + 1));
  if (!taken || socket_.is_over()) return stack_.freed(arrival.packet);
  stack_.data_bytes_in.add(bytes);
  discipline.seek(*Processor::current(), queue_.end() - queue_.read_offset(), bytes);
  const auto skipped = static_cast<std::uint64_t>(static_cast<std::int64_t>(position) - first);
  discipline.store(
      arrival, {begin, arrival.payload + skipped, bytes, charge, !arrival.packet.checksum_good});
}

/// Returns true if another segment fits. Over the limit, payload in wasteful buffers is copied
/// together into pages (Linux, tcp_collapse()).
bool TcpInput::make_room() {
  if (!memory_.counts_memory() || queue_.charged() <= memory_.limit()) {
    collapse_at_ = 0;
    return true;
  }
  if (queue_.charged() < collapse_at_) return false;  // little has come since the last time
  Processor& processor = *Processor::current();
  const NetParams& params = stack_.params();
  memory_.overrun(queue_.waiting() == 0 ? queue_.end() - queue_.read_offset() : 0);
  // A page also holds the buffer's trailer, which is half of the overhead.
  constexpr std::uint32_t kPage = 4096;
  const std::uint32_t most =
      kPage - SendQueue::kHeadroom - std::min(params.buffer_overhead() / 2, kPage / 2);
  queue_.collapse(
      kPage, most, kPage,
      [&](std::uint32_t counts, std::uint32_t payload) {
        return memory_.wasteful(counts, payload) && payload != most;
      },
      [&](std::uint64_t source, std::uint64_t target, std::uint32_t n) {
        processor.copy(source, target, n);
        stack_.pool().copy(source, target, n);
      },
      [&] {
        processor.execute(params.allocate_cycles());
        stack_.collapsed.add();
      });
  constexpr std::uint64_t kShare = 64;
  collapse_at_ = std::max(queue_.charged(), memory_.limit()) + memory_.limit() / kShare;
  return queue_.charged() <= memory_.limit();
}

/// Gives the engine a segment without its payload, because there is no memory for the payload.
void TcpInput::drop_payload(const Arrival& arrival) {
  stack_.drop_socket_memory.add();
  tcp::Segment rest = arrival.segment;
  rest.length = rest.mss = 0;
  rest.flags = static_cast<std::uint8_t>(rest.flags & ~(tcp::kFin | tcp::kPsh));
  stack_.freed(arrival.packet);
  socket_.engine().receive(rest);
}

}  // namespace longhaul::host
