// SPDX-License-Identifier: Apache-2.0
// Linux 6.1 as the scenarios' real guest runs it, for comparisons of a model with the real thing.
#include "models/host/profiles/costs.h"
#include "models/host/profiles/systems.h"
#include "models/host/profiles/values.h"

namespace longhaul::host {
namespace {

OsProfile linux_6_1() {
  OsProfile profile;
  linux_of_all_eras(profile);
  const sc_core::sc_time jiffy = ms(10);
  const Source of_jiffy = chosen("sw/linux: CONFIG_HZ=100 of ARCH=um");
  tcp::TcpParams& p = profile.tcp;
  set(p.congestion_control, "newreno",
      chosen("scenarios/ixgb_b2b: congestion=reno; the kernel's own default is cubic"));
  set(p.initial_window, 10, printed("Linux 6.1, tcp.h: TCP_INIT_CWND"));
  set(p.cwnd_limit_segments, 0,
      printed("Linux 6.1, tcp_init_sock(): snd_cwnd_clamp is all ones, a u32"));
  set(p.abc_limit, 64,
      printed("Linux 6.1, tcp_slow_start(): all segments that an ACK acknowledges"));
  set(p.offload_divisor, 3, printed("Linux 6.1: sysctl_tcp_tso_win_divisor 3"));
  set(p.loss_rule, "rfc6675", printed("Linux 6.1: FACK went with 4.15"));
  set(p.max_reordering, 300, printed("Linux 6.1: sysctl_tcp_max_reordering"));
  set(p.frto, true, printed("Linux 6.1: sysctl_tcp_frto 2"));
  set(p.reduction, "prr", printed("Linux 6.1: tcp_cwnd_reduction(), since 3.2"));
  set(p.timer_tick, jiffy, of_jiffy);
  set(p.rtt_tick, {}, printed("Linux 6.1: round trips in microseconds, since 3.15"));
  set(p.rto_initial, sec(1), printed("Linux 6.1, tcp.h: TCP_TIMEOUT_INIT"));
  set(p.syn_retries, 6, printed("Linux 6.1, tcp.h: TCP_SYN_RETRIES"));
  set(p.timestamp_tick, ms(1), printed("Linux 6.1, tcp.h: TCP_TS_HZ 1000"));
  set(p.receive_buffer, {98304},
      printed("Linux 6.1: tcp_rmem[1], 131072 B, less a quarter (tcp_adv_win_scale 2)"));
  set(p.window_start, 45,
      printed("Linux 6.1, tcp_select_initial_window(): 65535 B, segments of 1448"));
  set(p.window_in_segments, false, printed("Linux 6.1, __tcp_select_window(): not with scaling"));
  set(p.quick_acks, 16,
      printed("Linux 6.1, tcp.h: TCP_MAX_QUICKACKS; half of the first window's segments are more"));
  set(p.quick_ack_on_growth, true, printed("Linux 6.1, tcp_grow_window(): icsk_ack.quick"));
  set(p.delayed_ack_tick, jiffy, of_jiffy);
  NetParams& n = profile.net;
  set(n.send_buffer, units::KiB(16), printed("Linux 6.1: tcp_wmem[1]"));
  set(n.send_buffer_most, units::MiB(4), printed("Linux 6.1: tcp_wmem[2]; tcp_sndbuf_expand()"));
  set(n.receive_buffer, units::KiB(128), printed("Linux 6.1: tcp_rmem[1]"));
  set(n.receive_buffer_most, units::MiB(6),
      printed("Linux 6.1: tcp_rmem[2]; tcp_rcv_space_adjust()"));
  set(n.adv_win_scale, 2,
      chosen("scenarios/ixgb_b2b sets 2 as in 2.6.6; the kernel's own default is 1"));
  set(n.buffer_overhead, 576, printed("Linux 6.1, skbuff.h: SKB_TRUESIZE(0), 256 + 320 B"));
  set(n.send_linear, {0},
      printed("Linux 6.1, tcp_stream_alloc_skb(): headers alone, payload in page fragments"));
  set(n.qdisc_packets, 1000, printed("Linux 6.1: DEFAULT_TX_QUEUE_LEN"));
  set(n.input_queue_packets, 1000, printed("Linux 6.1: netdev_max_backlog; not used with NAPI"));
  set(n.time_wait_buckets, 4096,
      printed("Linux 6.1, tcp_init(): half of the established table of a guest of 1 GB"));
  set(n.prequeue, false, printed("Linux: tcp_prequeue() went with 4.14"));
  set(n.reader_acks, false, printed("Linux: no prequeue since 4.14"));
  set(n.sum_with_copy, false,
      printed("Linux 6.1: skb_checksum_help() when sent, tcp_checksum_complete() when received"));
  set(n.tso, true, printed("Linux 6.1: NETIF_F_TSO of ixgb"));
  set(n.napi, true, printed("Linux 6.1: ixgb has nothing else"));
  set(n.napi_budget, 300, printed("Linux 6.1: netdev_budget"));
  set(profile.kernel.tick, jiffy, of_jiffy);
  set(profile.kernel.slice, ms(3),
      printed("Linux 6.1, fair.c: sched_latency 6 ms of one processor, shared by two"));
  set(profile.kernel.softirq_restarts, 10, printed("Linux 6.1, softirq.c: MAX_SOFTIRQ_RESTART"));
  set(profile.kernel.ksoftirqd_slice, ms(3),
      printed("Linux 6.1: ksoftirqd has nice 0, as the program"));
  set(profile.kernel.wakeup_preempts, true, printed("Linux 6.1, fair.c: check_preempt_wakeup()"));
  set(profile.kernel.interrupt_threads, false, printed("Linux 6.1: not without threadirqs"));
  set(profile.kernel.idle_polls, false, printed("Linux 6.1, default_idle(): it halts"));
  set(profile.kernel.giant_lock, false, printed("Linux 6.1: there is none"));
  set_costs(profile, CodeOf::kLinux61);
  return profile;
}

}  // namespace

LONGHAUL_PLUGIN(linux_6_profiles) {
  os_profiles().add(
      {"linux-6.1",
       "Linux 6.1 as the real guest of ixgb_b2b: Reno, no GSO, no GRO, tcp_adv_win_scale 2, HZ 100",
       linux_6_1});
}

}  // namespace longhaul::host
