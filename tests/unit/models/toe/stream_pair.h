// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <utility>
#include <variant>

#include "models/net/link/link.h"
#include "tests/unit/models/toe/example_adapter.h"

namespace longhaul::toe {

/// A host that streams: as the sender it keeps a number of bytes with its engine, as the receiver
/// it takes and credits everything at once. It allocates nothing for a message.
class StreamHost final : public HostSide {
 public:
  static constexpr std::uint32_t kPiece = 16384;  // largest TxData

  StreamHost(const std::string& name, const ToeParams& params, std::uint8_t number)
      : adapter(name.c_str(), params, *this), number_(number) {}

  /// Writes the tables; a receiver listens.
  void prepare(bool listens) {
    offer(L2tWrite{0, {mac_of(3 - number_), false, 0}});
    offer(SmtWrite{0, mac_of(number_)});
    if (listens) offer(PassOpenRequest{1, {}, 5001, Policy::kAuto, options});
  }
  /// Opens a connection, and sends from then on. `piece` is sent again and again.
  void stream(FrameRef piece, std::uint64_t bytes_in_engine) {
    piece_ = std::move(piece);
    most_ = bytes_in_engine;
    offer(ActOpenRequest{0, {address(number_), address(3 - number_), 40000, 5001}, options});
  }
  void stop() { piece_.reset(); }
  /// The host takes no messages while held.
  void hold(bool on) {
    held = on;
    if (!on) adapter.engine.host_ready();
  }

  bool deliver(ToHost& message) override {
    if (held) return false;
    if (const auto* const data = std::get_if<RxData>(&message)) {
      received += data->bytes->size();
      adapter.engine.taken(*data);
      credits_ += data->bytes->size();
      give_credits(data->tid);
    } else if (const auto* const ack = std::get_if<TxDataAck>(&message)) {
      acked += ack->bytes;
      send();
    } else if (const auto* const open = std::get_if<Established>(&message)) {
      tid_ = open->tid;
      if (open->active) send();
    }
    return true;
  }
  void queue_ready(HostQueue queue) override {
    queue == HostQueue::kData ? send() : give_credits(tid_);
  }

  ExampleAdapter adapter;
  ConnectionOptions options = stream_options();  ///< before prepare()
  std::uint64_t received = 0;
  std::uint64_t acked = 0;
  bool held = false;
  std::uint32_t lost_messages = 0;

 private:
  static Ipv4Address address(int number) { return {10, 0, 0, static_cast<std::uint8_t>(number)}; }
  static MacAddress mac_of(int number) {
    return {2, 0, 0, 0, 0, static_cast<std::uint8_t>(number)};
  }
  static ConnectionOptions stream_options() {
    ConnectionOptions options;
    options.window_scale = 6;
    options.receive_buffer = 4'000'000;
    options.nodelay = true;
    return options;
  }
  void offer(FromHost message) {
    if (!adapter.engine.offer(HostQueue::kControl, std::move(message))) ++lost_messages;
  }
  /// Credits that find the queue full go with the next ones.
  void give_credits(Tid tid) {
    if (credits_ != 0 && adapter.engine.offer(HostQueue::kControl, RxCredits{tid, credits_}))
      credits_ = 0;
  }
  void send() {
    while (piece_ && sent_ + piece_->size() - acked <= most_) {
      if (!adapter.engine.offer(HostQueue::kData, TxData{tid_, piece_, true})) return;
      sent_ += piece_->size();
    }
  }

  const std::uint8_t number_;
  Tid tid_ = 0;
  FrameRef piece_;
  std::uint64_t most_ = 0;
  std::uint64_t sent_ = 0;
  std::uint32_t credits_ = 0;  // that the engine does not have yet
};

/// Two such hosts on a cable of 10 Gb/s.
struct StreamPair {
  StreamHost a;
  StreamHost b;
  Link link;

  explicit StreamPair(const ToeParams& params = {}, const std::string& name = "pair",
                      std::uint32_t metres = 10)
      : a(name + "_a", params, 1), b(name + "_b", params, 2), link((name + "_link").c_str(), [&] {
          LinkParams cable;
          cable.length_m.value = metres;
          return cable;
        }()) {
    link.connect(a.adapter.mac.port, b.adapter.mac.port);
    a.prepare(false);
    b.prepare(true);
  }
};

}  // namespace longhaul::toe
