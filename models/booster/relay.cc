// SPDX-License-Identifier: Apache-2.0
#include "models/booster/relay.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/host/workloads/parameters.h"

namespace longhaul::booster {
namespace {

// 60 s: a handshake that takes longer is given up.
constexpr std::uint64_t kUnfinished = 60'000'000'000'000;
constexpr std::uint32_t kBacklog = 1024;

host::Address partner_of(const RelayParams& params, const std::string& where) {
  const host::Address partner = host::address_from(
      params.partner(), static_cast<std::uint16_t>(params.port()), where + ".partner");
  if (partner.ipv6) throw ConfigError(where + ".partner: relays call each other by IPv4");
  return partner;
}

}  // namespace

/// A call of the partner, until its flow is known.
class Relay::Caller final : public Task, private host::SocketWatcher {
 public:
  Caller(Relay& relay, TaskQueue& queue, host::TcpEndpoint& endpoint)
      : Task(queue), relay_(relay), socket_(endpoint) {
    socket_.watch(this);
  }

  void step(host::Process& process) override {
    if (!socket_.is_open()) return;
    if (!greeting_ && socket_.take(process, relay_.scratch(), Greeting::kBytes)) {
      greeting_ = read_greeting(relay_.stack_.pool().at(relay_.scratch()));
      if (!greeting_) socket_.reset();
    }
    if (socket_.is_over() || socket_.stream_ended()) return leave(process);
    if (!greeting_) return;
    const std::shared_ptr<Flow> flow = relay_.find(greeting_->ends);
    if (flow == nullptr || flow->handshake().initial() != greeting_->initial) {
      if (!relay_.let_pass(*greeting_)) return;  // its SYN has not arrived yet
      socket_.reset();
      return leave(process);
    }
    socket_.watch(nullptr);
    flow->join(socket_.release(), *greeting_);
    relay_.forget(*this);
  }

 private:
  void on_event(host::SocketEvent /*event*/) override { wake(); }
  void leave(host::Process& process) {
    socket_.watch(nullptr);
    socket_.close(process);
    relay_.forget(*this);
  }

