// SPDX-License-Identifier: Apache-2.0
#include "models/booster/flow.h"

#include <algorithm>
#include <utility>

namespace longhaul::booster {
namespace {

/// Bytes that one step moves in each direction before other tasks run.
constexpr std::uint64_t kTurn = 1ULL << 20U;
/// While more data is coming, a smaller chunk is not worth its own header.
constexpr std::uint64_t kWorthwhile = 1448;

}  // namespace

void Flow::Leg::on_event(host::SocketEvent event) {
  if (event == host::SocketEvent::kWritable && !flow->waits_for_room_ && this != &flow->edge_)
    return;
  flow->wake();
}

Flow::Flow(FlowOwner& owner, TaskQueue& queue, const tcp::Endpoints& ends, bool near)
    : Task(queue), owner_(owner), ends_(ends), near_(near), opened_at_(now_ps()) {
  edge_.flow = this;
  for (std::uint32_t i = 0; i < owner.params().connections(); ++i) {
    line_.push_back(std::make_unique<Leg>());
    line_.back()->flow = this;
  }
}

Flow::~Flow() = default;

bool Flow::is_open() const { return joined_ == line_.size(); }

bool Flow::split(bool announce) {
  const tcp::Endpoints ours = near_ ? host::reversed(ends_) : ends_;
  const std::uint64_t tick = owner_.stack().tcp_config().timestamp_tick;
  tcp::Handover handover =
      near_ ? handshake_.to_opener(now_ps(), tick) : handshake_.to_responder(now_ps(), tick);
  handover.announce = announce;
  if (!edge_.socket.take_over(owner_.edge_interface(), owner_.edge_settings(), ours, handover,
                              edge_))
    return false;
  wake();
  return true;
}

/// Calls the partner, once for each connection.
void Flow::call() {
  called_ = true;
  for (const auto& leg : line_) {
    if (!leg->socket.connect(owner_.stack(), owner_.line_settings(), owner_.partner(), *leg)) {
      aborted_ = true;
      return;
    }
  }
}

void Flow::greet(host::Process& process) {
  for (std::size_t i = 0; i < line_.size(); ++i) {
    Leg& leg = *line_[i];
    if (leg.greeted || !leg.socket.is_established()) continue;
    write(Greeting{ends_, handshake_.initial(), static_cast<std::uint32_t>(i),
                   static_cast<std::uint32_t>(line_.size())},
          owner_.stack().pool().to_write(owner_.scratch(), Greeting::kBytes));
    leg.greeted = leg.socket.put(process, owner_.scratch(), Greeting::kBytes);
    if (leg.greeted) ++joined_;
  }
}

void Flow::join(host::RelaySocket call, const Greeting& greeting) {
  if (near_ || greeting.count != line_.size() || line_[greeting.index]->socket.is_open())
    return call.abandon();
  Leg& leg = *line_[greeting.index];
  leg.socket = call;
  leg.greeted = true;
  ++joined_;
  leg.socket.watch(&leg);
  wake();
}

/// Returns true if a connection ended in another way than by FINs of both sides.
bool Flow::has_broken() const {
  const auto broken = [](const Leg& leg) {
    return leg.socket.is_open() && leg.socket.is_over() && leg.socket.error().has_value();
  };
  return aborted_ || broken(edge_) ||
         std::any_of(line_.begin(), line_.end(), [&](const auto& leg) { return broken(*leg); });
}

void Flow::release(Leg& leg, host::Process& process) {
  if (!leg.socket.is_open()) return;
  leg.socket.watch(nullptr);
  leg.socket.close(process);
}

/// Resets all open connections, so that the partner and the end learn of the failure.
void Flow::break_off(host::Process& process) {
  const auto drop = [&](Leg& leg) {
    if (!leg.socket.is_open()) return;
    leg.socket.watch(nullptr);
    leg.socket.reset();
    release(leg, process);
  };
  // If the connections failed before the ends completed their handshake, the near relay keeps the
  // flow. It resets the ends when they continue.
  const bool early = near_ && !edge_.socket.is_open() && !given_up_;
  // If the partner cannot be called or has no room, the far end knows the flow only from forwarded
  // segments. It gets a RST in the opener's name.
  if (near_ && edge_.socket.is_open() && !replaced_) {
    tcp::Segment reset = handshake_.last_ack();
    reset.flags = tcp::kRst | tcp::kAck;
    owner_.stack().send_alone(ends_, reset);
  }
  drop(edge_);
  for (const auto& leg : line_) drop(*leg);
  aborted_ = false;
  filling_ = nullptr;
  failed_ = true;
  if (early) return;
  over_ = true;
  owner_.over(*this, true);
}

void Flow::step(host::Process& process) {
  if (over_) return;
  if (has_broken()) return break_off(process);
  if (failed_) return;
  if (near_ && !called_) call();
  if (has_broken()) return break_off(process);
  if (near_) greet(process);
  const bool more_out = pump_out(process);
  const bool more_in = pump_in(process);
  if (has_broken()) return break_off(process);
  if (more_out || more_in) return wake();
  finish(process);
}

/// Chooses the connection for the next `bytes`. Returns null if none has room.
///
/// A whole chunk stays on one connection, so that its segments fill. When the connection changes,
/// the old one sends its unsent data: data on other connections has to wait for it.
Flow::Leg* Flow::choose(host::Process& process, std::uint64_t bytes) {
  if (filling_ != nullptr && run_left_ != 0 && filling_->socket.room() >= bytes) return filling_;
  Leg* best = nullptr;
  for (const auto& leg : line_) {
    if (best == nullptr || leg->socket.room() > best->socket.room()) best = leg.get();
  }
  if (best->socket.room() < bytes) return nullptr;
  if (filling_ != nullptr && filling_ != best) filling_->socket.push(process);
  run_left_ = owner_.params().chunk().count;
  return filling_ = best;
}

bool Flow::send_chunk(host::Process& process, Leg& leg, const Chunk& chunk) {
  write(chunk, owner_.stack().pool().to_write(owner_.scratch(), Chunk::kBytes));
  return leg.socket.put(process, owner_.scratch(), Chunk::kBytes);
}

/// Moves data from the end to the partner. Returns true if there is more to do at once.
bool Flow::pump_out(host::Process& process) {
  if (!edge_.socket.is_open() || !is_open() || fin_sent_) return false;
  waits_for_room_ = false;
  if (near_ && !open_sent_)
    open_sent_ = send_chunk(process, *line_.front(), {Chunk::Kind::kOpen, 0, 0});
  host::RelaySocket& edge = edge_.socket;
  for (std::uint64_t turn = 0; turn < kTurn;) {
    if (filling_left_ != 0) {
      waits_for_room_ = true;  // room may come while it moves
      const std::uint64_t moved = edge.splice(process, filling_left_, filling_->socket);
      owner_.relayed(moved);
      filling_left_ -= moved;
      turn += moved;
      waits_for_room_ = filling_left_ != 0;
      if (waits_for_room_) return false;
      continue;
    }
    const std::uint64_t there = edge.available();
    const bool ends = there == 0 && edge.stream_ended();  // its TIME-WAIT may be over by now
    if (there == 0 && !ends) return false;
    Leg* const leg = choose(process, Chunk::kBytes + std::min(there, kWorthwhile));
    if (leg == nullptr) {
      waits_for_room_ = true;
      return false;
    }
    if (ends) {
      fin_sent_ = send_chunk(process, *leg, {Chunk::Kind::kFin, 0, out_});
      return false;
    }
    const std::uint64_t bytes = std::min({there, run_left_, leg->socket.room() - Chunk::kBytes});
    if (!send_chunk(process, *leg, {Chunk::Kind::kData, static_cast<std::uint32_t>(bytes), out_}))
      return false;
    out_ += bytes;
    filling_left_ = bytes;
    run_left_ -= bytes;
  }
  return true;
}

/// Reads the header of the next message, if all of it has arrived.
bool Flow::take_chunk(host::Process& process, Leg& leg) {
  if (leg.has_chunk) return true;
  if (!leg.socket.is_open() || !leg.socket.take(process, owner_.scratch(), Chunk::kBytes))
    return false;
  const std::optional<Chunk> chunk = read_chunk(owner_.stack().pool().at(owner_.scratch()));
  if (!chunk) {
    aborted_ = true;
    return false;
  }
  leg.chunk = *chunk;
  leg.chunk_left = chunk->length;
  leg.has_chunk = true;
  return true;
}

/// Carries out the message of `leg` if it is its turn. Returns true if anything was done.
bool Flow::follow(host::Process& process, Leg& leg) {
  const Chunk& chunk = leg.chunk;
  switch (chunk.kind) {
    case Chunk::Kind::kOpen: break;
    case Chunk::Kind::kFin:
      if (chunk.offset != in_) return false;
      fin_received_ = true;
      edge_.socket.shutdown(process);
      break;
    case Chunk::Kind::kData: {
      if (chunk.offset + (chunk.length - leg.chunk_left) != in_) return false;
      const std::uint64_t moved = leg.socket.splice(process, leg.chunk_left, edge_.socket);
      owner_.relayed(moved);
      in_ += moved;
      leg.chunk_left -= moved;
      if (leg.chunk_left != 0) return moved != 0;
      break;
    }
  }
  leg.has_chunk = false;
  return true;
}

/// Moves data from the partner to the end. Returns true if there is more to do at once.
bool Flow::pump_in(host::Process& process) {
  const std::uint64_t stop = in_ + kTurn;
  for (bool again = true; again;) {
    again = false;
    for (const auto& leg : line_) {
      if (!leg->greeted || !take_chunk(process, *leg)) continue;
      // The partner has split the connection, so the handshake is complete even if the bare ACK was
      // lost.
      if (!edge_.socket.is_open() && (near_ || !handshake_.answered() || !split(true))) {
        aborted_ = true;
        return false;
      }
      again = follow(process, *leg) || again;
      if (in_ >= stop) return true;
    }
  }
  return false;
}

/// Ends the flow after both directions have ended. The connections still deliver their data in
/// flight.
void Flow::finish(host::Process& process) {
  if (!fin_sent_ || !fin_received_) return;
  for (const auto& leg : line_) release(*leg, process);
  release(edge_, process);
  over_ = true;
  owner_.over(*this, false);
}

}  // namespace longhaul::booster
