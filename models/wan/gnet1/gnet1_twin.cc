// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_twin.h"

#include <algorithm>

#include "models/common/param_json.h"
#include "models/wan/gnet1/gnet1_registers.h"

namespace longhaul::wan {
namespace {

using gnet1_regs::Counter;

// The Verilated box is powered up before SystemC's time zero (rtl/gnet1/box), in units of 32
// clocks. The first unit is in reset; the flip-flops of the reset hold it three clocks longer.
// After one more unit, the parameters are written, three clocks each.
constexpr std::uint64_t kPowerUpUnit = 32;
constexpr std::uint64_t kResetEnds = kPowerUpUnit + 3;
constexpr std::uint64_t kWritesBegin = 2 * kPowerUpUnit;
constexpr std::uint64_t kWriteClocks = 3;

std::uint64_t clocks_since_reset(std::size_t writes) {
  const std::uint64_t done = std::max(kWritesBegin + kWriteClocks * writes, 3 * kPowerUpUnit);
  return (done + kPowerUpUnit - 1) / kPowerUpUnit * kPowerUpUnit - kResetEnds;
}

constexpr std::uint64_t kTickPs = 8'000;
// Clocks from a frame's last word to the table's update by it.
constexpr std::uint64_t kToTable = 1;

/// Returns the six bytes from `at` on. In a runt, some are bytes of its FCS.
Gnet1MacTable::Address address_at(const Frame& frame, std::uint32_t at) {
  constexpr std::uint32_t kBytes = 6;
  const std::uint32_t fcs = at + kBytes > frame.size() ? frame.fcs() : 0;
  Gnet1MacTable::Address address = 0;
  for (std::uint32_t i = at; i < at + kBytes; ++i)
    address = address << 8 | wire_byte(frame, fcs, i);
  return address;
}

}  // namespace

Gnet1Twin::Gnet1Twin(const sc_core::sc_module_name& name, Gnet1Params params)
    : Gnet1(name), params_(std::move(params)) {
  for (std::size_t i = 0; i < kPorts; ++i) {
    const std::string port_name = "p" + std::to_string(i);
    ports_[i] = std::make_unique<Gnet1TwinPort>(
        port_name.c_str(), [this, i](const FrameRef& frame) { frame_begins(i, frame); });
    ports_[i]->route = 1U << (i ^ 1U);
  }
  registers_ = std::make_unique<Gnet1Registers>(*this);
  const std::vector<Gnet1Write> writes = gnet1_reset_writes(params_, sc_module::name());
  for (const Gnet1Write& write : writes) post_write(write.offset, write.value);
}

Gnet1Twin::~Gnet1Twin() = default;

EthPort& Gnet1Twin::port(std::size_t index) { return ports_.at(index)->port; }
ControlSocket* Gnet1Twin::control() { return &registers_->target; }

nlohmann::json Gnet1Twin::describe_params() const { return describe(params_); }

std::uint32_t Gnet1Twin::counter_now(std::size_t port, Counter counter) {
  // Events at this very edge belong to its own process.
  const std::uint64_t clock = clock_now() - 1;
  settle(clock);
  const Gnet1TwinPort& of = *ports_.at(port);
  switch (counter) {
    case Counter::kWords: return of.channel.passed(clock).words;
    case Counter::kFrames: return of.channel.passed(clock).frames;
    case Counter::kBytes: return of.channel.passed(clock).bytes;
    default: return of.counters.now(counter);
  }
}

void Gnet1Twin::frame_begins(std::size_t port, const FrameRef& frame) {
  Gnet1TwinPort& in = *ports_[port];
  if (!in.rx_enable) {
    in.counters.add(Counter::kRxLost);
    return in.lose(frame, "port off");
  }
  settle(clock_now());
  // The receive clock's next edge puts the first byte on the pins.
  const std::uint64_t tick = Gnet1Time::kTicksPerClock * reset_clocks_ + now_ps() / kTickPs + 1;
  const Gnet1Arrival arrival = in.receiver.arrive(frame, tick);
  in.receiver.take(arrival);
  in.accept(arrival);
  schedule();
}

void Gnet1Twin::post_write(std::uint32_t offset, std::uint32_t value) {
  if (!sc_core::sc_is_running()) {  // part of the power-up
    registers_->write(offset, value, 0);
    reset_clocks_ = clocks_since_reset(++write_count_);
    return;
  }
  last_write_ = std::max(clock_now() + 2, last_write_ + kWriteClocks);
  posted_.push_back({offset, value, last_write_});
  schedule();
}

std::uint32_t Gnet1Twin::read(std::uint32_t offset) {
  settle(clock_now());
  while (!posted_.empty()) apply_write(clock_now());
  return registers_->read(offset, clock_now());
}

void Gnet1Twin::apply_write(std::uint64_t clock) {
  const Posted write = posted_.pop_front();
  advance(clock);
  registers_->write(write.offset, write.value, clock);
  schedule();
}

void Gnet1Twin::settle(std::uint64_t clock) {
  while (!posted_.empty() && posted_.front().clock <= clock) apply_write(posted_.front().clock);
  advance(clock);
}

void Gnet1Twin::advance(std::uint64_t clock) {
  end_arrivals(clock);
  take_samples(clock);
  for (auto& port : ports_) port->advance(clock);
}

/// Handles the frames that have arrived whole, in the order of their ends. The table learns in this
/// order.
void Gnet1Twin::end_arrivals(std::uint64_t clock) {
  while (true) {
    std::size_t first = 0;
    for (std::size_t i = 1; i < kPorts; ++i) {
      if (ports_[i]->receiver.next_end() < ports_[first]->receiver.next_end()) first = i;
    }
    if (ports_[first]->receiver.next_end() > clock) return;
    end_arrival(first);
  }
}

void Gnet1Twin::end_arrival(std::size_t port) {
  constexpr std::uint32_t kWordsToSource = 4;
  constexpr std::uint32_t kSourceAt = 6;
  Gnet1TwinPort& in = *ports_[port];
  const Gnet1Arrival arrival = in.receiver.end_next();
  const Frame& frame = *arrival.frame;
  const bool good_fcs = frame.fcs_matches();
  in.counters.add(Counter::kRxFrames);
  if (!good_fcs) in.counters.add(Counter::kRxFcsBad);
  if (arrival.errored) in.counters.add(Counter::kRxError);
  if (!good_fcs || arrival.errored) return;
  if (in.stamp_rx) {
    in.oneway.measure(frame, in.stamp_offset, in.transmitter.settings().magic,
                      timebase_.at(arrival.take - 1));
  }
  if (learn_ && switch_mode_ && arrival.words() >= kWordsToSource) {
    table_.learn(Gnet1Receiver::end_of(arrival) + kToTable, address_at(frame, kSourceAt),
                 static_cast<std::uint32_t>(port));
  }
}

/// Returns the first clock at which the next ending frame has changed the table.
std::uint64_t Gnet1Twin::next_learned() {
  std::uint64_t known = table_.next_lesson();
  for (auto& port : ports_) {
    const std::uint64_t end = port->receiver.next_end();
    if (end != kNever) known = std::min(known, end + kToTable);
  }
  return known == kNever ? kNever : known + 1;
}

void Gnet1Twin::take_samples(std::uint64_t clock) {
  const Gnet1Channel& channel = ports_[sample_port_]->channel;
  sampler_.advance(clock, [&](std::uint64_t at) {
    const Gnet1Channel::Passed passed = channel.passed(at);
    return Gnet1Sampler::Sample{passed.words, passed.frames};
  });
}

void Gnet1Twin::latch_counters(std::uint64_t clock) {
  for (auto& port : ports_) {
    const Gnet1Channel::Passed passed = port->channel.passed(clock);
    port->counters.set(Counter::kWords, passed.words);
    port->counters.set(Counter::kFrames, passed.frames);
    port->counters.set(Counter::kBytes, passed.bytes);
    port->counters.latch();
  }
}

void Gnet1Twin::schedule() {
  std::uint64_t next = posted_.empty() ? kNever : posted_.front().clock;
  for (std::size_t i = 0; i < kPorts; ++i) {
    Gnet1Channel& channel = ports_[i]->channel;
    const std::uint64_t request = channel.request();
    if (request == kNever) continue;
    std::uint64_t clock = request;
    const std::uint32_t mask = mask_of(i, clock_now());
    for (std::size_t out = 0; out < kPorts; ++out) {
      if ((mask >> out & 1U) != 0) clock = std::max(clock, output_free_[out]);
    }
    // A lesson of the table may send a waiting frame to another port.
    if (switch_mode_ && clock > request) clock = std::min(clock, std::max(request, next_learned()));
    next = std::min(next, clock);
  }
  if (next == kNever) return crossbar_.cancel();
  next = std::max(next, last_grant_ + 1);
  crossbar_.set(ps_of_clock(next));
}

/// Returns the output ports of the frame at the head of a port's path.
std::uint32_t Gnet1Twin::mask_of(std::size_t port, std::uint64_t clock) {
  constexpr std::uint32_t kBytesToDestination = 6;
  Gnet1TwinPort& in = *ports_[port];
  if (!switch_mode_) return in.route;
  const Gnet1Arrival& head = in.channel.head();
  if (head.bytes < kBytesToDestination) return 0;
  return table_.ports_of(clock, address_at(*head.frame, 0), static_cast<std::uint32_t>(port));
}

void Gnet1Twin::arbitrate() {
  const std::uint64_t clock = clock_now();
  settle(clock - 1);
  advance(clock);  // a write at this very edge holds from the next on
  std::uint32_t busy = 0;
  for (std::size_t out = 0; out < kPorts; ++out) busy |= output_free_[out] > clock ? 1U << out : 0;
  bool granted = false;
  const std::uint32_t first = first_;
  for (std::uint32_t turn = 0; turn < kPorts; ++turn) {
    const std::size_t port = (first + turn) % kPorts;
    if (!ports_[port]->channel.asks(clock)) continue;
    const std::uint32_t mask = mask_of(port, clock);
    if ((mask & busy) != 0) continue;
    busy |= mask;
    granted = true;
    grant(port, mask, clock);
  }
  if (granted) {
    first_ = (first + 1) % kPorts;
    last_grant_ = clock;
  }
  settle(clock);
  schedule();
}

void Gnet1Twin::grant(std::size_t port, std::uint32_t mask, std::uint64_t clock) {
  Gnet1TwinPort& in = *ports_[port];
  const Gnet1Channel::Flow path = flow(in.channel.head(), mask, clock);
  const Gnet1Arrival arrival = in.channel.leave(path);
  if (mask == 0) {
    in.counters.add(Counter::kNoRoute);
    return in.lose(arrival.frame, "no route");
  }
  for (std::size_t out = 0; out < kPorts; ++out) {
    if ((mask >> out & 1U) == 0) continue;
    output_free_[out] = path.last + 1;
    Gnet1TwinPort& to = *ports_[out];
    const std::uint64_t end_ps =
        (to.transmitter.end_tick() - Gnet1Time::kTicksPerClock * reset_clocks_) * kTickPs;
    to.send(to.transmitter.finish(arrival.frame, timebase_), end_ps);
  }
}

/// Moves a frame's words from the lookup to the transmitters of all its ports at once.
Gnet1Channel::Flow Gnet1Twin::flow(const Gnet1Arrival& arrival, std::uint32_t mask,
                                   std::uint64_t grant) {
  constexpr std::uint32_t kLookupWords = 3;
  const std::uint32_t words = arrival.words();
  std::array<Gnet1Transmitter*, kPorts> to{};
  std::size_t count = 0;
  for (std::size_t out = 0; out < kPorts; ++out) {
    if ((mask >> out & 1U) != 0) to[count++] = &ports_[out]->transmitter;
  }
  // The stamp word moves when all registers are free, and ends here.
  std::uint64_t moves = grant + 1;
  for (std::size_t i = 0; i < count; ++i) moves = std::max(moves, to[i]->register_free());
  // A transmitter that still had words to send would make the others run dry. All must be empty
  // first.
  for (std::size_t i = 0; count > 1 && i < count; ++i)
    moves = std::max(moves, to[i]->drained_from());
  std::uint64_t next = moves + 1;
  bool drained = true;
  for (std::size_t i = 0; i < count; ++i) {
    drained = drained && to[i]->drained_from() <= moves;
    next = std::max(next, to[i]->begin(moves, arrival.bytes));
  }
  Gnet1Channel::Flow path;
  path.grant = grant;
  // The next frame's first word enters the lookup when the word ahead of it by the lookup's depth
  // moves.
  const std::uint32_t makes_room = words >= kLookupWords ? words - kLookupWords : 0;
  if (drained) {
    for (std::size_t i = 0; i < count; ++i) to[i]->write_all(next + 1);
    path.last = next + words - 1;
    path.tail_in = makes_room == 0 ? moves : next + makes_room - 1;
    return path;
  }
  path.tail_in = moves;
  for (std::uint32_t word = 1; word <= words; ++word) {
    path.last = next;
    if (word == makes_room) path.tail_in = next;
    std::uint64_t written = next + 1;
    for (std::size_t i = 0; i < count; ++i)
      written = std::max(written, to[i]->write_word(next + 1));
    next = written;
  }
  return path;
}

}  // namespace longhaul::wan
