// SPDX-License-Identifier: Apache-2.0
// A box: a wire between two ports that loses every Nth frame of each direction.
#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/param_json.h"
#include "models/common/ring_buffer.h"
#include "models/wan/box_type.h"

namespace {

using namespace longhaul;  // NOLINT: a plug-in of one file

struct LossyWireParams {
  Param<std::uint32_t> every{"every",
                             100,
                             "frames from one that is lost to the next, in each direction",
                             {Evidence::kChosen, "examples/plugin/README.md"},
                             Range<std::uint32_t>{2, 1'000'000}};
  Param<sc_core::sc_time> delay{"delay",
                                {1, sc_core::SC_US},
                                "from a frame's last bit in to its preamble out",
                                {Evidence::kChosen, "examples/plugin/README.md"},
                                Range<sc_core::sc_time>{{}, {1, sc_core::SC_SEC}}};
  auto fields() { return std::tie(every, delay); }
};

/// One direction: takes what arrives at `from`, and sends it at `to`.
class Way final : public EthReceiver {
 public:
  Way(const LossyWireParams& params, EthPort& from, EthPort& to, observe::Counter& lost)
      : every_(params.every()), delay_ps_(to_ps(params.delay())), to_(to), lost_(lost) {
    from.eth_rx.bind(*this);
  }
  void receive(const FrameRef& frame) override {
    if (++seen_ % every_ == 0) return lost_.add();
    waiting_.push_back({frame, now_ps() + delay_ps_});
    if (waiting_.size() == 1) next_.set(std::max(waiting_.front().from_ps, free_ps_));
  }
  void carrier_changed(bool /*up*/) override {}

 private:
  struct Waiting {
    FrameRef frame;
    std::uint64_t from_ps;  // may leave
  };
  void send() {
    const sc_core::sc_time busy = to_.eth_tx->transmit(waiting_.pop_front().frame);
    free_ps_ = now_ps() + to_ps(busy);
    if (!waiting_.empty()) next_.set(std::max(waiting_.front().from_ps, free_ps_));
  }

  const std::uint32_t every_;
  const std::uint64_t delay_ps_;
  EthPort& to_;
  observe::Counter& lost_;
  std::uint64_t seen_ = 0;
  std::uint64_t free_ps_ = 0;  // when the next preamble may start
  RingBuffer<Waiting> waiting_;
  Timer next_{[this] { send(); }};
};

class LossyWire final : public sc_core::sc_module, public wan::WanBox {
 public:
  LossyWire(const sc_core::sc_module_name& name, LossyWireParams params)
      : sc_module(name), params_(std::move(params)) {}
  std::vector<wan::NamedPort> ports() override { return {{"west", &west_}, {"east", &east_}}; }
  nlohmann::json describe_params() const override { return describe(params_); }

 private:
  const LossyWireParams params_;
  EthPort west_{"west"};
  EthPort east_{"east"};
  observe::Counter lost_{"lost", "frame", "frames lost, of both directions"};
  Way to_east_{params_, west_, east_, lost_};
  Way to_west_{params_, east_, west_, lost_};
};

std::unique_ptr<wan::WanBox> make(const wan::BoxRequest& request) {
  LossyWireParams params;
  configure(params, request.params, request.where);
  return std::make_unique<LossyWire>(request.module_name, params);
}

}  // namespace

LONGHAUL_PLUGIN(lossy_wire) {
  wan::box_types().add({"lossy_wire", "a wire that loses every Nth frame", make,
                        [] { return describe_defaults(LossyWireParams{}); }});
}
