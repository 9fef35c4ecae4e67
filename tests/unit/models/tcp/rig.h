// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "models/tcp/config.h"
#include "models/tcp/connection.h"
#include "models/tcp/params.h"
#include "tests/unit/times.h"

namespace longhaul::tcp::rig {

/// A calendar of calls in order of time; those of one instant run in the order in which they were
/// asked for.
class Calendar {
 public:
  std::uint64_t now() const { return now_; }
  void at(std::uint64_t time, std::function<void()> call) {
    entries_.push({time, order_++, std::move(call)});
  }
  void after(std::uint64_t delay, std::function<void()> call) { at(now_ + delay, std::move(call)); }
  /// Runs everything up to and at `time`.
  void run_until(std::uint64_t time) {
    while (!entries_.empty() && entries_.top().time <= time) step();
    now_ = time;
  }
  /// Runs until `done` holds; false when `limit` passed before.
  bool run_while(const std::function<bool()>& going, std::uint64_t limit) {
    while (going()) {
      if (entries_.empty() || entries_.top().time > limit) return false;
      step();
    }
    return true;
  }
  bool step() {
    if (entries_.empty()) return false;
    Entry entry = entries_.top();
    entries_.pop();
    now_ = entry.time;
    entry.call();
    return true;
  }

 private:
  struct Entry {
    std::uint64_t time;
    std::uint64_t order;
    std::function<void()> call;
    bool operator<(const Entry& other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };
  std::priority_queue<Entry> entries_;
  std::uint64_t now_ = 0;
  std::uint64_t order_ = 0;
};

/// What becomes of one segment on its way.
struct Fate {
  bool lost = false;
  std::uint64_t extra_delay = 0;  ///< ps; overtaken by what follows
  bool twice = false;
};

/// A segment as it was given to the wire.
struct Sighting {
  std::uint64_t at;
  Segment segment;
  bool lost;
};

/// One end: a connection, the environment that it stands in, and a user that reads at once unless
/// told otherwise.
class Host final : public Environment {
 public:
  Host(Calendar& calendar, const TcpConfig& config)
      : calendar_(calendar), connection_(config, *this) {}

  Connection& connection() { return connection_; }
  void join(Host& other, std::uint64_t delay, std::uint64_t ps_per_byte = 0) {
    peer_ = &other;
    delay_ = delay;
    ps_per_byte_ = ps_per_byte;
  }

  // What the test scripts.
  std::function<Fate(const Segment&, std::uint64_t index)>
      fate;  ///< index counts this side's segments from 0
  std::function<bool(Segment&)> room = [](Segment&) { return true; };  ///< may shorten it
  std::function<void(const Segment&)>
      deliver_by;  ///< hands an arriving segment to this host's connection; receive() if empty
  std::function<void()> on_established;
  std::function<void()> on_writable;
  std::function<void()> on_readable;
  bool reads = true;

  // What it saw.
  std::vector<Sighting> sent;
  bool keep_sent = true;
  std::uint64_t count_sent = 0;
  std::uint64_t bytes_readable = 0;
  std::uint64_t bytes_acked = 0;
  std::uint64_t wakes = 0;
  bool is_established = false;
  bool saw_end = false;
  std::optional<End> ended_by;

  std::uint64_t now() const override { return calendar_.now(); }
  void wake(Timer timer, std::uint64_t at) override {
    ++wakes;
    const std::uint64_t wish = ++wish_[static_cast<std::size_t>(timer)];
    calendar_.at(at, [this, timer, wish] {
      if (wish == wish_[static_cast<std::size_t>(timer)]) connection_.on_timer(timer);
    });
  }
  bool transmit(Segment& segment) override {
    if (!room(segment)) return false;
    const Fate what = fate ? fate(segment, count_sent) : Fate{};
    ++count_sent;
    if (keep_sent) sent.push_back({calendar_.now(), segment, what.lost});
    // The wire takes its time even for what is lost on it.
    constexpr std::uint64_t kHeaders = 78;
    const std::uint64_t start = std::max(free_at_, calendar_.now());
    free_at_ = start + ps_per_byte_ * (segment.length + kHeaders);
    if (what.lost || peer_ == nullptr) return true;
    deliver(segment, free_at_ + delay_ + what.extra_delay);
    if (what.twice) deliver(segment, free_at_ + delay_ + what.extra_delay);
    return true;
  }
  void established() override {
    is_established = true;
    if (on_established) on_established();
  }
  void readable(std::uint64_t bytes) override {
    bytes_readable += bytes;
    if (reads) connection_.read(bytes);
    if (on_readable) on_readable();
  }
  void writable(std::uint64_t bytes) override {
    bytes_acked += bytes;
    if (on_writable) on_writable();
  }
  void end_of_stream() override { saw_end = true; }
  void ended(End why) override { ended_by = why; }

 private:
  void arrive(const Segment& segment) {
    if (deliver_by) return deliver_by(segment);
    connection_.receive(segment);
  }
  void deliver(const Segment& segment, std::uint64_t at) {
    calendar_.at(at, [this, segment] { peer_->arrive(segment); });
  }

