// SPDX-License-Identifier: Apache-2.0
#include "models/toe/tcb.h"

#include <algorithm>
#include <utility>

#include "models/tcp/move.h"
#include "models/toe/tcb_fields.h"

namespace longhaul::toe {
namespace {

constexpr std::uint8_t kMostScale = 14;  // RFC 7323, 2.3
constexpr std::uint64_t kLargestField = 65535;

}  // namespace

Tcb::Tcb(TcbOwner& owner, Tid tid, std::uint32_t epoch, const Ends& ends, bool active,
         std::uint32_t opener)
    : owner_(owner),
      tid_(tid),
      epoch_(epoch),
      ends_(ends),
      active_(active),
      opener_(opener),
      tx_(owner),
      wait_(owner.send_waits()),
      rx_(owner, tid, epoch) {}

Tcb::~Tcb() {
  tx_.release_all();
  owner_.counts().forgotten(counted_);
}

void Tcb::start(const tcp::TcpConfig& config, const ConnectionOptions& options) {
  options_ = options;
  life_ = Life::kOpening;
  connection_.emplace(config, static_cast<tcp::Environment&>(*this));
  connection_->set_nodelay(options.nodelay);
  // The scale is the host's wish, so the buffer must not exceed what the scale can express.
  const std::uint64_t most = kLargestField << std::min(options.window_scale, kMostScale);
  options_.receive_buffer =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(options.receive_buffer, most));
  refresh_window();
  connection_->set_receive_most(most);
}

void Tcb::connect(const tcp::TcpConfig& config, const ConnectionOptions& options,
                  const tcp::Opening& opening) {
  announced_ = true;
  start(config, options);
  iss_ = opening.iss;
  connection_->connect(opening);
  settle();
}

void Tcb::ask(const tcp::Segment& syn, const Origin& origin, bool announced) {
  life_ = Life::kAsking;
  origin_ = origin;
  announced_ = announced;
  syn_ = syn;
}

void Tcb::accept(const tcp::TcpConfig& config, const ConnectionOptions& options,
                 const tcp::Opening& opening) {
  start(config, options);
  iss_ = opening.iss;
  connection_->listen(opening);
  connection_->receive(syn_);
  settle();
}

void Tcb::wake(tcp::Timer timer, std::uint64_t at) {
  const auto kind = static_cast<std::uint8_t>(timer);
  requests_[kind] = owner_.request_timer(*this, kind, at);
}

bool Tcb::transmit(tcp::Segment& segment) {
  if (segment.length > 0 || segment.has(tcp::kFin)) {
    if (permits_ == 0) {
      wants_token_ = true;
      return false;
    }
    --permits_;
  }
  if (mute_) return true;
  if (segment.length > 0) tx_.sent(segment);
  owner_.send(*this, segment);
  return true;
}

// --- Receiving -----------------------------------------------------------------------------------

void Tcb::refresh_window() {
  const std::uint64_t room = connection_->readable() + rx_.room(fresh_);
  connection_->set_receive_limit(std::min<std::uint64_t>(options_.receive_buffer, room));
}

void Tcb::receive(const tcp::Segment& segment, const std::uint8_t* payload, std::uint32_t stored) {
  heard_ps_ = now_ps();
  refresh_window();
  const tcp::Receiver& receiver = connection_->receiver();
  // Before the peer's SYN, payload has no place, and TCP drops it.
  RxStream::Place place;
  if (connection_->state() >= tcp::State::kSynReceived) place = RxStream::place(receiver, segment);
  if (!rx_.make_room(receiver, place)) return;
  connection_->receive(segment);
  const bool filled = rx_.store(receiver, place, payload, stored);
  tell_established();  // the ACK of a SYN may bring data
  if (const std::uint64_t fresh = std::exchange(fresh_, 0)) {
    const bool push = segment.has(tcp::kPsh) && owner_.params().coalesce_push();
    const bool at_once = !options_.coalesce || filled;
    // A request that is under way is for an earlier block, and asks again when it goes off.
    if (rx_.gather(fresh, at_once, push, receiver.irs()) && requests_[kCoalesceTimer] == 0)
      requests_[kCoalesceTimer] = owner_.request_timer(*this, kCoalesceTimer, rx_.gather_until());
  }
  settle();
}

