// SPDX-License-Identifier: Apache-2.0
// One random connection: its user at the engine's host, and its peer.
#include <fmt/format.h>

#include <algorithm>

#include "tests/unit/models/toe/random_world.h"
#include "tests/unit/models/toe/rig.h"

namespace longhaul::toe::rig {
namespace {

constexpr std::uint64_t kSendBuffer = 49152;
constexpr std::uint16_t kServerPort = 80;
constexpr std::uint16_t kFirstPeerPort = 2000;

}  // namespace

Flow::Flow(World& world, std::uint32_t number, const Plan& plan, const tcp::TcpParams& peer)
    : world_(world),
      number_(number),
      plan_(plan),
      config_(tcp::resolve(peer, "peer")),
      peer_(config_, *this) {
  ends_ = {kHere, kThere, kServerPort, static_cast<std::uint16_t>(kFirstPeerPort + number)};
  if (plan.engine_opens) ends_.local_port = static_cast<std::uint16_t>(1024 + number % 900);
}

void Flow::start() {
  const tcp::Opening opening{0x30000000 + number_ * 7919, plan_.peer_mss};
  if (plan_.engine_opens) {
    peer_.listen(opening);
    open();
  } else {
    peer_.connect(opening);
    peer_write();
  }
  if (plan_.upset != Plan::Upset::kNone) world_.calls.after(plan_.upset_ps, [this] { upset(); });
}

void Flow::upset() {
  if (plan_.upset == Plan::Upset::kPeerAborts) peer_.abort();
  // A RST may be lost, so in the end the host gives up itself.
  const bool late = plan_.upset != Plan::Upset::kHostAborts;
  world_.calls.after(late ? 400 * kSecond : 0, [this] {
    if (over_ || abort_sent_ || !tid_ || host_is_done()) return;
    abort_sent_ = true;
    world_.control(AbortRequest{*tid_, world_.dice.chance(0.9)});
  });
}

bool Flow::done() const {
  switch (plan_.upset) {
    case Plan::Upset::kNone:
      return close_reply_ && peer_closed_ && peer_saw_end_ && received_ == plan_.from_peer &&
             peer_received_ == plan_.from_engine;
    case Plan::Upset::kHostRejects: return peer_ended_.has_value();
    default: return over_ || (!tid_ && peer_ended_) || host_is_done();
  }
}

std::string Flow::describe() const {
  return fmt::format(
      "connection {} (tid {}): upset {}, host {} of {} B acknowledged, {} of {} B received, closed "
      "{}{}{}; peer {} {} of {} B written, {} of {} B received{}",
      number_, tid_ ? static_cast<int>(*tid_) : -1, static_cast<int>(plan_.upset), acked_,
      plan_.from_engine, received_, plan_.from_peer, close_sent_, close_reply_, peer_closed_,
      tcp::to_text(peer_.state()), peer_written_, plan_.from_peer, peer_received_,
      plan_.from_engine, over_ ? ", over" : "");
}

// --- The host ------------------------------------------------------------------------------------

void Flow::open() { world_.control(ActOpenRequest{number_, ends_, plan_.options}); }

void Flow::host_told(Tid tid) {
  tid_ = tid;
  world_.map(tid, this);
}

void Flow::host_established(const Established& message) {
  host_told(message.tid);
  established_ = true;
  rcv_isn_ = message.rcv_isn;
  host_write();
}

void Flow::host_write() {
  if (!established_ || over_ || abort_sent_) return;
  while (offered_ < plan_.from_engine && offered_ - acked_ < kSendBuffer) {
    if (!world_.may_send(*this)) return;
    const auto bytes =
        static_cast<std::uint32_t>(std::min({plan_.from_engine - offered_, plan_.largest_write,
                                             world_.dice.between(1, Frame::kMaxBytes)}));
    const bool last = offered_ + bytes == plan_.from_engine;
    TxData data{*tid_, piece(2 * number_, offered_, bytes), last || world_.dice.chance(0.7)};
    if (!world_.data(std::move(data), *this)) return;
    offered_ += bytes;
  }
  // A gap between pieces may leave less than a segment unpushed, so the window must not hold the
  // host.
  host_maybe_close();
}

void Flow::host_maybe_close() {
  if (close_sent_ || !established_ || over_ || abort_sent_ || offered_ < plan_.from_engine) return;
  if (plan_.host_closes_last && !peer_closed_) return;
  if (!world_.may_send(*this) || !world_.data(CloseRequest{*tid_}, *this)) return;
  close_sent_ = true;
}

void Flow::host_wrote(std::uint32_t acked) {
  acked_ += acked;
  if (acked_ > offered_) world_.fail(describe() + ": acknowledged what was not written");
  host_write();
}

void Flow::host_received(const RxData& data) {
  const std::uint32_t length = data.bytes->size();
  if (data.seq != rcv_isn_ + 1 + static_cast<std::uint32_t>(received_))
    world_.fail(describe() + ": bytes out of order");
  const std::uint8_t* const bytes = data.bytes->data();
  for (std::uint32_t i = 0; i < length; ++i) {
    if (bytes[i] == pattern(2 * number_ + 1, received_ + i)) continue;
    world_.fail(fmt::format("{}: wrong byte at {}", describe(), received_ + i));
    break;
  }
  received_ += length;
  if (received_ > plan_.from_peer || peer_closed_)
    world_.fail(describe() + ": more bytes than were written");
  const std::uint64_t dma = world_.dice.upto(plan_.host_pauses ? kMs : 10 * kUs);
  world_.calls.after(dma, [this, data] { world_.engine.taken(data); });
  const std::uint64_t reading = plan_.host_pauses ? world_.dice.upto(300 * kMs) : dma;
  world_.calls.after(reading, [this, length] {
    if (!over_ && !abort_sent_ && !host_is_done()) world_.control(RxCredits{*tid_, length});
  });
}

void Flow::host_peer_closed() {
  peer_closed_ = true;
  if (plan_.upset == Plan::Upset::kNone && received_ != plan_.from_peer)
    world_.fail(describe() + ": the stream ended early");
  host_maybe_close();
}

void Flow::host_closed() { close_reply_ = true; }
void Flow::host_over() { over_ = true; }

void Flow::host_failed(Error error) {
  if (error == Error::kTableFull || error == Error::kNoMemory || error == Error::kInUse) {
    world_.calls.after(kSecond, [this] { open(); });
    return;
  }
  over_ = true;
  if (plan_.upset == Plan::Upset::kNone)
    world_.fail(fmt::format("{}: {}", describe(), toe::to_text(error)));
}

// --- The peer ------------------------------------------------------------------------------------

void Flow::arrive(const Inbound& in, const FrameRef& frame) {
  if (in.segment.length > 0 && peer_.state() >= tcp::State::kSynReceived) {
    // The bytes are checked wherever they belong, in order or not, new or not.
    const std::uint32_t isn = peer_.receiver().irs();
    const std::int64_t at = tcp::from_wire(isn, in.segment.seq, peer_.receiver().next()) - 1;
    const std::uint8_t* const bytes = frame->data() + in.payload_at;
    for (std::uint32_t i = 0; i < in.segment.length; ++i) {
      if (at >= 0 && bytes[i] == pattern(2 * number_, static_cast<std::uint64_t>(at) + i)) continue;
      world_.fail(fmt::format("{}: wrong byte at {} on the wire", describe(), at + i));
      break;
    }
  }
  peer_.receive(in.segment);
}

void Flow::wake(tcp::Timer timer, std::uint64_t at) {
  const std::uint64_t wish = ++wishes_[static_cast<std::size_t>(timer)];
  world_.calls.at(at, [this, timer, wish] {
    if (wish == wishes_[static_cast<std::size_t>(timer)]) peer_.on_timer(timer);
  });
}

bool Flow::transmit(tcp::Segment& segment) {
  world_.to_engine(ends_, segment, 2 * number_ + 1);
  return true;
}

void Flow::established() {
  world_.calls.after(0, [this] { peer_write(); });
}

void Flow::readable(std::uint64_t bytes) {
  peer_received_ += bytes;
  if (peer_reading_) return;
  peer_reading_ = true;
  const std::uint64_t pause = plan_.peer_pauses ? world_.dice.upto(200 * kMs) : 0;
  world_.calls.after(pause, [this] {
    peer_reading_ = false;
    peer_.read(peer_.readable());
  });
}

void Flow::peer_write() {
  if (peer_written_ < plan_.from_peer) {
    const std::uint64_t bytes = std::min(plan_.from_peer - peer_written_, plan_.largest_write);
    if (!peer_.write(bytes)) return;
    peer_written_ += bytes;
    world_.calls.after(world_.dice.upto(kMs), [this] { peer_write(); });
    return;
  }
  peer_maybe_close();
}

void Flow::peer_maybe_close() {
  if (peer_close_called_ || peer_written_ < plan_.from_peer) return;
  if (plan_.peer_closes_last && !peer_saw_end_) return;
  // An end that closes before it is open would take its SYN back.
  if (peer_.state() < tcp::State::kEstablished) return;
  peer_close_called_ = true;
  peer_.close();
}

void Flow::end_of_stream() {
  peer_saw_end_ = true;
  if (plan_.upset == Plan::Upset::kNone && peer_received_ != plan_.from_engine)
    world_.fail(describe() + ": the peer's stream ended early");
  world_.calls.after(0, [this] { peer_maybe_close(); });
}

}  // namespace longhaul::toe::rig