  Calendar& calendar_;
  Connection connection_;
  Host* peer_ = nullptr;
  std::uint64_t delay_ = 0;
  std::uint64_t ps_per_byte_ = 0;
  std::uint64_t free_at_ = 0;
  std::uint64_t wish_[kTimerKinds] = {};
};

/// Two hosts on a wire with the same delay each way; `a` opens, `b` listens.
struct Pair {
  Calendar calendar;
  TcpConfig config_a;
  TcpConfig config_b;
  Host a;
  Host b;
  std::uint32_t mss;

  static constexpr std::uint32_t kIssA = 1000;
  static constexpr std::uint32_t kIssB = 500'000;

  Pair(const TcpParams& params_a, const TcpParams& params_b, std::uint64_t delay = 10 * kMs,
       std::uint64_t ps_per_byte = 0, std::uint32_t segment = 1000)
      : config_a(resolve(params_a, "a")),
        config_b(resolve(params_b, "b")),
        a(calendar, config_a),
        b(calendar, config_b),
        mss(segment) {
    a.join(b, delay, ps_per_byte);
    b.join(a, delay, ps_per_byte);
  }
  explicit Pair(const TcpParams& params, std::uint64_t delay = 10 * kMs,
                std::uint64_t ps_per_byte = 0)
      : Pair(params, params, delay, ps_per_byte) {}

  void open() {
    b.connection().listen({kIssB, static_cast<std::uint16_t>(mss)});
    a.connection().connect({kIssA, static_cast<std::uint16_t>(mss)});
  }
  /// Opens and runs to 100 ms, when both ends are long established.
  void establish() {
    open();
    calendar.run_until(100 * kMs);
    a.sent.clear();
    b.sent.clear();
  }
};

/// Parameters with no timestamps and no SACK, to which a test adds what it is about; delayed ACKs
/// off.
inline TcpParams plain() {
  TcpParams params;
  params.timestamps.value = false;
  params.sack.value = false;
  params.ack_every.value = 1;
  params.receive_buffer.value = {1 << 20};
  return params;
}

/// One host without a peer: the test is the network and the other end. The peer's segments are 1000
/// bytes, its stream starts at kIssB.
struct Lone {
  Calendar calendar;
  TcpConfig config;
  Host host;
  std::uint8_t shift;

  explicit Lone(const TcpParams& params, std::uint8_t peer_shift = 0)
      : config(resolve(params, "lone")), host(calendar, config), shift(peer_shift) {}

  Connection& connection() { return host.connection(); }
  /// Actively opens, with a peer that agrees to everything and offers `window` bytes; the handshake
  /// takes no time and is not kept.
  void establish(std::uint64_t window = 1'000'000);
  /// A segment of the peer that acknowledges `acked` bytes of this side's stream and offers what it
  /// offered last.
  Segment from_peer(std::uint64_t acked) const;
  /// Such an ACK arrives, with SACK blocks in bytes of this side's stream.
  void ack(std::uint64_t acked,
           const std::vector<std::pair<std::uint64_t, std::uint64_t>>& sacks = {});
  /// Payload of the peer's stream arrives.
  void data(std::uint64_t offset, std::uint32_t length, std::uint8_t flags = kAck);
  void set_window(std::uint64_t bytes) { window_ = bytes; }
  void pass(std::uint64_t ps) { calendar.run_until(calendar.now() + ps); }
  /// What was sent since the last call: data_of() without times.
  std::vector<std::string> sent();
  /// ACKs without payload that were sent since the last call.
  std::vector<Segment> acks();

 private:
  std::uint64_t window_ = 0;
  std::uint64_t acked_ = 0;
};

/// A sender with `segments` of 1000 bytes in flight, or all of its `bytes` if they are fewer.
struct InFlight : Lone {
  explicit InFlight(TcpParams params, std::uint32_t segments = 10, std::uint64_t bytes = 100'000)
      : Lone((params.initial_window.value = segments, params), 5) {
    establish();
    // A segment at a time: what limits bursts has nothing to hold back.
    for (std::uint64_t written = 0; written < bytes; written += 1000)
      connection().write(std::min<std::uint64_t>(1000, bytes - written));
    EXPECT_EQ(sent().size(), std::min<std::uint64_t>(segments, (bytes + 999) / 1000));
  }
  std::uint64_t cwnd() { return connection().sender().control().cwnd(); }
  std::uint64_t ssthresh() { return connection().sender().control().ssthresh(); }
  Recovery::Phase phase() { return connection().sender().recovery().phase(); }
};

/// Every segment with payload or FIN that `host` sent, as "time_ms:offset+length" in units of `mss`
/// where it divides. A length of one `mss` is left out, F is a FIN, x was lost.
std::vector<std::string> data_of(const Host& host, std::uint32_t mss = 1000,
                                 bool with_times = true);

}  // namespace longhaul::tcp::rig