void Tcb::taken(std::uint32_t bytes) {
  rx_.taken(bytes, connection_ && connection_->receiver().holes() > 0);
}

void Tcb::credit(std::uint32_t bytes) {
  // A host cannot give back more than it was given.
  const std::uint64_t given_back = rx_.credit(bytes);
  refresh_window();
  connection_->read(given_back);
  settle();
}

// --- Sending -------------------------------------------------------------------------------------

void Tcb::write(const TxData& data) {
  if (connection_->sender().fin_queued() || !tx_.store(data)) return;
  const std::uint32_t mss = connection_->sender().mss();
  // While pages are few, nothing waits in them for more data: those might wait for the same pages.
  const bool few = !owner_.payload().fits(PayloadMemory::Half::kTransmit, {}, 0, 1,
                                          owner_.params().pm_kept_pages());
  const std::uint64_t bytes_now = tx_.push(data.push || few, mss);
  if (bytes_now > 0) {
    const std::uint64_t segments = bytes_now / mss + 2;
    permits_ = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(segments, owner_.room_for_segments(mss)));
    connection_->write(bytes_now);
    // A connection with a token has more to send than this.
    if (token_queued_ && permits_ > 0) connection_->on_room();
    permits_ = 0;
  }
  settle();
}

void Tcb::close() {
  permits_ = 1;
  if (tx_.unpushed() > 0) connection_->write(tx_.push(true, 0));
  connection_->close();
  permits_ = 0;
  settle();
}

void Tcb::abort(bool send_reset) {
  mute_ = !send_reset;
  if (connection_) {
    connection_->abort();
    return settle();
  }
  // The host answers a SYN by an abort.
  owner_.post(AbortReply{tid_, Error::kNone});
  life_ = Life::kOver;
}

void Tcb::modulate() {
  token_queued_ = false;
  const std::uint32_t room = owner_.room_for_segments(connection_->sender().mss());
  permits_ = std::max(std::min(owner_.params().modulation_segments(), room), 1U);
  connection_->on_room();
  permits_ = 0;
  settle();
}

void Tcb::on_timer(std::uint8_t kind) {
  requests_[kind] = 0;
  if (kind == kCoalesceTimer) {
    if (rx_.gather_until() <= now_ps()) {
      flush();
    } else if (rx_.gather_until() != RxStream::kNever) {
      requests_[kind] = owner_.request_timer(*this, kind, rx_.gather_until());
    }
  } else if (kind == kFinWait2Timer) {
    const std::uint64_t due = heard_ps_ + owner_.fin_wait2_ps();
    if (connection_->state() != tcp::State::kFinWait2) return;
    if (due > now_ps()) {
      requests_[kind] = owner_.request_timer(*this, kind, due);
      return;
    }
    fin_wait2_over_ = true;
    connection_->abort();
  } else {
    running_timer_ = static_cast<tcp::Timer>(kind);
    if (moves_ && tcp::Move::is_unanswered(*connection_, running_timer_)) return give_back(true);
    permits_ = 1;
    connection_->on_timer(running_timer_);
    permits_ = 0;
  }
  settle();
}

bool Tcb::set(TcbField field, std::uint32_t value) {
  switch (field) {
    case TcbField::kNodelay:
      if (value > 1) return false;
      options_.nodelay = value != 0;
      permits_ = 1;
      connection_->set_nodelay(options_.nodelay);
      permits_ = 0;
      break;
    case TcbField::kCoalesce:
      if (value > 1) return false;
      options_.coalesce = value != 0;
      if (!options_.coalesce) flush();
      break;
    case TcbField::kReceiveBuffer: {
      const std::uint64_t most = kLargestField << std::min(options_.window_scale, kMostScale);
      if (value == 0 || value > most) return false;
      options_.receive_buffer = value;
      refresh_window();
      break;
    }
    case TcbField::kTos:
      if (value > 0xff) return false;
      options_.tos = static_cast<std::uint8_t>(value);
      break;
    case TcbField::kL2tIndex:
      if (value > 0xffff) return false;
      options_.l2t_index = static_cast<std::uint16_t>(value);
      break;
    default: return false;  // a driver may name any field
  }
  settle();
  return true;
}

