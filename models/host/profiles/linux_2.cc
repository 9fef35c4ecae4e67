// SPDX-License-Identifier: Apache-2.0
// Linux 2.4.18, 2.4.20, 2.6.6 and 2.6.18.
#include "models/host/profiles/costs.h"
#include "models/host/profiles/systems.h"
#include "models/host/profiles/values.h"

namespace longhaul::host {
namespace {

/// Returns the parts that 2.4 and 2.6.6 share. `tick` is a jiffy.
OsProfile linux_of_2002_to_2004(sc_core::sc_time tick, Source of_tick) {
  OsProfile profile;
  linux_of_all_eras(profile);
  tcp::TcpParams& p = profile.tcp;
  set(p.initial_window, 2,
      printed("Linux 2.4, 2.6.9, tcp_v4_init_sock(): 2; tcp_init_cwnd()'s 3 need a round trip "
              "cached for the route"));
  set(p.cwnd_limit_segments, 65535,
      printed("Linux 2.4, 2.6.9, tcp_v4_init_sock(): snd_cwnd_clamp is all ones, and a __u16 "
              "(sock.h, tcp.h)"));
  set(p.abc_limit, 0, printed("Linux 2.4, 2.6.9, tcp_cong_avoid(): counts ACKs"));
  set(p.offload_divisor, 0, printed("Linux: tcp_tso_win_divisor came with 2.6.9"));
  set(p.loss_rule, "fack", printed("Linux 2.4, 2.6.9: sysctl_tcp_fack 1"));
  set(p.max_reordering, 127, printed("Linux 2.4, 2.6.9, tcp.h: TCP_MAX_REORDERING"));
  set(p.frto, false, printed("Linux 2.4: none; 2.6.9: sysctl_tcp_frto 0"));
  set(p.reduction, "rate_halving", printed("Linux 2.4, 2.6.9: tcp_cwnd_down()"));
  set(p.timer_tick, tick, of_tick);
  set(p.rtt_tick, tick, of_tick);
  set(p.rto_initial, sec(3), printed("Linux 2.4, 2.6.9, tcp.h: TCP_TIMEOUT_INIT"));
  set(p.syn_retries, 5, printed("Linux 2.4, 2.6.9, tcp.h: TCP_SYN_RETRIES"));
  set(p.timestamp_tick, tick, of_tick);
  set(p.receive_buffer, {65535},
      printed("Linux 2.4, 2.6.9: tcp_rmem[1], 87380 B, less a quarter (tcp_adv_win_scale 2)"));
  set(p.window_start, 4,
      printed("Linux 2.4, 2.6.9, tcp_select_initial_window(): 4 segments; 3 above 1460 B, 2 above "
              "4380"));
  set(p.quick_acks, 2,
      printed("Linux 2.4, 2.6.9, tcp_incr_quickack(): half of the first window's segments"));
  set(p.quick_ack_on_growth, true, printed("Linux 2.4, 2.6.9, tcp_grow_window(): ack.quick"));
  set(p.delayed_ack_tick, tick, of_tick);
  NetParams& n = profile.net;
  set(n.send_buffer, units::KiB(16), printed("Linux 2.4, 2.6.9, tcp.c: tcp_wmem[1]"));
  set(n.send_buffer_most, units::KiB(128),
      printed("Linux 2.4, 2.6.9, tcp.c: tcp_wmem[2]; tcp_new_space()"));
  set(n.receive_buffer, {87380}, printed("Linux 2.4, 2.6.9, tcp.c: tcp_rmem[1]"));
  set(n.receive_buffer_most, {0}, printed("Linux: tcp_moderate_rcvbuf came with 2.6.7 (tcp(7))"));
  set(n.adv_win_scale, 2, printed("Linux 2.4, 2.6.9: sysctl_tcp_adv_win_scale 2"));
  set(n.send_linear, {3632},
      printed("Linux 2.4, 2.6.9, select_size(): SKB_MAX_HEAD(MAX_TCP_HEADER), where pages follow"));
  set(n.input_queue_packets, 300, printed("Linux 2.4, 2.6.9, dev.c: netdev_max_backlog"));
  set(n.time_wait_buckets, 180000,
      printed("Linux 2.4, 2.6.9, tcp_init(): tcp_max_tw_buckets with much memory"));
  set(n.prequeue, true, printed("Linux 2.4, 2.6.9: tcp_prequeue()"));
  set(n.sum_with_copy, true,
      printed(
          "Linux 2.4, 2.6.11: csum_and_copy_from_user() of tcp_sendmsg(), tcp_copy_to_iovec()"));
  set(n.napi_budget, 300, printed("Linux 2.4, 2.6.9, net_rx_action(): netdev_max_backlog"));
  set(profile.kernel.tick, tick, of_tick);
  set(profile.kernel.ksoftirqd_slice, ms(10),
      printed("Linux 2.4, 2.6.6, sched.c: the least time slice, of nice 19"));
  set(profile.kernel.wakeup_preempts, true,
      printed(
          "Linux 2.4, reschedule_idle(): goodness(); 2.6, try_to_wake_up(): TASK_PREEMPTS_CURR"));
  set(profile.kernel.interrupt_threads, false,
      printed("Linux 2.4, 2.6: handlers and softirqs have no thread of their own"));
  set(profile.kernel.idle_polls, false, printed("Linux 2.4, 2.6, i386, default_idle(): it halts"));
  set(profile.kernel.giant_lock, false,
      printed("Linux 2.4, 2.6: the network does not use its big kernel lock"));
  return profile;
}

OsProfile linux_2_4(sc_core::sc_time tick, Source of_tick) {
  OsProfile profile = linux_of_2002_to_2004(tick, of_tick);
  set(profile.tcp.window_in_segments, true,
      printed("Linux 2.4, __tcp_select_window(): a multiple of the MSS"));
  NetParams& n = profile.net;
  set(n.buffer_overhead, 160,
      printed("Linux 2.4, i386: sizeof(struct sk_buff), counted; skb_shared_info is not charged"));
  set(n.qdisc_packets, 100, printed("Linux 2.4, net_init.c: tx_queue_len of Ethernet"));
  set(n.tso, false, printed("Linux 2.4 has none"));
  set(n.reader_acks, true,
      printed("Linux 2.4, tcp_rcv_established(): eaten; Kuznetsov on linux-kernel: \"the same code "
              "is executed upon return "
              "from the function\" by tcp_recvmsg()"));
  set(profile.kernel.softirq_restarts, 1,
      printed("Linux 2.4, do_softirq(): what comes up again goes to ksoftirqd"));
  set_costs(profile, CodeOf::kLinux24);
  return profile;
}

OsProfile linux_2_4_18() {
  OsProfile profile =
      linux_2_4({1953125, sc_core::SC_NS}, printed("Red Hat 2.4.18-14, i686-smp: CONFIG_HZ=512"));
  set(profile.net.napi, false,
      assumed("sk98lin 6.05 calls netif_rx(): models/host/profiles/README.md#interrupts"));
  set(profile.kernel.slice, ms(151),
      printed("Red Hat 2.4.18-14, sched.c: TASK_TIMESLICE of nice 0, of 10 to 300 ms"));
  return profile;
}

OsProfile linux_2_4_20() {
  OsProfile profile = linux_2_4(ms(10), printed("Linux 2.4.20, i386: HZ 100"));
  set(profile.net.napi, false,
      assumed("e1000 4.4.12 without CONFIG_E1000_NAPI: "
              "models/host/profiles/README.md#interrupts"));
  set(profile.kernel.slice, ms(60), printed("Linux 2.4.20, sched.c: NICE_TO_TICKS(0) is 6 ticks"));
  return profile;
}

OsProfile linux_2_6_6() {
  OsProfile profile = linux_of_2002_to_2004(
      ms(1), printed("Linux 2.6.9, asm-i386/param.h, asm-x86_64/param.h: HZ 1000"));
  set(profile.tcp.congestion_control, "newreno",
      printed("tcp(7): tcp_bic is off by default in 2.6.6; sysctl net.ipv4.tcp_bic=1 is \"bic\""));
  set(profile.tcp.window_in_segments, false,
      printed("Linux 2.6.9, __tcp_select_window(): a multiple of the MSS only without scaling"));
  NetParams& n = profile.net;
  set(n.buffer_overhead, 272,
      printed(
          "Linux 2.6.9, x86-64: sizeof(struct sk_buff), counted; skb_shared_info is not charged"));
  set(n.qdisc_packets, 1000, printed("Linux 2.6.9, net_init.c: tx_queue_len of Ethernet"));
  set(n.tso, true, printed("Linux 2.6: NETIF_F_TSO of the driver"));
  set(n.reader_acks, false,
      assumed("2.6.6 has it, too; off until code_scale is fitted with it: "
              "models/host/profiles/README.md#does-not-model"));
  set(n.napi, true, measured("OPTERON-10G, section 2.1: ixgb with NAPI"));
  set(profile.kernel.slice, ms(100), printed("Linux 2.6.9, sched.c: DEF_TIMESLICE"));
  set(profile.kernel.softirq_restarts, 10, printed("Linux 2.6.9, softirq.c: MAX_SOFTIRQ_RESTART"));
  set_costs(profile, CodeOf::kLinux26);
  return profile;
}

OsProfile linux_2_6_18() {
  OsProfile profile = linux_2_6_6();
  tcp::TcpParams& p = profile.tcp;
  set(p.congestion_control, "bic-linux",
      printed("Linux 2.6.18, Kconfig, tcp_cong.c: BIC is built in and registered last"));
  set(p.initial_ssthresh_segments, 100,
      printed("Linux 2.6.18, tcp_bic.c: initial_ssthresh; 0 in Red Hat's from 2.6.18-238 (2011)"));
  set(p.initial_window, 3,
      printed("Linux 2.6.18, tcp_init_cwnd(): 3 of 1096 to 1460 B, 2 of more, 4 of less"));
  set(p.offload_divisor, 3, printed("Linux 2.6.18, tcp_output.c: sysctl_tcp_tso_win_divisor"));
  NetParams& n = profile.net;
  set(n.send_buffer_most, units::MiB(4),
      printed("Linux 2.6.18, tcp_init(): tcp_wmem[2] is 4 MB with enough memory"));
  set(n.receive_buffer_most, units::MiB(4),
      printed("Linux 2.6.18, tcp_init(): tcp_rmem[2] is 4 MB with enough memory; "
              "tcp_rcv_space_adjust()"));
  set(n.send_linear, {0}, printed("Linux 2.6.18, select_size(): 0 where the adapter segments"));
  set(n.input_queue_packets, 1000, printed("Linux 2.6.18, dev.c: netdev_max_backlog"));
  set(n.napi, true,
      assumed("distributions built CONFIG_E1000_NAPI: models/host/profiles/README.md#linux-2618"));
  return profile;
}

}  // namespace

LONGHAUL_PLUGIN(linux_2_profiles) {
  os_profiles().add(
      {"linux-2.4.18", "Linux 2.4.18-14smp of Red Hat 8.0 (GNET-1, table 1)", linux_2_4_18});
  os_profiles().add({"linux-2.4.20", "Linux 2.4.20 with the web100 patch (GNET-1, figures 4 to 8)",
                     linux_2_4_20});
  os_profiles().add({"linux-2.6.18",
                     "Linux 2.6.18, x86-64, as distributions of 2009 had it (BOOSTER's ends)",
                     linux_2_6_18});
  os_profiles().add({"linux-2.6.6", "Linux 2.6.6, x86-64 (OPTERON-10G)", linux_2_6_6});
}

}  // namespace longhaul::host
