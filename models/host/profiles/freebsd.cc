// SPDX-License-Identifier: Apache-2.0
// FreeBSD 4.5 and 5.1. Sources were read in the tcp_input.c and tcp_output.c of mid-2002, between
// the two: README.md#sources.
#include "models/host/profiles/costs.h"
#include "models/host/profiles/systems.h"
#include "models/host/profiles/values.h"

namespace longhaul::host {
namespace {

constexpr const char* kHz = "FreeBSD 4.5, 5.1, i386: hz 100; TCP's callouts and clock count ticks";

void freebsd_sending(tcp::TcpParams& p) {
  set(p.congestion_control, "newreno", printed("FreeBSD 4.5, 5.1: net.inet.tcp.newreno 1"));
  set(p.cwnd_unit, "bytes", printed("FreeBSD, tcp_var.h: snd_cwnd"));
  set(p.initial_window, 4,
      printed("FreeBSD 4.5, 5.1: net.inet.tcp.local_slowstart_flightsize 4, on one's own network; "
              "others 1"));
  set(p.initial_ssthresh, {0}, printed("FreeBSD, tcp_newtcpcb(): the largest window there is"));
  set(p.cwnd_limit, {0},
      printed("FreeBSD, tcp_input(): TCP_MAXWIN << snd_scale, at least the peer's window"));
  set(p.initial_ssthresh_segments, 0, chosen("its threshold counts bytes: cwnd_unit"));
  set(p.cwnd_limit_segments, 0, chosen("its window counts bytes: cwnd_unit"));
  set(p.abc_limit, 0,
      printed("FreeBSD, tcp_input(): counts ACKs; maxseg * maxseg / cwnd above ssthresh"));
  set(p.reduce_from, "flight",
      printed(
          "FreeBSD, tcp_input(): half of min(snd_wnd, snd_cwnd), which a stream has in flight"));
  set(p.grow_only_when_limited, false, printed("FreeBSD, tcp_input(): every ACK of new data"));
  set(p.nagle, "classic", printed("FreeBSD, tcp_output(): idle or TF_NODELAY"));
  set(p.sws_share, 0.5, printed("FreeBSD, tcp_output(): max_sndwnd / 2"));
  set(p.burst, "moderate",
      printed("FreeBSD, tcp_input(): after recovery at most a segment over the flight"));
  set(p.burst_segments, 1,
      printed("FreeBSD, tcp_input(): the same; tcp_output()'s TCP_MAXBURST is commented out since "
              "4.5"));
  set(p.idle, "restart", printed("FreeBSD, tcp_output(): back to the flight size after t_rxtcur"));
  set(p.local_congestion, "collapse",
      printed("FreeBSD, tcp_output(): ENOBUFS calls tcp_quench(), one segment"));
  set(p.offload_divisor, 0, printed("FreeBSD: TSO came with 7.0"));
}

void freebsd_recovery(tcp::TcpParams& p) {
  constexpr const char* kNoSack = "FreeBSD: SACK came with 5.3";
  set(p.sack, false, printed(kNoSack));
  set(p.dsack, false, printed(kNoSack));
  set(p.loss_rule, "rfc6675", printed("FreeBSD: none without SACK"));
  set(p.dup_threshold, 3, printed("FreeBSD, tcp_input.c: tcprexmtthresh"));
  set(p.max_reordering, 3, printed("FreeBSD, tcp_input.c: tcprexmtthresh does not move"));
  set(p.limited_transmit, false,
      assumed("FreeBSD 4.5: none; 5.1: net.inet.tcp.rfc3042 0: "
              "models/host/profiles/README.md#not-read"));
  set(p.frto, false, printed("FreeBSD 4.5, 5.1: none"));
  set(p.reduction, "immediate",
      printed("FreeBSD, tcp_input(): ssthresh and a segment per duplicate"));
  set(p.partial_ack_stays, true, printed("FreeBSD, tcp_newreno()"));
  set(p.impatient, false,
      printed("FreeBSD, tcp_newreno(): stops the timer, tcp_output() starts it"));
  set(p.sack_survives_timeout, false, printed(kNoSack));
  set(p.timeout_reduces_again, true,
      assumed("FreeBSD, tcp_timer_rexmt(): half of the window, whatever went before: "
              "models/host/profiles/README.md#not-read"));
  set(p.undo_by_dsack, false, printed(kNoSack));
  set(p.undo_by_timestamps, false,
      printed("FreeBSD: t_badrxtwin goes by the time of the ACK: "
              "models/host/profiles/README.md#does-not-model"));
}

void freebsd_timers(tcp::TcpParams& p) {
  set(p.timer_tick, ms(10), printed(kHz));
  set(p.rtt_tick, ms(10), printed(kHz));
  set(p.rto_initial, sec(3), printed("FreeBSD, tcp_timer.h: TCPTV_RTOBASE"));
  set(p.rto_max, sec(64), printed("FreeBSD, tcp_timer.h: TCPTV_REXMTMAX"));
  set(p.data_retries, 12, printed("FreeBSD, tcp_timer.h: TCP_MAXRXTSHIFT"));
  set(p.syn_retries, 4,
      printed("FreeBSD, tcp_timer.h: TCPTV_KEEP_INIT, 75 s; doubling from 3 s that is 4"));
  set(p.persist_min, sec(5), printed("FreeBSD, tcp_timer.h: TCPTV_PERSMIN"));
  set(p.persist_max, sec(60), printed("FreeBSD, tcp_timer.h: TCPTV_PERSMAX"));
  set(p.window_probe, "byte", printed("FreeBSD, tcp_output(): t_force sends one byte"));
  set(p.time_wait, sec(60), printed("FreeBSD, tcp_timer.h: twice TCPTV_MSL"));
  set(p.keepalive_idle, sec(7200),
      assumed("FreeBSD: net.inet.tcp.always_keepalive 1, keepidle 2 h: "
              "models/host/profiles/README.md#not-read"));
  set(p.keepalive_interval, sec(75), printed("FreeBSD, tcp_timer.h: TCPTV_KEEPINTVL"));
  set(p.keepalive_probes, 8, printed("FreeBSD, tcp_timer.h: TCPTV_KEEPCNT"));
}

void freebsd_receiving(tcp::TcpParams& p) {
  set(p.timestamps, true, printed("FreeBSD, tcp_subr.c: net.inet.tcp.rfc1323 1"));
  set(p.timestamp_tick, ms(10), printed("FreeBSD, tcp_output(): the clock is ticks"));
  set(p.window_scaling, true, printed("FreeBSD, tcp_subr.c: net.inet.tcp.rfc1323 1"));
  set(p.default_mss, 512, printed("FreeBSD, tcp.h: TCP_MSS"));
  set(p.receive_buffer, units::KiB(64), printed("FreeBSD, tcp_usrreq.c: tcp_recvspace"));
  set(p.window_start, 0, printed("FreeBSD, tcp_output(): sbspace() at once"));
  set(p.window_growth, 2, printed("FreeBSD: not used, the window does not start small"));
  set(p.window_in_segments, false, printed("FreeBSD, tcp_output(): sbspace()"));
  set(p.update_segments, 2, printed("FreeBSD, tcp_output(): told when it opened by two segments"));
  set(p.update_share, 0.5, printed("FreeBSD, tcp_output(): or by half of so_rcv.sb_hiwat"));
  set(p.ack_every, 2,
      printed("FreeBSD, tcp_input(): DELAY_ACK() starts the callout, the next segment finds it "
              "pending; so GNET-1, 4.2"));
  set(p.ack_follows_reader, false, printed("FreeBSD, tcp_input(): TF_ACKNOW whatever was read"));
  set(p.quick_acks, 0, printed("FreeBSD: none"));
  set(p.quick_ack_on_growth, false, printed("FreeBSD: windows do not grow"));
  set(p.delayed_ack, ms(100), printed("FreeBSD, tcp_timer.h: TCPTV_DELACK, hz / PR_FASTHZ / 2"));
  set(p.delayed_ack_tick, ms(10), printed(kHz));
}

void freebsd_sockets(NetParams& n) {
  set(n.send_buffer, units::KiB(32), printed("FreeBSD, tcp_usrreq.c: tcp_sendspace"));
  set(n.receive_buffer, units::KiB(64), printed("FreeBSD, tcp_usrreq.c: tcp_recvspace"));
  set(n.send_buffer_most, {0}, printed("FreeBSD: growing buffers came with 7.0"));
  set(n.receive_buffer_most, {0}, printed("FreeBSD: growing buffers came with 7.0"));
  set(n.truesize, false,
      printed("FreeBSD, socketvar.h: sbspace() counts bytes; sb_mbmax is 8 times as much"));
  set(n.adv_win_scale, 0, printed("FreeBSD: not used, bytes are counted"));
  set(n.buffer_overhead, 256, printed("FreeBSD, param.h: MSIZE, one mbuf beside its cluster"));
  set(n.send_linear, {0},
      printed("FreeBSD, tcp_output(): headers in an mbuf of their own, m_copy() of clusters behind "
              "it"));
  set(n.send_page, {2048}, printed("FreeBSD, param.h: MCLBYTES"));
  set(n.send_by_call, false, printed("FreeBSD, sosend(): a stream of mbufs"));
  set(n.posted_reads, false, printed("FreeBSD, soreceive(): so_rcv, which the call copies from"));
  set(n.receive_ahead, {0}, printed("FreeBSD, soreceive(): so_rcv, which the call copies from"));
  set(n.window_segments, 0, printed("FreeBSD, soreceive(): so_rcv, which the call copies from"));
  set(n.walks_chains, true,
      printed("sbappend(), m_copym() of FreeBSD before November 2003: "
              "models/host/profiles/README.md#chains"));
  set(n.send_low_water, {2048}, printed("FreeBSD, soreserve(): so_snd.sb_lowat is MCLBYTES"));
  set(n.input_queue_packets, 50, printed("FreeBSD, ip_input.c: ipintrq of IFQ_MAXLEN"));
  set(n.time_wait_buckets, 12328,
      assumed("FreeBSD: kern.ipc.maxsockets with maxusers 384: "
              "models/host/profiles/README.md#not-read"));
  set(n.prequeue, false, printed("FreeBSD: none"));
  set(n.reader_acks, false, printed("FreeBSD: no prequeue"));
  set(n.sum_with_copy, false,
      printed("FreeBSD, tcp_input(): in_cksum(); ip_output(): in_delayed_cksum()"));
  set(n.tso, false, printed("FreeBSD: TSO came with 7.0"));
  set(n.napi, false, printed("FreeBSD, if_em.c, if_fxp.c: em_intr(), fxp_intr() empty the ring"));
  set(n.napi_weight, 64, printed("FreeBSD: not used, napi is off"));
  set(n.napi_budget, 300, printed("FreeBSD: not used, napi is off"));
}

OsProfile freebsd() {
  OsProfile profile;
  freebsd_sending(profile.tcp);
  freebsd_recovery(profile.tcp);
  freebsd_timers(profile.tcp);
  freebsd_receiving(profile.tcp);
  freebsd_sockets(profile.net);
  KernelParams& k = profile.kernel;
  set(k.tick, ms(10), printed(kHz));
  set(k.slice, ms(100), printed("FreeBSD, kern_synch.c, sched_4bsd.c: roundrobin() every hz / 10"));
  set(k.softirq_restarts, 1000,
      printed("FreeBSD: swi_net is above every program and ends when its queue is empty"));
  set(k.ksoftirqd_slice, ms(100), printed("FreeBSD: not reached, see softirq_restarts"));
  set(k.wakeup_preempts, true,
      printed("FreeBSD, kern_synch.c: a sleeper's kernel priority is above user priorities"));
  set(k.interrupt_threads, false,
      printed("FreeBSD 4: handlers run on the stack of whatever was there, swi_net after them"));
  set(k.idle_polls, false, printed("FreeBSD 4, i386: it halts"));
  set(k.giant_lock, false,
      printed(
          "FreeBSD 4: interrupts come in where spl has not masked them, as in a call that copies"));
  set_costs(profile, CodeOf::kOther);
  return profile;
}

OsProfile freebsd_4_5() {
  OsProfile profile = freebsd();
  set(profile.tcp.rto_min, sec(1),
      assumed("FreeBSD 4.5, tcp_timer.h: TCPTV_MIN, 1 s: "
              "models/host/profiles/README.md#not-read"));
  set(profile.tcp.rto_min_on_variance, false,
      assumed("FreeBSD 4.5, TCPT_RANGESET: "
              "models/host/profiles/README.md#not-read"));
  const Source window = assumed(
      "p0f 2.0.8: 57,344 B for FreeBSD 4.6 to 4.9: models/host/profiles/README.md#not-read");
  set(profile.tcp.receive_buffer, {57344}, window);
  set(profile.net.receive_buffer, {57344}, window);
  set(profile.net.qdisc_packets, 50, printed("FreeBSD, if.c: ifqmaxlen, IFQ_MAXLEN"));
  return profile;
}

OsProfile freebsd_5_1() {
  OsProfile profile = freebsd();
  set(profile.tcp.rto_min, ms(200),
      printed("FreeBSD, tcp_timer.h: TCPTV_CPU_VAR, hz/5, added to every time-out"));
  set(profile.tcp.rto_min_on_variance, true,
      printed("FreeBSD, tcp_timer.h: TCPT_RANGESET adds tcp_rexmit_slop"));
  set(profile.net.qdisc_packets, 255, printed("FreeBSD, if_em.c: ifq_maxlen is num_tx_desc - 1"));
  set(profile.kernel.giant_lock, true,
      assumed("FreeBSD 5, ithread_loop(), start_netisr(), soo_read(), soo_write(): "
              "models/host/profiles/README.md#giant"));
  set(profile.kernel.code_scale, 3.1,
      {Evidence::kFitted,
       "GNET-1 figure 4, FreeBSD before the loss, just below 100 MB/s: "
       "models/host/profiles/README.md#giant"});
  set(profile.kernel.interrupt_threads, true,
      printed("FreeBSD 5, kern_intr.c: ithread_schedule(), swi_sched()"));
  set(profile.kernel.idle_polls, true,
      assumed("FreeBSD 5, i386, machdep.c: cpu_idle_hlt is off with SMP: "
              "models/host/profiles/README.md#giant"));
  return profile;
}

}  // namespace

LONGHAUL_PLUGIN(freebsd_profiles) {
  os_profiles().add({"freebsd-4.5", "FreeBSD 4.5 (NEC-TOE's measuring machines)", freebsd_4_5});
  os_profiles().add(
      {"freebsd-5.1", "FreeBSD 5.1-RELEASE, SMP-GENERIC (GNET-1, figures 4 to 8)", freebsd_5_1});
}

}  // namespace longhaul::host