// --- The host's news -----------------------------------------------------------------------------

void Tcb::tell_established() {
  if (!established_ || told_established_) return;
  told_established_ = true;
  announced_ = true;
  life_ = Life::kOpen;
  owner_.post(Established{active_, opener_, tid_, ends_, iss_, connection_->receiver().irs(),
                          connection_->sender().mss()});
}

void Tcb::settle() {
  owner_.counts().moved(counted_, connection_->state());
  counted_ = connection_->state();
  tell_established();
  if (const std::uint64_t bytes = std::exchange(acked_, 0)) tx_.acknowledged(bytes);
  if (const std::uint64_t bytes = tx_.tell(connection_->sender().everything_acked())) {
    owner_.post(
        TxDataAck{tid_, tcp::to_wire(iss_, tx_.una() + 1), static_cast<std::uint32_t>(bytes)});
  }
  if (peer_closed_ && !told_peer_closed_) {
    told_peer_closed_ = true;
    flush();
    owner_.post(PeerClose{
        tid_, tcp::to_wire(connection_->receiver().irs(), connection_->receiver().next())});
  }
  if (connection_->sender().fin_acked()) told_closed();
  if (ended_) {
    finish();
  } else if (wants_token_ && !token_queued_) {
    token_queued_ = true;
    owner_.queue_token(*this);
  }
  wants_token_ = false;
  wait_.update(life_ == Life::kOpen && connection_ ? &*connection_ : nullptr, token_queued_);
}

void Tcb::told_closed() {
  if (std::exchange(told_closed_, true)) return;
  const tcp::Connection& connection = *connection_;
  owner_.post(CloseReply{tid_, tcp::to_wire(iss_, connection.sender().next()),
                         tcp::to_wire(connection.receiver().irs(), connection.receiver().next())});
  if (connection.state() == tcp::State::kFinWait2 && owner_.fin_wait2_ps() != 0)
    requests_[kFinWait2Timer] =
        owner_.request_timer(*this, kFinWait2Timer, now_ps() + owner_.fin_wait2_ps());
}

Error Tcb::error() const {
  if (fin_wait2_over_) return Error::kFinWait2TimedOut;
  if (*ended_ == tcp::End::kReset) return Error::kReset;
  if (!told_established_) return Error::kTimedOut;
  switch (running_timer_) {
    case tcp::Timer::kPersist: return Error::kPersistTimedOut;
    case tcp::Timer::kKeepalive: return Error::kKeepaliveTimedOut;
    default: return Error::kSendTimedOut;
  }
}

/// TCP has ended the connection: tells the host, and frees what it does not need.
void Tcb::finish() {
  tx_.release_all();
  if (life_ == Life::kDead || life_ == Life::kOver) return;
  life_ = Life::kOver;
  if (!announced_) return;  // a server accepted by itself, and the host never heard of it
  if (*ended_ == tcp::End::kClosed) return told_closed();
  if (*ended_ == tcp::End::kAborted && !fin_wait2_over_)
    return owner_.post(AbortReply{tid_, Error::kNone});
  if (active_ && !told_established_) return owner_.post(ActOpenReply{opener_, tid_, error()});
  flush();
  owner_.post(Aborted{tid_, error()});
  life_ = Life::kDead;
}

TcbFields Tcb::fields() const {
  return connection_ ? fields_of(*connection_, iss_, tx_.unpushed()) : TcbFields{};
}

}  // namespace longhaul::toe