  Relay& relay_;
  host::RelaySocket socket_;
  std::optional<Greeting> greeting_;
};

Relay::Relay(const sc_core::sc_module_name& name, const RelayParams& params,
             const host::WorkloadHost& host, const std::string& where)
    : sc_module(name),
      params_(params),
      stack_(host.stack),
      forwarder_(stack_, params.edge(), params.line()),
      partner_(partner_of(params, where)),
      processors_(host.processors),
      listener_(stack_, static_cast<std::uint16_t>(params.port()), kBacklog, line_settings()) {
  for (const std::uint32_t interface : {params.edge(), params.line()}) {
    if (interface >= stack_.interfaces()) {
      throw ConfigError(where + ": there is no interface " + std::to_string(interface) + ", only " +
                        std::to_string(stack_.interfaces()));
    }
  }
  if (params.edge() == params.line())
    throw ConfigError(where + ".line: is the interface towards the ends as well");
  for (std::size_t i = 0; i < processors_.size(); ++i) {
    queues_.push_back(std::make_unique<TaskQueue>());
    const std::uint64_t memory = host.pool.allocate(Greeting::kBytes);
    if (memory == 0) throw ConfigError(where + ": no memory left for the relay");
    scratch_.push_back(memory);
  }
  stack_.set_passage(*this);
}

Relay::~Relay() = default;

std::uint64_t Relay::scratch() const {
  const auto found = std::find(processors_.begin(), processors_.end(), host::Processor::current());
  return scratch_[static_cast<std::size_t>(found - processors_.begin())];
}

host::SocketSettings Relay::line_settings() const {
  host::SocketSettings settings;
  settings.send_limit = params_.window().count;
  settings.receive_limit = params_.receive_window().count != 0 ? params_.receive_window().count
                                                               : 2 * settings.send_limit;
  settings.send_limit_is_set = settings.receive_limit_is_set = settings.carries = true;
  return settings;
}

host::SocketSettings Relay::edge_settings() const {
  host::SocketSettings settings;
  settings.send_limit = settings.receive_limit = params_.edge_buffer().count;
  settings.send_limit_is_set = settings.receive_limit_is_set = settings.carries = true;
  return settings;
}

std::shared_ptr<Flow> Relay::find(const tcp::Endpoints& ends) {
  const auto found = flows_.find(host::outgoing_key(ends));
  return found == flows_.end() ? nullptr : found->second;
}

std::shared_ptr<Flow> Relay::open(const tcp::Endpoints& ends, bool near) {
  if (flows_.size() >= params_.most_flows()) drop_unfinished();
  if (flows_.size() >= params_.most_flows()) {
    untouched.add();
    return nullptr;
  }
  host::Processor::current()->execute(stack_.params().tcp_open_cycles());
  next_queue_ = (next_queue_ + 1) % queues_.size();
  auto flow =
      std::make_shared<Flow>(static_cast<FlowOwner&>(*this), *queues_[next_queue_], ends, near);
  flows_[host::outgoing_key(ends)] = flow;
  watched.set(flows_.size());
  return flow;
}

void Relay::drop_unfinished() {
  for (const auto& [key, flow] : flows_) {
    if (!flow->is_split() && now_ps() - flow->opened_at() > kUnfinished) flow->abort();
  }
}

void Relay::over(Flow& flow, bool was_reset) {
  if (was_reset) resets.add();
  forget(flow);
}

void Relay::forget(const Flow& flow) {
  const auto found = flows_.find(host::outgoing_key(flow.ends()));
  if (found == flows_.end() || found->second.get() != &flow) return;
  flows_.erase(found);
  watched.set(flows_.size());
}

void Relay::forget(const Caller& caller) {
  const auto is_it = [&](const std::shared_ptr<Caller>& each) { return each.get() == &caller; };
  callers_.erase(std::remove_if(callers_.begin(), callers_.end(), is_it), callers_.end());
}

void Relay::answer_calls(host::Process& process) {
  if (!stack_.add_listener(listener_)) return;
  while (auto* const endpoint = static_cast<host::TcpEndpoint*>(listener_.accept(process))) {
    next_queue_ = (next_queue_ + 1) % queues_.size();
    callers_.push_back(std::make_shared<Caller>(*this, *queues_[next_queue_], *endpoint));
    callers_.back()->wake();
  }
}

void Relay::segment(host::Interface& from, const host::RxPacket& packet,
                    const tcp::Packet& parsed) {
  const tcp::Segment& segment = parsed.segment;
  if (segment.has(tcp::kSyn) && !segment.has(tcp::kAck)) return syn(from, packet, parsed);
  if (const std::shared_ptr<Flow> flow = find(parsed.endpoints))
    return from_opener(from, packet, parsed, *flow);
  if (const std::shared_ptr<Flow> flow = find(host::reversed(parsed.endpoints))) {
    return from_responder(from, packet, parsed, *flow);
  }
  forwarder_.forward(from, packet);
}

void Relay::syn(host::Interface& from, const host::RxPacket& packet, const tcp::Packet& parsed) {
  std::shared_ptr<Flow> flow = find(parsed.endpoints);
  const bool again = flow != nullptr && flow->handshake().initial() == parsed.segment.seq;
  if (flow != nullptr && flow->is_split() && again) return stack_.freed(packet);  // was late
  if (flow != nullptr && !again) {
    flow->give_way();
    forget(*flow);
    flow = nullptr;
  }
  if (flow == nullptr) flow = open(parsed.endpoints, forwarder_.is_edge(from));
  if (flow != nullptr) {
    flow->handshake().syn(parsed.segment, now_ps());
  } else {
    remember_passed(parsed);
  }
  forwarder_.forward(from, packet);
  if (flow != nullptr && flow->is_near()) return flow->wake();
  for (const auto& caller : callers_) caller->wake();
}

void Relay::remember_passed(const tcp::Packet& parsed) {
  if (passed_.size() == kBacklog) passed_.pop_front();
  passed_.push_back({host::outgoing_key(parsed.endpoints), parsed.segment.seq});
}

bool Relay::let_pass(const Greeting& greeting) const {
  return std::any_of(passed_.begin(), passed_.end(), [&](const Passed& each) {
    return each.initial == greeting.initial && each.opener == host::outgoing_key(greeting.ends);
  });
}

void Relay::from_opener(host::Interface& from, const host::RxPacket& packet,
                        const tcp::Packet& parsed, Flow& flow) {
  const tcp::Segment& segment = parsed.segment;
  const bool was_split = flow.is_split();
  if (segment.has(tcp::kRst)) {
    flow.abort();
    return was_split ? stack_.freed(packet) : forwarder_.forward(from, packet);
  }
  if (was_split) return stack_.freed(packet);  // was late
  if (!flow.handshake().acknowledged_by(segment, now_ps())) return forwarder_.forward(from, packet);
  if (flow.has_failed()) return refuse(packet, parsed, flow);
  if (flow.is_near()) return take_over(packet, parsed, flow);
  forwarder_.forward(from, packet);
  if (segment.sequence_length() == 0 && !flow.is_split() && flow.split(false)) splits.add();
}

void Relay::from_responder(host::Interface& from, const host::RxPacket& packet,
                           const tcp::Packet& parsed, Flow& flow) {
  const tcp::Segment& segment = parsed.segment;
  if (segment.has(tcp::kRst)) flow.abort();
  if (flow.is_split()) return stack_.freed(packet);  // was late
  if (segment.has(tcp::kSyn)) flow.handshake().syn_ack(segment, now_ps());
  forwarder_.forward(from, packet);
}

/// Forwards the opener's first acknowledgement to the responder. From now on, this relay handles
/// the opener's segments.
void Relay::take_over(const host::RxPacket& packet, const tcp::Packet& parsed, Flow& flow) {
  const tcp::Endpoints ends = flow.ends();
  const tcp::Segment ack = flow.handshake().last_ack();
  const bool bare = parsed.segment.sequence_length() == 0;
  if (!flow.split(false)) return forwarder_.forward(forwarder_.edge(), packet);
  splits.add();
  if (bare) return forwarder_.forward(forwarder_.edge(), packet);
  const std::uint64_t payload = packet.address + ethernet::kHeaderBytes + parsed.payload_at;
  stack_.send_alone(ends, ack);
  if (flow.edge().is_open()) return flow.edge().deliver({packet, parsed.segment, payload});
  stack_.freed(packet);
}

/// Resets both ends, because the partner cannot be reached.
void Relay::refuse(const host::RxPacket& packet, const tcp::Packet& parsed, Flow& flow) {
  tcp::Segment reset = flow.handshake().last_ack();
  reset.flags = tcp::kRst | tcp::kAck;
  stack_.freed(packet);
  stack_.send_alone(flow.ends(), reset);
  stack_.send_alone(host::reversed(flow.ends()), tcp::reset_for(parsed.segment));
  flow.abort();
}

namespace {

/// Runs the tasks of a queue, forever. It stays in the kernel until the queue is empty.
class Worker final : public host::WorkloadProgram {
 public:
  Worker(const std::string& name, const host::WorkloadHost& host, const RelayParams& params,
         std::shared_ptr<Relay> relay, std::size_t index)
      : WorkloadProgram(name, host, params), relay_(std::move(relay)), index_(index) {}
  bool is_endless() const override { return true; }

