// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/models/toe/random_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tests/unit/models/toe/rig.h"

namespace longhaul::toe::rig {

World::World(const std::string& name, const ToeParams& params, const T1Params& t1,
             std::uint64_t seed, std::uint32_t connections)
    : dice(seed), engine(name.c_str(), params, t1_tcp_params(), t1, *this, *this) {
  loss_ = dice.one_of<double>({0.001, 0.01, 0.05, 0.15});
  duplicate_ = dice.one_of<double>({0, 0.02, 0.1});
  reorder_ = dice.one_of<double>({0, 0.02, 0.2});
  damage_ = dice.one_of<double>({0, 0.005});
  delay_ = dice.one_of<std::uint64_t>({10 * kUs, kMs, 20 * kMs});
  ps_per_byte_ = dice.one_of<std::uint64_t>({800, 8000});
  by_tid_.resize(params.tcam_entries(), nullptr);
  engine.set_mtu(0, 1500);
  engine.set_mtu(1, 576);
  engine.set_mtu(2, 9000);
  engine.set_separators(dice.one_of<std::uint32_t>({0, 56, 112, 1125}),
                        dice.one_of<std::uint32_t>({0, 100}));
  for (std::uint32_t i = 0; i < connections; ++i) {
    tcp::TcpParams peer = tcp::rig::random_params(dice);
    peer.syn_retries.value = 100'000;  // full tables may make a SYN wait for minutes
    flows.push_back(std::make_unique<Flow>(*this, i, draw(), peer));
  }
}

Plan World::draw() {
  Plan plan;
  plan.engine_opens = dice.chance(0.5);
  const auto bytes = [&] {
    return dice.upto(dice.one_of<std::uint64_t>({0, 1, 3000, 40'000, 40'000, 300'000}));
  };
  plan.from_engine = bytes();
  plan.from_peer = bytes();
  plan.largest_write = dice.one_of<std::uint64_t>({700, 5000, 16384});
  plan.host_closes_last = dice.chance(0.3);
  plan.peer_closes_last = !plan.host_closes_last && dice.chance(0.3);
  plan.peer_pauses = dice.chance(0.3);
  plan.host_pauses = dice.chance(0.3);
  if (dice.chance(0.15))
    plan.upset = dice.chance(0.5) ? Plan::Upset::kHostAborts : Plan::Upset::kPeerAborts;
  if (!plan.engine_opens && dice.chance(0.03)) plan.upset = Plan::Upset::kHostRejects;
  plan.upset_ps = dice.upto(dice.chance(0.5) ? 100 * kMs : 3 * kSecond);
  plan.options.mtu_index = static_cast<std::uint8_t>(dice.upto(2));
  plan.options.window_scale = static_cast<std::uint8_t>(dice.upto(4));
  plan.options.receive_buffer =
      static_cast<std::uint32_t>(dice.one_of<std::uint64_t>({2000, 20'000, 65'535, 500'000}));
  plan.options.nodelay = dice.chance(0.5);
  plan.options.coalesce = dice.chance(0.7);
  plan.peer_mss = static_cast<std::uint16_t>(dice.one_of<std::uint64_t>({200, 536, 1460, 8960}));
  return plan;
}

void World::start() {
  control(L2tWrite{0, {kThereMac, false, 0}});
  control(SmtWrite{0, kHereMac});
  PassOpenRequest server;
  server.stid = 1;
  server.port = 80;
  control(server);
  for (const std::unique_ptr<Flow>& each : flows) {
    Flow* const flow = each.get();
    calls.after(kMs + dice.upto(flows.size() * 20 * kMs), [flow] { flow->start(); });
  }
  heal_ps_ = now_ps() + flows.size() * 20 * kMs + 100 * kSecond;
}

bool World::done() const {
  return std::all_of(flows.begin(), flows.end(), [](const auto& flow) { return flow->done(); });
}

std::string World::failure() const {
  if (!failure_.empty()) return failure_;
  for (const std::unique_ptr<Flow>& flow : flows)
    if (!flow->done()) return flow->describe() + " does not end";
  return "";
}

std::string World::left() const {
  const PayloadMemory& payload = engine.payload_memory();
  const ContextMemory& contexts = engine.context_memory();
  if (engine.connections() + payload.tx_pages.value() + payload.rx_pages.value() +
          payload.backed_pages.value() + contexts.in_use.value() + contexts.p_structs.value() ==
      0)
    return "";
  std::string text =
      fmt::format("{} connections, {} and {} pages, {} TCBs, {} p-structs", engine.connections(),
                  payload.tx_pages.value(), payload.rx_pages.value(), contexts.in_use.value(),
                  contexts.p_structs.value());
  for (Tid tid = 0; tid < by_tid_.size(); ++tid) {
    const std::optional<TcbFields> fields = engine.fields(tid);
    if (!fields) continue;
    text += fmt::format("; tid {} {}, last of {}", tid, tcp::to_text(fields->state),
                        by_tid_[tid] != nullptr ? by_tid_[tid]->describe() : "nobody");
  }
  return text;
}

Flow* World::flow_of(const Ends& ends) const {
  const std::size_t number = ends.peer_port - 2000U;
  if (number >= flows.size() || !(flows[number]->ends() == ends)) return nullptr;
  return flows[number].get();
}

void World::map(Tid tid, Flow* flow) { by_tid_[tid] = flow; }

// --- The host's queues ---------------------------------------------------------------------------

void World::control(FromHost message) {
  control_.push_back(std::move(message));
  queue_ready(HostQueue::kControl);
}

bool World::data(FromHost&& message, Flow& flow) {
  if (engine.offer(HostQueue::kData, std::move(message))) return true;
  data_full_ = true;
  return may_send(flow);
}

bool World::may_send(Flow& flow) {
  if (data_full_ && !std::exchange(flow.waits_for_room, true)) waiting_.push_back(&flow);
  return !data_full_;
}

void World::queue_ready(HostQueue queue) {
  if (queue == HostQueue::kControl) {
    while (!control_.empty() && engine.offer(queue, std::move(control_.front())))
      control_.pop_front();
    return;
  }
  data_full_ = false;
  while (!waiting_.empty() && !data_full_) {
    Flow* const flow = waiting_.front();
    waiting_.pop_front();
    flow->waits_for_room = false;
    flow->host_write();
  }
}

bool World::deliver(ToHost& message) {
  if (host_paused_) return false;
  if (dice.chance(0.002)) {
    host_paused_ = true;
    calls.after(dice.upto(kMs), [this] {
      host_paused_ = false;
      engine.host_ready();
    });
    return false;
  }
  handle(message);
  return true;
}

void World::told_of_packet(const RxPacket& packet) {
  // The host's own stack knows no such connection.
  const Inbound in = parse(*packet.frame);
  if (in.kind != Inbound::Kind::kTcp || in.segment.has(tcp::kRst)) return;
  const NextStation next{kThereMac, false, 0};
  Envelope envelope;
  envelope.next = &next;
  envelope.source = &kHereMac;
  struct Nothing final : tcp::PayloadSource {
    void fill(std::uint64_t, std::uint8_t*, std::uint32_t) override {}
  } nothing;
  engine.send(build(tcp::reset_for(in.segment), in.ends, envelope, nothing, false));
}

void World::handle(const ToHost& message) {
  if (const auto* m = std::get_if<RxPacket>(&message)) return told_of_packet(*m);
  if (const auto* m = std::get_if<ActOpenReply>(&message)) {
    if (m->error == Error::kNone) return flows[m->atid]->host_told(m->tid);
    return flows[m->atid]->host_failed(m->error);
  }
  if (const auto* m = std::get_if<PassAcceptRequest>(&message)) {
    Flow* const flow = flow_of(m->ends);
    if (flow == nullptr) return fail("a SYN of nobody");
    // A host that has given up rejects a SYN that was under way.
    if (flow->plan().upset == Plan::Upset::kHostRejects || flow->is_over()) {
      ++rejected;
      return control(PassAcceptReply{m->tid, false, {}});
    }
    flow->host_told(m->tid);
    const Tid tid = m->tid;
    return calls.after(dice.upto(kMs), [this, flow, tid] {
      control(PassAcceptReply{tid, true, flow->plan().options});
    });
  }
  if (const auto* m = std::get_if<Established>(&message)) {
    Flow* const flow = flow_of(m->ends);
    return flow != nullptr ? flow->host_established(*m) : fail("a connection of nobody");
  }
  if (const auto* m = std::get_if<TxDataAck>(&message))
    return flow_of(m->tid)->host_wrote(m->bytes);
  if (const auto* m = std::get_if<RxData>(&message)) return flow_of(m->tid)->host_received(*m);
  if (const auto* m = std::get_if<PeerClose>(&message)) return flow_of(m->tid)->host_peer_closed();
  if (const auto* m = std::get_if<CloseReply>(&message)) return flow_of(m->tid)->host_closed();
  if (const auto* m = std::get_if<AbortReply>(&message)) {
    if (m->error == Error::kNone) flow_of(m->tid)->host_over();
    return;
  }
  if (const auto* m = std::get_if<Aborted>(&message)) {
    Flow& flow = *flow_of(m->tid);
    const bool upset = flow.plan().upset != Plan::Upset::kNone;
    // The last ACK may be lost after TIME-WAIT; then the peer is answered by a RST.
    if (!upset && !flow.done()) fail(flow.describe() + ": aborted, " + toe::to_text(m->error));
    flow.host_over();
    return control(AbortedReply{m->tid});
  }
}

// --- The network ---------------------------------------------------------------------------------

void World::impair(const FrameRef& frame, const std::function<void(const FrameRef&)>& arrive) {
  const bool sick = now_ps() < heal_ps_;
  if (sick && dice.chance(loss_)) return;
  FrameRef sent = frame;
  if (sick && dice.chance(damage_)) {
    Frame& damaged = sent.writable();
    damaged.data()[dice.between(14, damaged.size() - 1)] ^=
        static_cast<std::uint8_t>(1 + dice.upto(254));
  }
  const std::uint64_t late = sick && dice.chance(reorder_) ? dice.upto(3 * delay_) : 0;
  calls.after(delay_ + late, [sent, arrive] { arrive(sent); });
  if (sick && dice.chance(duplicate_))
    calls.after(delay_ + dice.upto(delay_), [sent, arrive] { arrive(sent); });
}

void World::to_engine(const Ends& ends, const tcp::Segment& segment, std::uint32_t stream) {
  impair(frame_from(ends, segment, stream),
         [this](const FrameRef& frame) { engine.frame_received(frame); });
}

void World::frame_ready() {
  if (!wire_busy_) send_next();
}

void World::send_next() {
  wire_busy_ = engine.ready_ps() <= now_ps();
  if (!wire_busy_) return;
  const FrameRef frame = engine.take_frame();
  impair(frame, [this](const FrameRef& arrived) {
    const Inbound in = parse(*arrived);
    if (in.kind != Inbound::Kind::kTcp) return;
    // The engine's local end is the peer's far end.
    const Ends ends{in.ends.peer, in.ends.local, in.ends.peer_port, in.ends.local_port};
    if (Flow* const flow = flow_of(ends)) flow->arrive(in, arrived);
  });
  const std::uint64_t pause = dice.chance(0.001) ? dice.upto(2 * kMs) : 0;  // a PAUSE frame
  calls.after(frame->size() * ps_per_byte_ + pause, [this] { send_next(); });
}

}  // namespace longhaul::toe::rig
