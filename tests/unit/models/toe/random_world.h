// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "models/common/event_queue.h"
#include "models/tcp/connection.h"
#include "models/toe/offload_engine.h"
#include "tests/unit/models/tcp/random_network.h"

namespace longhaul::toe::rig {

using tcp::rig::Dice;

/// Calls in order of simulated time.
class Calls {
 public:
  void at(std::uint64_t ps, std::function<void()> call) {
    entries_.push({ps, order_++, std::move(call)});
    timer_.set_no_later(ps);
  }
  void after(std::uint64_t ps, std::function<void()> call) { at(now_ps() + ps, std::move(call)); }

 private:
  struct Entry {
    std::uint64_t ps;
    std::uint64_t order;
    std::function<void()> call;
    bool operator<(const Entry& other) const {
      return ps != other.ps ? ps > other.ps : order > other.order;
    }
  };
  void run() {
    while (!entries_.empty() && entries_.top().ps <= now_ps()) {
      const std::function<void()> call = entries_.top().call;
      entries_.pop();
      call();
    }
    if (!entries_.empty()) timer_.set_no_later(entries_.top().ps);
  }
  std::priority_queue<Entry> entries_;
  std::uint64_t order_ = 0;
  Timer timer_{[this] { run(); }};
};

class World;

/// The life of one connection, drawn from a seed.
struct Plan {
  enum class Upset : std::uint8_t { kNone, kHostAborts, kPeerAborts, kHostRejects };
  bool engine_opens = false;
  std::uint64_t from_engine = 0;  ///< bytes
  std::uint64_t from_peer = 0;
  std::uint64_t largest_write = 1;
  bool host_closes_last = false;
  bool peer_closes_last = false;
  bool peer_pauses = false;
  bool host_pauses = false;
  Upset upset = Upset::kNone;
  std::uint64_t upset_ps = 0;
  ConnectionOptions options;
  std::uint16_t peer_mss = 1460;
};

/// One connection: its user at the engine's host, and the peer with TCP of its own.
class Flow final : public tcp::Environment {
 public:
  Flow(World& world, std::uint32_t number, const Plan& plan, const tcp::TcpParams& peer);

  void start();
  bool done() const;
  std::string describe() const;
  const Ends& ends() const { return ends_; }
  const Plan& plan() const { return plan_; }
  bool is_over() const { return over_; }
  std::uint32_t number() const { return number_; }

  bool waits_for_room = false;  ///< for World::may_send()

  // The host.
  void open();
  void host_told(Tid tid);
  void host_established(const Established& message);
  void host_wrote(std::uint32_t acked);
  void host_received(const RxData& data);
  void host_peer_closed();
  void host_closed();
  void host_over();
  void host_write();
  void host_failed(Error error);

  // The peer.
  void arrive(const Inbound& in, const FrameRef& frame);

  std::uint64_t now() const override { return now_ps(); }
  void wake(tcp::Timer timer, std::uint64_t at) override;
  bool transmit(tcp::Segment& segment) override;
  void established() override;
  void readable(std::uint64_t bytes) override;
  void end_of_stream() override;
  void ended(tcp::End why) override { peer_ended_ = why; }

 private:
  void peer_write();
  void peer_maybe_close();
  void host_maybe_close();
  void upset();
  /// The engine may have given the tid to another connection.
  bool host_is_done() const { return close_reply_ && peer_closed_; }

  World& world_;
  const std::uint32_t number_;
  const Plan plan_;
  const tcp::TcpConfig config_;
  tcp::Connection peer_;
  Ends ends_;
  std::array<std::uint64_t, tcp::kTimerKinds> wishes_{};
  // Host.
  std::optional<Tid> tid_;
  std::uint32_t rcv_isn_ = 0;
  bool established_ = false;
  std::uint64_t offered_ = 0;
  std::uint64_t acked_ = 0;
  std::uint64_t received_ = 0;
  bool close_sent_ = false;
  bool abort_sent_ = false;
  bool peer_closed_ = false;
  bool close_reply_ = false;
  bool over_ = false;
  // Peer.
  std::uint64_t peer_written_ = 0;
  std::uint64_t peer_received_ = 0;
  bool peer_reading_ = false;
  bool peer_close_called_ = false;
  bool peer_saw_end_ = false;
  std::optional<tcp::End> peer_ended_;
};

/// An engine with random connections over a random network, and the rules that must hold. Every
/// byte arrives once and in order. Every connection ends. Then tables and memories are empty.
class World final : public HostSide, public WireSide {
 public:
  World(const std::string& name, const ToeParams& params, const T1Params& t1, std::uint64_t seed,
        std::uint32_t connections);

  void start();
  bool done() const;
  /// The first rule that was broken, or the first connection that did not end.
  std::string failure() const;
  /// The rest in tables and memories after all connections have ended; empty if nothing is left.
  std::string left() const;

  // For Flow.
  void fail(const std::string& text) {
    if (failure_.empty()) failure_ = text;
  }
  void to_engine(const Ends& ends, const tcp::Segment& segment, std::uint32_t stream);
  void control(FromHost message);
  bool data(FromHost&& message, Flow& flow);
  /// Whether the data queue has room. If not, the flow's host_write() is called when it has.
  bool may_send(Flow& flow);
  void map(Tid tid, Flow* flow);

  // HostSide, WireSide.
  bool deliver(ToHost& message) override;
  void queue_ready(HostQueue queue) override;
  void frame_ready() override;
  void fill_changed(std::uint64_t) override {}
  void send_ready() override {}

  Dice dice;
  Calls calls;
  OffloadEngine engine;
  std::vector<std::unique_ptr<Flow>> flows;
  std::uint64_t rejected = 0;
  std::uint64_t peer_retransmissions = 0;

 private:
  Plan draw();
  void handle(const ToHost& message);
  void told_of_packet(const RxPacket& packet);
  void send_next();
  void impair(const FrameRef& frame, const std::function<void(const FrameRef&)>& arrive);
  Flow* flow_of(Tid tid) const { return tid < by_tid_.size() ? by_tid_[tid] : nullptr; }
  Flow* flow_of(const Ends& ends) const;

  double loss_ = 0;
  double duplicate_ = 0;
  double reorder_ = 0;
  double damage_ = 0;
  std::uint64_t delay_ = 0;
  std::uint64_t ps_per_byte_ = 0;
  std::uint64_t heal_ps_ = 0;
  bool wire_busy_ = false;
  bool host_paused_ = false;
  bool data_full_ = false;
  std::vector<Flow*> by_tid_;
  std::deque<FromHost> control_;
  std::deque<Flow*> waiting_;
  std::string failure_;
};

}  // namespace longhaul::toe::rig