 private:
  void run() override {
    TaskQueue& queue = relay_->queue(index_);
    for (;;) {
      const host::Process::Syscall call(*this);
      constexpr int kMost = 64;  // then other programs run
      int done = 0;
      do {
        queue.pop(*this)->step(*this);
      } while (!queue.empty() && ++done < kMost);
    }
  }

  const std::shared_ptr<Relay> relay_;
  const std::size_t index_;
};

/// Takes the partner's calls.
class Answerer final : public host::WorkloadProgram {
 public:
  Answerer(const std::string& name, const host::WorkloadHost& host, const RelayParams& params,
           std::shared_ptr<Relay> relay)
      : WorkloadProgram(name, host, params), relay_(std::move(relay)) {}
  bool is_endless() const override { return true; }

 private:
  void run() override {
    const host::Process::Syscall call(*this);
    relay_->answer_calls(*this);
    report({{"error", "port " + std::to_string(relay_->params().port()) + " is taken"}});
  }

  const std::shared_ptr<Relay> relay_;
};

RelayParams relay_params() { return {}; }

host::Workload relay_of(const RelayParams& params, const host::Making& making) {
  const std::string& label = making.label;
  const host::WorkloadHost& host = making.host;
  const auto relay = std::make_shared<Relay>(label.c_str(), params, host, making.where);
  host::Workload workload;
  workload.listens = params.port();
  for (std::size_t i = 0; i < host.processors.size(); ++i) {
    RelayParams on_its_own = params;
    on_its_own.cpu.value = static_cast<std::uint32_t>(i);
    workload.programs.push_back(std::make_unique<Worker>(label + "_worker" + std::to_string(i),
                                                         host, on_its_own, relay, i));
  }
  workload.programs.push_back(std::make_unique<Answerer>(label + "_answerer", host, params, relay));
  return workload;
}

}  // namespace

LONGHAUL_PLUGIN(booster_relay) {
  host::workload_types().add(host::workload_type<relay_params, relay_of>(
      "booster_relay", "a relay between two adapters, as BOOSTER has it"));
}

}  // namespace longhaul::booster
