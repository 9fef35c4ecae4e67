// SPDX-License-Identifier: Apache-2.0
// Solaris 9 4/03. "Manual" is Sun's Solaris Tunable Parameters Reference Manual for Solaris 9
// (806-7009), chapter 4; OpenSolaris is the tcp.c that Sun published in 2005: README.md#sources.
#include "models/host/profiles/costs.h"
#include "models/host/profiles/systems.h"
#include "models/host/profiles/values.h"

namespace longhaul::host {
namespace {

constexpr const char* kTick = "Solaris: hz 100; TCP's timers and clock count ticks";

void solaris_sending(tcp::TcpParams& p) {
  set(p.congestion_control, "newreno-whole",
      printed("OpenSolaris, tcp.c: \"Hoe's algorithm\"; tcp_cwnd_cnt lets tcp_cwnd grow by a "
              "segment after a window of "
              "ACKs"));
  set(p.cwnd_unit, "bytes", printed("OpenSolaris, tcp.h: tcp_cwnd"));
  set(p.initial_window, 0, printed("Manual: tcp_slow_start_initial 4, at most what RFC 2414 has"));
  set(p.initial_ssthresh, {0}, printed("OpenSolaris, tcp.c: TCP_MAX_LARGEWIN"));
  set(p.cwnd_limit, units::MiB(1), printed("Manual: tcp_cwnd_max; OpenSolaris, tcp.c: 1 MB"));
  set(p.initial_ssthresh_segments, 0, chosen("its threshold counts bytes: cwnd_unit"));
  set(p.cwnd_limit_segments, 0, chosen("its window counts bytes: cwnd_unit"));
  set(p.abc_limit, 0, printed("OpenSolaris, tcp.c: counts ACKs, a segment for a window of them"));
  set(p.reduce_from, "flight", printed("OpenSolaris, tcp.c: (tcp_snxt - tcp_suna) / 2"));
  set(p.grow_only_when_limited, false,
      printed("OpenSolaris, tcp.c: every ACK of new data, up to tcp_cwnd_max"));
  set(p.nagle, "classic", printed("OpenSolaris, tcp.c: tcp_naglim_def 4095, at most a segment"));
  set(p.sws_share, 0.5, printed("OpenSolaris, tcp.c: half of tcp_max_swnd"));
  set(p.burst, "none",
      printed("OpenSolaris, tcp.c: tcp_snd_burst is TCP_CWND_INFINITE on one's own network"));
  set(p.burst_segments, 5, printed("OpenSolaris, tcp.h: TCP_CWND_NORMAL, elsewhere; not used"));
  set(p.idle, "restart", printed("Manual: tcp_slow_start_after_idle 4, at most what RFC 2414 has"));
  set(p.local_congestion, "ignore",
      assumed("Solaris: drivers queue in their STREAMS queue: "
              "models/host/profiles/README.md#not-read"));
  set(p.offload_divisor, 0, printed("Solaris 9: no segmentation offload"));
}

void solaris_recovery(tcp::TcpParams& p) {
  set(p.sack, true,
      printed("OpenSolaris, tcp.c, and Sun's manual for Solaris 10: tcp_sack_permitted 2, offered "
              "and taken"));
  set(p.dsack, false, assumed("Solaris 9: none known: models/host/profiles/README.md#not-read"));
  set(p.loss_rule, "rfc6675",
      printed("OpenSolaris, tcp_sack.c: what dupack_fast_retransmit blocks passed"));
  set(p.dup_threshold, 3, printed("OpenSolaris, tcp.c: tcp_dupack_fast_retransmit 3"));
  set(p.max_reordering, 3, printed("OpenSolaris, tcp.c: tcp_dupack_fast_retransmit does not move"));
  set(p.limited_transmit, true,
      printed("OpenSolaris, tcp.c and the older TCP of its boot program: RFC 3042"));
  set(p.frto, false, printed("OpenSolaris, tcp.c: none"));
  set(p.reduction, "immediate", printed("OpenSolaris, tcp.c: half and a segment per duplicate"));
  set(p.partial_ack_stays, true,
      printed("OpenSolaris, tcp.c: until tcp_rexmit_max is acknowledged"));
  set(p.impatient, false,
      assumed("OpenSolaris, tcp.c: an ACK restarts the timer: "
              "models/host/profiles/README.md#not-read"));
  set(p.sack_survives_timeout, false,
      assumed("OpenSolaris, tcp_timer(): forgets its SACK list: "
              "models/host/profiles/README.md#not-read"));
  set(p.timeout_reduces_again, true,
      assumed("OpenSolaris, tcp_timer(): half of what is unacknowledged: "
              "models/host/profiles/README.md#not-read"));
  set(p.undo_by_dsack, false, printed("OpenSolaris, tcp.c: none"));
  set(p.undo_by_timestamps, false, printed("OpenSolaris, tcp.c: none"));
}

void solaris_timers(tcp::TcpParams& p) {
  set(p.timer_tick, ms(10), printed(kTick));
  set(p.rtt_tick, ms(10), printed(kTick));
  set(p.rto_initial, sec(3), printed("Manual: tcp_rexmit_interval_initial 3 s"));
  set(p.rto_min, ms(400),
      printed(
          "OpenSolaris, tcp.c, and Sun's manual for Solaris 10: tcp_rexmit_interval_min 400 ms"));
  set(p.rto_max, sec(60), printed("Manual: tcp_rexmit_interval_max 60 s"));
  set(p.rto_min_on_variance, false, printed("OpenSolaris, tcp.c: a bound of the whole"));
  set(p.data_retries, 14,
      printed("Manual: tcp_ip_abort_interval 8 minutes, doubling from 400 ms to 60 s"));
  set(p.syn_retries, 5,
      printed("OpenSolaris, tcp.c: tcp_ip_abort_cinterval 3 minutes, doubling from 3 s"));
  set(p.persist_min, ms(400), printed("OpenSolaris, tcp_timer(): probes wait for the RTO"));
  set(p.persist_max, sec(60), printed("Manual: tcp_rexmit_interval_max 60 s"));
  set(p.window_probe, "byte", printed("OpenSolaris, tcp_timer(): one byte of new data"));
  set(p.time_wait, sec(60), printed("OpenSolaris, tcp.c: tcp_time_wait_interval 60 s"));
  set(p.keepalive_idle, {},
      printed("Solaris: only with SO_KEEPALIVE, then tcp_keepalive_interval, 2 h"));
  set(p.keepalive_interval, sec(75),
      assumed("Solaris: probes as retransmissions; not used: "
              "models/host/profiles/README.md#not-read"));
  set(p.keepalive_probes, 8,
      assumed("Solaris: until tcp_ip_abort_interval; not used: "
              "models/host/profiles/README.md#not-read"));
}

void solaris_receiving(tcp::TcpParams& p) {
  set(p.timestamps, true,
      printed("OpenSolaris, tcp.c: tcp_tstamp_if_wscale 1: with window scaling, so with buffers "
              "above 64 KB"));
  set(p.timestamp_tick, ms(10), printed(kTick));
  set(p.window_scaling, true,
      printed("Manual: offered when the buffer is above 64 KB, always answered"));
  set(p.default_mss, 536, printed("OpenSolaris, tcp.c: tcp_mss_def_ipv4 536"));
  set(p.receive_buffer, {49640},
      measured("p0f 2.0.8, Solaris 9: S34: the manual's 49,152 rounded up to segments of 1460"));
  set(p.window_start, 0, printed("OpenSolaris, tcp_rwnd_set(): the buffer at once"));
  set(p.window_growth, 2, printed("Solaris: not used, the window does not start small"));
  set(p.window_in_segments, false,
      printed("OpenSolaris, tcp_rwnd_set(): rounded up to segments when set"));
  set(p.update_segments, 1024,
      assumed("OpenSolaris, tcp_rrw(), counts no segments: "
              "models/host/profiles/README.md#not-read"));
  set(p.update_share, 0.5,
      assumed("OpenSolaris, tcp_rrw(): half of the buffer: "
              "models/host/profiles/README.md#not-read"));
  set(p.ack_every, 8,
      printed("Manual: tcp_local_dacks_max 8, from hosts directly connected (2 from others); so "
              "GNET-1, 4.2"));
  set(p.ack_follows_reader, false, printed("OpenSolaris, tcp.c: tcp_rack_cnt alone"));
  set(p.quick_acks, 0,
      printed("OpenSolaris, tcp.c: tcp_rack_cur_max climbs from 1: "
              "models/host/profiles/README.md#does-not-model"));
  set(p.quick_ack_on_growth, false, printed("Solaris: windows do not grow"));
  set(p.delayed_ack, ms(50),
      printed(
          "Manual: tcp_local_dack_interval 50 ms (tcp_deferred_ack_interval 100 ms from others)"));
  set(p.delayed_ack_tick, ms(10), printed(kTick));
}

void solaris_sockets(NetParams& n) {
  set(n.send_buffer, {49152}, printed("Manual: tcp_xmit_hiwat 49,152"));
  set(n.receive_buffer, {49640},
      measured("p0f 2.0.8, Solaris 9: S34: the manual's 49,152 rounded up to segments of 1460"));
  set(n.send_buffer_most, {0}, printed("Solaris 9: buffers do not grow"));
  set(n.receive_buffer_most, {0}, printed("Solaris 9: buffers do not grow"));
  set(n.truesize, false, printed("OpenSolaris, tcp.c: bytes are counted"));
  set(n.adv_win_scale, 0, printed("Solaris: not used, bytes are counted"));
  set(n.buffer_overhead, 112,
      assumed("Solaris, 32 bits: mblk_t and dblk_t; not used in accounting: "
              "models/host/profiles/README.md#not-read"));
  set(n.send_linear, {0}, printed("OpenSolaris, tcp_xmit_mp(): headers in a block of their own"));
  set(n.send_page, {4096},
      assumed("Solaris, i386: pieces of a page, which bounds a physical extent: "
              "models/host/profiles/README.md#not-read"));
  set(n.send_by_call, false, printed("Solaris, STREAMS: a stream of message blocks"));
  set(n.posted_reads, false,
      printed("Solaris, STREAMS: the stream head's queue, which the call copies from"));
  set(n.receive_ahead, {0},
      printed("Solaris, STREAMS: the stream head's queue, which the call copies from"));
  set(n.window_segments, 0,
      printed("Solaris, STREAMS: the stream head's queue, which the call copies from"));
  set(n.walks_chains, false, printed("OpenSolaris, tcp.h: tcp_xmit_last, tcp_xmit_tail"));
  set(n.send_low_water, {4096},
      assumed("OpenSolaris, tcp.h: TCP_XMIT_LOWATER, in other terms: "
              "models/host/profiles/README.md#does-not-model"));
  set(n.qdisc_packets, 1'000'000,
      printed("OpenSolaris, ip.h: IP_FLOW_CONTROLLED_ULP: IP hands TCP's packets to the driver's "
              "queue however full it "
              "is"));
  set(n.input_queue_packets, 1000,
      printed("Solaris: putnext() from the interrupt thread up; there is no queue that drops"));
  set(n.time_wait_buckets, 65536,
      assumed("Solaris: bounded by memory: models/host/profiles/README.md#not-read"));
  set(n.prequeue, false, printed("Solaris: none"));
  set(n.reader_acks, false, printed("Solaris: no prequeue"));
  set(n.sum_with_copy, false,
      assumed("Solaris: passes of their own: models/host/profiles/README.md#not-read"));
  set(n.tso, false, printed("Solaris 9: none"));
  set(n.napi, false,
      assumed("ITNCGigaE 4.1.4 is not public: models/host/profiles/README.md#interrupts"));
  set(n.napi_weight, 64, printed("Solaris: not used, napi is off"));
  set(n.napi_budget, 300, printed("Solaris: not used, napi is off"));
}

OsProfile solaris_9() {
  OsProfile profile;
  solaris_sending(profile.tcp);
  solaris_recovery(profile.tcp);
  solaris_timers(profile.tcp);
  solaris_receiving(profile.tcp);
  solaris_sockets(profile.net);
  KernelParams& k = profile.kernel;
  set(k.tick, ms(10), printed(kTick));
  set(k.slice, ms(120), printed("Solaris, ts_dptbl(4): ts_quantum of priorities 20 to 29"));
  set(k.softirq_restarts, 1000, printed("Solaris: interrupt threads are above every program"));
  set(k.ksoftirqd_slice, ms(120), printed("Solaris: not reached, see softirq_restarts"));
  set(k.wakeup_preempts, true,
      printed("Solaris, ts_dptbl(4): ts_slpret raises who returns from sleep"));
  set(k.interrupt_threads, false,
      assumed("Solaris: an interrupt's thread pins the one that it interrupts, which is less than "
              "a switch"));
  set(k.idle_polls, false, assumed("Solaris, idle(): it halts"));
  set(k.giant_lock, false, printed("Solaris 2 and later: locked part by part"));
  set_costs(profile, CodeOf::kOther);
  return profile;
}

}  // namespace

LONGHAUL_PLUGIN(solaris_profiles) {
  os_profiles().add({"solaris-9",
                     "Solaris 9 4/03 towards hosts of its own network (GNET-1, figures 4 to 8)",
                     solaris_9});
}

}  // namespace longhaul::host
