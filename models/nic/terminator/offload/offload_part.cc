// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/offload/offload_part.h"

#include <optional>
#include <utility>
#include <variant>

#include "models/nic/terminator/offload/cpl_replies.h"
#include "models/nic/terminator/offload/cpl_requests.h"

namespace longhaul::nic::terminator {
namespace {

/// The engine's clock is that of the core.
toe::ToeParams engine_params(const TerminatorParams& params) {
  toe::ToeParams out = params.toe;
  out.clock.value = params.core_clock();
  return out;
}

}  // namespace

OffloadPart::OffloadPart(const TerminatorParams& params, const tcp::TcpParams& tcp, Tp& tp,
                         Path& path)
    : tp_(tp),
      data_retries_(tcp.data_retries()),
      path_(path),
      engine_("toe", engine_params(params), tcp, params.t1, *this, *this) {
  tp.set_calls({[this] { set_up(); }, [this] { reset(); },
                [this](std::uint32_t index) { return mib_.word(index); }});
}

/// Gives the engine what TP's registers say. An MTU that it cannot have is left out.
void OffloadPart::set_up() {
  engine_.set_data_retries(tp_.retransmissions() > 0 ? tp_.retransmissions() : data_retries_);
  engine_.set_separators(tp_.modulation_separator(), tp_.timer_separator());
  for (std::size_t i = 0; i < tp_.mtus(); ++i)
    engine_.set_mtu(static_cast<std::uint32_t>(i), static_cast<std::uint16_t>(tp_.mtu(i)));
  // Frames that wait go the way that is right now.
  path_.send_room();
  path_.frame_ready();
}

bool OffloadPart::message(cpl::Message&& message) {
  const cpl::Room room = message.room;
  std::optional<toe::FromHost> request = cpl::request(std::move(message));
  if (!request) return false;
  rooms_.at(room.queue).push_back(room);
  waiting_.at(room.queue).push_back(std::move(*request));
  offer(room.queue);
  return true;
}

void OffloadPart::offer(std::size_t queue) {
  RingBuffer<toe::FromHost>& waiting = waiting_.at(queue);
  while (!waiting.empty()) {
    // The engine may take it at once, and the room that it gives may bring the next message here.
    toe::FromHost next = waiting.pop_front();
    if (engine_.offer(static_cast<toe::HostQueue>(queue), std::move(next))) continue;
    waiting.push_front(std::move(next));  // NOLINT(bugprone-use-after-move): a refused one stays
    return;
  }
}

void OffloadPart::message_taken(toe::HostQueue queue) {
  path_.give_room(rooms_.at(static_cast<std::size_t>(queue)).pop_front());
}

bool OffloadPart::receive(const FrameRef& frame) {
  if (!engine_.has_rx_room(frame->size())) {
    refused_ = true;
    return false;
  }
  engine_.frame_received(frame);
  return true;
}

void OffloadPart::fill_changed(std::uint64_t /*bytes*/) {
  if (std::exchange(refused_, false)) path_.receive_room();
}

bool OffloadPart::deliver(toe::ToHost& message) {
  if (const auto* const packet = std::get_if<toe::RxPacket>(&message))
    return path_.give_packet(packet->frame);
  if (!path_.give_message(cpl::reply(message))) return false;
  if (auto* const data = std::get_if<toe::RxData>(&message))
    on_the_way_.push_back(std::move(*data));
  return true;
}

void OffloadPart::reset() {
  engine_.reset();
  mib_.reset();
  for (std::size_t queue = 0; queue < toe::kHostQueues; ++queue) {
    waiting_.at(queue).clear();
    while (!rooms_.at(queue).empty()) path_.give_room(rooms_.at(queue).pop_front());
  }
  refused_ = false;
}

void OffloadPart::reset_chip() {
  reset();
  on_the_way_.clear();
}

}  // namespace longhaul::nic::terminator
