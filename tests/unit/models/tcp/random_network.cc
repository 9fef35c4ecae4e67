// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/models/tcp/random_network.h"

#include <fmt/format.h>

#include "models/tcp/congestion/control_type.h"

namespace longhaul::tcp::rig {

TcpParams random_params(Dice& dice) {
  TcpParams p;
  const auto flip = [&dice](Param<bool>& param) { param.value = dice.chance(0.5); };
  p.congestion_control.value = dice.one_of(congestion_controls().names());
  p.cwnd_unit.value = dice.one_of<std::string>({"bytes", "segments"});
  p.initial_window.value = static_cast<std::uint32_t>(dice.upto(10));
  p.abc_limit.value = static_cast<std::uint32_t>(dice.upto(2));
  p.reduce_from.value = dice.one_of<std::string>({"flight", "cwnd"});
  p.nagle.value = dice.one_of<std::string>({"classic", "minshall", "off"});
  p.burst.value = dice.one_of<std::string>({"moderate", "limit", "none"});
  p.burst_segments.value = static_cast<std::uint32_t>(dice.between(1, 4));
  p.idle.value = dice.one_of<std::string>({"restart", "decay", "none"});
  p.local_congestion.value = dice.one_of<std::string>({"ignore", "reduce", "collapse"});
  p.offload_divisor.value = static_cast<std::uint32_t>(dice.upto(3));
  p.loss_rule.value = dice.one_of<std::string>({"rfc6675", "fack"});
  p.max_reordering.value = dice.chance(0.5) ? 3 : 127;
  p.reduction.value = dice.one_of<std::string>({"immediate", "prr", "rate_halving"});
  p.window_probe.value = dice.one_of<std::string>({"byte", "empty"});
  for (auto* param : {&p.grow_only_when_limited, &p.sack, &p.dsack, &p.limited_transmit, &p.frto,
                      &p.partial_ack_stays, &p.impatient, &p.sack_survives_timeout,
                      &p.undo_by_dsack, &p.undo_by_timestamps, &p.timestamps, &p.window_scaling,
                      &p.window_in_segments, &p.ack_follows_reader, &p.rto_min_on_variance}) {
    flip(*param);
  }
  p.timer_tick.value = TcpParams::ms(dice.one_of<double>({0, 1, 10}));
  p.rtt_tick.value = p.timer_tick.value;
  p.rto_min.value = TcpParams::ms(200);
  p.rto_max.value = TcpParams::ms(5000);
  p.persist_min.value = TcpParams::ms(200);
  p.persist_max.value = TcpParams::ms(5000);
  p.data_retries.value = 60;
  p.syn_retries.value = 60;
  p.time_wait.value = TcpParams::ms(60'000);
  p.receive_buffer.value = {dice.one_of<std::uint64_t>({1000, 4096, 20'000, 65'535, 300'000})};
  p.window_start.value = static_cast<std::uint32_t>(dice.upto(4));
  p.ack_every.value = static_cast<std::uint32_t>(dice.between(1, 8));
  p.quick_acks.value = static_cast<std::uint32_t>(dice.upto(16));
  p.delayed_ack.value = TcpParams::ms(dice.one_of<double>({40, 200}));
  p.delayed_ack_tick.value = dice.chance(0.5) ? p.delayed_ack.value : TcpParams::ms(0);
  return p;
}

RandomNetwork::RandomNetwork(std::uint64_t seed) : dice_(seed) {
  const TcpParams params_a = random_params(dice_);
  const TcpParams params_b = random_params(dice_);
  const std::uint64_t delay = dice_.one_of<std::uint64_t>({0, kMs / 100, kMs, 50 * kMs});
  const std::uint64_t ps_per_byte = dice_.one_of<std::uint64_t>({0, 800, 80'000});
  const auto mss = static_cast<std::uint32_t>(dice_.one_of<std::uint64_t>({100, 536, 1460, 8960}));
  pair_ = std::make_unique<Pair>(params_a, params_b, delay, ps_per_byte, mss);
  loss_ = dice_.one_of<double>({0, 0.001, 0.02, 0.15});
  duplicate_ = dice_.one_of<double>({0, 0.02, 0.2});
  reorder_ = dice_.one_of<double>({0, 0.02, 0.3});
  jitter_ = std::max(delay, kMs / 10) * dice_.between(1, 3);
  for (const bool a : {true, false}) {
    Side& s = side(a);
    s.total = dice_.one_of<std::uint64_t>({0, 1, 5000, 200'000, 600'000});
    s.largest_write = dice_.one_of<std::uint64_t>({40, 3000, 1'000'000});
    if (s.largest_write == 40) s.total = std::min<std::uint64_t>(s.total, 20'000);
    s.refuses = dice_.one_of<double>({0, 0.02, 0.2});
    s.pauses = dice_.chance(0.5);
    attach(a);
  }
}

Segment RandomNetwork::over_the_wire(const Segment& segment) {
  struct Zeros final : PayloadSource {
    void fill(std::uint64_t, std::uint8_t* out, std::uint32_t length) override {
      std::fill_n(out, length, std::uint8_t{0});
    }
  } zeros;
  std::vector<std::uint8_t> bytes(header_bytes(segment, false) + segment.length);
  Packet packet;
  const std::uint32_t size = write_packet(segment, {}, {}, TcpChecksum::kComplete, zeros,
                                          bytes.data(), static_cast<std::uint32_t>(bytes.size()));
  const Refusal refusal = read_packet(bytes.data(), size, false, packet);
  if (refusal != Refusal::kNone)
    fail(fmt::format("the codec refused a segment: {}", to_text(refusal)));
  packet.segment.offset = 0xdead'0000'0000ULL;  // what the wire does not carry must not matter
  return packet.segment;
}

void RandomNetwork::check_sending(bool a, const Segment& segment) {
  const Side& s = side(a);
  if (segment.length == 0) return;
  const std::uint64_t end = segment.offset + segment.length;
  if (end > s.written) fail("bytes were sent that nobody wrote");
  const bool probe = segment.length == 1 && segment.offset == s.granted;
  if (end > s.granted && !probe)
    fail(fmt::format("sent up to {} while {} was offered", end, s.granted));
}

void RandomNetwork::check_state(bool a) {
  const Connection& connection = host(a).connection();
  const CongestionControl& control = connection.sender().control();
  if (connection.state() >= State::kEstablished && control.cwnd() < connection.sender().mss())
    fail("cwnd under one MSS");
  const Side& s = side(a);
  const std::uint64_t prefix =
      s.arrived.empty() || s.arrived.front().begin != 0 ? 0 : s.arrived.front().end;
  if (host(a).bytes_readable > prefix) fail("bytes were delivered that had not arrived");
  if (host(a).saw_end && host(a).bytes_readable != side(!a).total) fail("the stream ended early");
}

void RandomNetwork::attach(bool a) {
  Host& h = host(a);
  Side& s = side(a);
  h.keep_sent = false;
  h.reads = false;
  h.connection().set_offload(
      static_cast<std::uint32_t>(dice_.one_of<std::uint64_t>({0, 0, 8000, 60'000})));
  h.room = [this, a, &s, &h](const Segment&) {
    if (pair_->calendar.now() >= heal_at_ || !dice_.chance(s.refuses)) return true;
    if (!s.waiting) {
      s.waiting = true;
      pair_->calendar.after(dice_.upto(3 * kMs), [this, a, &s, &h] {
        s.waiting = false;
        h.connection().on_room();
        check_state(a);
      });
    }
    return false;
  };
  h.fate = [this, a](const Segment& segment, std::uint64_t) {
    check_sending(a, segment);
    Fate fate;
    if (pair_->calendar.now() >= heal_at_) return fate;
    fate.lost = dice_.chance(loss_);
    fate.twice = dice_.chance(duplicate_);
    if (dice_.chance(reorder_)) fate.extra_delay = dice_.upto(jitter_);
    return fate;
  };
  h.deliver_by = [this, a](const Segment& segment) {  // to this side
    Side& here = side(a);
    if (segment.length > 0) here.arrived.insert(segment.offset, segment.offset + segment.length);
    if (segment.has(kSyn)) here.shift = segment.options.window_scale.value_or(0);
    if (segment.has(kAck)) {
      const bool scaled =
          !segment.has(kSyn) && pair_->config_a.window_scaling && pair_->config_b.window_scaling;
      const std::uint32_t iss = a ? Pair::kIssA : Pair::kIssB;
      const auto acked = static_cast<std::uint64_t>(from_wire(iss, segment.ack, here.written + 1));
      here.granted = std::max(
          here.granted, acked + (std::uint64_t{segment.window} << (scaled ? here.shift : 0)) - 1);
    } else {
      here.granted = std::max<std::uint64_t>(here.granted, segment.window);
    }
    host(a).connection().receive(over_the_wire(segment));
    check_state(a);
  };
  h.on_established = [this, a] { write_some(a); };
  h.on_readable = [this, a] {
    if (!side(a).pauses) read_some(a);
  };
  if (s.pauses) pair_->calendar.after(kMs, [this, a] { wake_reader(a); });
}

void RandomNetwork::wake_reader(bool a) {
  // The reader sleeps and then takes what it likes; long sleeps close the window.
  read_some(a);
  check_state(a);
  if (host(a).connection().state() == State::kClosed) return;
  const std::uint64_t sleep = dice_.upto(dice_.chance(0.1) ? 2 * kSecond : 20 * kMs);
  pair_->calendar.after(sleep, [this, a] { wake_reader(a); });
}

void RandomNetwork::read_some(bool a) {
  Connection& connection = host(a).connection();
  if (connection.readable() == 0) return;
  const std::uint64_t wish =
      dice_.chance(0.7) ? connection.readable() : dice_.between(1, connection.readable());
  side(a).read += connection.read(wish);
  if (connection.readable() > 0 && !side(a).pauses)
    pair_->calendar.after(kMs, [this, a] { read_some(a); });
}

void RandomNetwork::write_some(bool a) {
  Side& s = side(a);
  Connection& connection = host(a).connection();
  if (connection.state() < State::kEstablished || connection.sender().fin_queued()) return;
  if (s.written == s.total) return connection.close();
  const std::uint64_t bytes = std::min(dice_.between(1, s.largest_write), s.total - s.written);
  s.written += bytes;
  connection.write(bytes);
  pair_->calendar.after(dice_.chance(0.01) ? dice_.upto(3 * kSecond) : dice_.upto(2 * kMs),
                        [this, a] { write_some(a); });
}

void RandomNetwork::reset_at(std::uint64_t time) {
  reset_ = true;
  pair_->calendar.at(time, [this] { pair_->a.connection().abort(); });
}

void RandomNetwork::run(std::uint64_t limit) {
  pair_->open();
  const auto over = [](const Host& host) { return host.ended_by.has_value(); };
  const bool ended = pair_->calendar.run_while(
      [&] { return failure_.empty() && !(over(pair_->a) && over(pair_->b)); }, limit);
  if (!failure_.empty()) return;
  if (reset_) {
    // The reset may have been lost: then a side that still had something to send has heard of it by
    // now.
    const Sender& sender = pair_->b.connection().sender();
    if (!over(pair_->a)) fail("the connection that was reset has not ended");
    if (!over(pair_->b) && (!sender.everything_acked() || sender.unsent() > 0))
      fail("the peer waits for a connection that is gone");
    return;
  }
  if (!ended) {
    return fail(fmt::format(
        "no end by {} s: a {} with {} of {} delivered, b {} with {} of {}", limit / kSecond,
        to_text(pair_->a.connection().state()), pair_->b.bytes_readable, a_.total,
        to_text(pair_->b.connection().state()), pair_->a.bytes_readable, b_.total));
  }
  for (const bool a : {true, false}) {
    if (host(a).ended_by != End::kClosed) fail("a connection did not end by closing");
    if (host(!a).bytes_readable != side(a).total) fail("not every byte written was delivered");
    if (host(a).bytes_acked != side(a).total)
      fail("not every byte written was acknowledged to its writer");
    if (!host(a).saw_end) fail("the peer's close was not told");
  }
}

}  // namespace longhaul::tcp::rig
