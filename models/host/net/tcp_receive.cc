// SPDX-License-Identifier: Apache-2.0
// Segments that arrive at an endpoint.
#include <algorithm>

#include "models/host/net/stack.h"
#include "models/host/net/tcp_endpoint.h"

namespace longhaul::host {

void TcpEndpoint::handle(const Arrival& arrival) {
  const NetParams& params = stack_.params();
  const tcp::Segment& segment = arrival.segment;
  Processor& processor = *Processor::current();
  const bool news = segment.has(tcp::kAck) &&
                    static_cast<std::int32_t>(segment.ack - tcp::to_wire(iss_, connection_.sender().una())) > 0;
  processor.execute((segment.length != 0 ? params.tcp_receive_cycles() : 0) +
                    (segment.length == 0 || news ? params.tcp_ack_cycles() : 0));
  if (segment.options.timestamps) peer_timestamp_ = segment.options.ts_value;
  if (ended_ || handed_over_) return stack_.freed(arrival.packet);
  const bool synchronized = connection_.state() >= tcp::State::kSynReceived;
  if (segment.length != 0 && synchronized && !segment.has(tcp::kSyn)) {
    handle_data(arrival);
  } else {
    connection_.receive(segment);
    stack_.freed(arrival.packet);
  }
  after_call();
}

/// Room as of the engine's next answer, when so much will be unread.
void TcpEndpoint::update_window(std::uint64_t unread, std::uint64_t charged) {
  if (memory_.counts_memory()) connection_.set_receive_limit(unread + memory_.window(charged));
  if (!stack_.params().posted_reads()) return;
  const std::uint64_t taken = std::min(unread, posted_room());  // by the call that waits, before anything is answered
  connection_.set_receive_limit(window_limit_ + taken + std::min(unread - taken, ahead()));
}

bool TcpEndpoint::tunes() const {
  return !settings_.receive_limit_is_set && memory_.limit() < stack_.params().receive_buffer_most().count;
}

void TcpEndpoint::grow_receive_memory(std::uint64_t window) {
  const std::uint32_t mss = std::max(connection_.sender().mss(), 1U);
  const std::uint64_t wanted = std::min(memory_.memory_for(window, mss), stack_.params().receive_buffer_most().count);
  if (wanted <= memory_.limit()) return;
  memory_.set_limit(wanted);
  settings_.receive_limit = wanted;
  window_limit_ = memory_.worth(wanted);
  if (!memory_.counts_memory()) connection_.set_receive_limit(wanted);
}

void TcpEndpoint::handle_data(const Arrival& arrival) {
  const tcp::Receiver& receiver = connection_.receiver();
  const std::int64_t first = tcp::from_wire(receiver.irs(), arrival.segment.seq, receiver.next());
  const std::int64_t last = first + arrival.segment.length;
  const auto next = static_cast<std::int64_t>(receiver.next());
  const auto edge = static_cast<std::int64_t>(receiver.window().edge());
  if (!attached_ && last > next && connection_.state() != tcp::State::kSynReceived) {
    // RFC 1122, 4.2.2.13: nobody will read it.
    stack_.freed(arrival.packet);
    return connection_.abort();
  }
  const bool fills_hole = first <= next && receiver.holes() != 0;
  if (last > next && !make_room() && !fills_hole) return drop_payload(arrival);
  const std::uint64_t charged = receive_.charged();
  const auto begin = static_cast<std::uint64_t>(std::max<std::int64_t>(std::max(first, next), 1)) - 1;
  const std::uint64_t end = last > next ? static_cast<std::uint64_t>(std::min(last, std::max(edge, next))) - 1 : begin;
  const auto bytes = static_cast<std::uint32_t>(end > begin ? end - begin : 0);
  const std::uint32_t charge = memory_.charge(arrival.packet.buffer_bytes, bytes);
  if (bytes != 0) {
    if (first <= next) memory_.grow(charge, bytes, charged);
    update_window(receive_.end_with(begin, bytes) - told_read_, charged + charge);
  }
  connection_.hold_acks(reader_room_ != 0 && connection_.readable() + bytes <= reader_room_);
  connection_.receive(arrival.segment);
  connection_.hold_acks(false);
  if (tunes()) tuning_.arrived(receiver.next(), receiver.window().edge(), now());
  const tcp::Position position = begin + 1;
  const bool taken = bytes != 0 && (end + 1 <= receiver.next() || receiver.waits(position, end + 1));
  if (!taken || ended_) return stack_.freed(arrival.packet);
  stack_.data_bytes_in.add(bytes);
  walk(*Processor::current(), receive_.end() - receive_.read_offset(), bytes);
  std::uint64_t address = arrival.payload + static_cast<std::uint64_t>(static_cast<std::int64_t>(position) - first);
  if (!stack_.params().posted_reads()) return receive_.insert(arrival.packet, begin, address, bytes, charge);
  const RxPacket kept = set_aside(arrival, address, bytes);
  receive_.insert(kept, begin, address, bytes, charge);
  fill_posted(arrival.segment.has(tcp::kPsh));
}

/// Whether another segment fits. Over the limit, what lies in wasteful buffers is copied together into pages (Linux, tcp_collapse()).
bool TcpEndpoint::make_room() {
  if (!memory_.counts_memory() || receive_.charged() <= memory_.limit()) {
    collapse_at_ = 0;
    return true;
  }
  if (receive_.charged() < collapse_at_) return false;  // little has come since the last time
  Processor& processor = *Processor::current();
  const NetParams& params = stack_.params();
  memory_.overrun(receive_.waiting() == 0 ? receive_.end() - receive_.read_offset() : 0);
  // A page holds the buffer's trailer, too, which counts for half of the overhead.
  constexpr std::uint32_t kPage = 4096;
  const std::uint32_t most = kPage - SendQueue::kHeadroom - std::min(params.buffer_overhead() / 2, kPage / 2);
  receive_.collapse(
      kPage, most, kPage,
      [&](std::uint32_t counts, std::uint32_t payload) { return memory_.wasteful(counts, payload) && payload != most; },
      [&](std::uint64_t source, std::uint64_t target, std::uint32_t n) {
        processor.copy(source, target, n);
        stack_.pool().copy(source, target, n);
      },
      [&] {
        processor.execute(params.allocate_cycles());
        stack_.collapsed.add();
      });
  constexpr std::uint64_t kShare = 64;
  collapse_at_ = std::max(receive_.charged(), memory_.limit()) + memory_.limit() / kShare;
  return receive_.charged() <= memory_.limit();
}

/// There is no room for its payload, but its acknowledgement counts.
void TcpEndpoint::drop_payload(const Arrival& arrival) {
  stack_.drop_socket_memory.add();
  tcp::Segment rest = arrival.segment;
  rest.length = rest.mss = 0;
  rest.flags = static_cast<std::uint8_t>(rest.flags & ~(tcp::kFin | tcp::kPsh));
  stack_.freed(arrival.packet);
  connection_.receive(rest);
}

}  // namespace longhaul::host
