// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/config.h"

#include <initializer_list>
#include <utility>
#include <vector>

#include "models/tcp/congestion/control_type.h"
#include "models/tcp/params.h"

namespace longhaul::tcp {
namespace {

template <class Choice>
Choice choose(const Param<std::string>& param, const std::string& where,
              std::initializer_list<std::pair<const char*, Choice>> choices) {
  std::vector<std::string> names;
  for (const auto& [name, choice] : choices) {
    if (param() == name) return choice;
    names.emplace_back(name);
  }
  fail_unknown_name(param.name, param(), names, where);
}

void check(bool holds, const std::string& where, const char* message) {
  if (!holds) throw ConfigError(where + ": " + message);
}

}  // namespace

TcpConfig resolve(const TcpParams& p, const std::string& where) {
  const auto no_limit = [](Bytes bytes) { return bytes.count == 0 ? ~0ULL : bytes.count; };
  if (congestion_controls().look(p.congestion_control()) == nullptr) {
    fail_unknown_name(p.congestion_control.name, p.congestion_control(),
                      congestion_controls().names(), where);
  }
  check(p.rto_min() <= p.rto_max(), where, "rto_min must not be above rto_max");
  check(p.rto_initial() <= p.rto_max(), where, "rto_initial must not be above rto_max");
  check(to_ps(p.rto_min()) > 0 && to_ps(p.rto_initial()) > 0, where,
        "rto_min and rto_initial must be above 0s");
  check(p.persist_min() <= p.persist_max() && to_ps(p.persist_min()) > 0, where,
        "persist_min must be above 0s and not above persist_max");
  check(to_ps(p.timestamp_tick()) > 0, where, "timestamp_tick must be above 0s");
  check(to_ps(p.keepalive_interval()) > 0, where, "keepalive_interval must be above 0s");

  TcpConfig c{};
  c.congestion_control = p.congestion_control();
  c.cwnd_unit = choose<CwndUnit>(p.cwnd_unit, where,
                                 {{"bytes", CwndUnit::kBytes}, {"segments", CwndUnit::kSegments}});
  c.initial_window = p.initial_window();
  c.initial_ssthresh = no_limit(p.initial_ssthresh());
  c.initial_ssthresh_segments = p.initial_ssthresh_segments();
  c.cwnd_limit = no_limit(p.cwnd_limit());
  c.cwnd_limit_segments = p.cwnd_limit_segments();
  c.abc_limit = p.abc_limit();
  c.reduce_from = choose<ReduceFrom>(
      p.reduce_from, where, {{"flight", ReduceFrom::kFlight}, {"cwnd", ReduceFrom::kCwnd}});
  c.grow_only_when_limited = p.grow_only_when_limited();
  c.nagle = choose<Nagle>(
      p.nagle, where,
      {{"classic", Nagle::kClassic}, {"minshall", Nagle::kMinshall}, {"off", Nagle::kOff}});
  c.sws_share = p.sws_share();
  c.burst = choose<Burst>(
      p.burst, where,
      {{"moderate", Burst::kModerate}, {"limit", Burst::kLimit}, {"none", Burst::kNone}});
  c.burst_segments = p.burst_segments();
  c.idle = choose<Idle>(
      p.idle, where, {{"restart", Idle::kRestart}, {"decay", Idle::kDecay}, {"none", Idle::kNone}});
  c.local_congestion = choose<LocalCongestion>(p.local_congestion, where,
                                               {{"ignore", LocalCongestion::kIgnore},
                                                {"reduce", LocalCongestion::kReduce},
                                                {"collapse", LocalCongestion::kCollapse}});
  c.offload_divisor = p.offload_divisor();

  c.sack = p.sack();
  c.dsack = p.dsack();
  c.loss_rule = choose<LossRule>(p.loss_rule, where,
                                 {{"rfc6675", LossRule::kRfc6675}, {"fack", LossRule::kFack}});
  c.dup_threshold = p.dup_threshold();
  c.max_reordering = p.max_reordering();
  c.limited_transmit = p.limited_transmit();
  c.frto = p.frto();
  c.reduction = choose<Reduction>(p.reduction, where,
                                  {{"immediate", Reduction::kImmediate},
                                   {"prr", Reduction::kPrr},
                                   {"rate_halving", Reduction::kRateHalving}});
  c.partial_ack_stays = p.partial_ack_stays();
  c.impatient = p.impatient();
  c.sack_survives_timeout = p.sack_survives_timeout();
  c.timeout_reduces_again = p.timeout_reduces_again();
  c.undo_by_dsack = p.undo_by_dsack();
  c.undo_by_timestamps = p.undo_by_timestamps();

  c.timer_tick = to_ps(p.timer_tick());
  c.rtt_tick = to_ps(p.rtt_tick());
  c.rto_initial = to_ps(p.rto_initial());
  c.rto_min = to_ps(p.rto_min());
  c.rto_max = to_ps(p.rto_max());
  c.rto_min_on_variance = p.rto_min_on_variance();
  c.data_retries = p.data_retries();
  c.window_probes = p.data_retries();
  c.syn_retries = p.syn_retries();
  c.persist_min = to_ps(p.persist_min());
  c.persist_max = to_ps(p.persist_max());
  c.window_probe = choose<WindowProbe>(
      p.window_probe, where, {{"byte", WindowProbe::kByte}, {"empty", WindowProbe::kEmpty}});
  c.time_wait = to_ps(p.time_wait());
  c.keepalive_idle = to_ps(p.keepalive_idle());
  c.keepalive_interval = to_ps(p.keepalive_interval());
  c.keepalive_probes = p.keepalive_probes();

  c.timestamps = p.timestamps();
  c.timestamp_tick = to_ps(p.timestamp_tick());
  c.window_scaling = p.window_scaling();
  c.default_mss = p.default_mss();

  c.receive_buffer = p.receive_buffer().count;
  c.window_start = p.window_start();
  c.window_growth = p.window_growth();
  c.window_in_segments = p.window_in_segments();
  c.update_segments = p.update_segments();
  c.update_share = p.update_share();
  c.ack_every = p.ack_every();
  c.ack_follows_reader = p.ack_follows_reader();
  c.quick_acks = p.quick_acks();
  c.quick_ack_on_growth = p.quick_ack_on_growth();
  c.delayed_ack = to_ps(p.delayed_ack());
  c.delayed_ack_tick = to_ps(p.delayed_ack_tick());
  return c;
}

}  // namespace longhaul::tcp
