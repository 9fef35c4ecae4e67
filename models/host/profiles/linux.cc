// SPDX-License-Identifier: Apache-2.0
// The parts that Linux 2.4, 2.6.6 and 6.1 share. Sources were read in 2.4.18-14 (Red Hat 8.0),
// 2.6.9 and 6.1: README.md#sources.
#include "models/host/profiles/systems.h"
#include "models/host/profiles/values.h"

namespace longhaul::host {
namespace {

void linux_sending(tcp::TcpParams& p) {
  set(p.congestion_control, "newreno",
      printed("Linux, tcp_input.c: tcp_cong_avoid(), half of the window on a loss"));
  set(p.cwnd_unit, "segments",
      printed("Linux, tcp.h: snd_cwnd is compared with packets in flight"));
  set(p.initial_ssthresh, {0}, printed("Linux, tcp_v4_init_sock(): snd_ssthresh is 0x7fffffff"));
  set(p.initial_ssthresh_segments, 0,
      printed("Linux, tcp_v4_init_sock(): snd_ssthresh is 0x7fffffff"));
  set(p.cwnd_limit, {0}, printed("Linux, tcp.h: snd_cwnd_clamp counts segments"));
  set(p.reduce_from, "cwnd",
      printed("Linux, tcp.h: tcp_recalc_ssthresh(), from 2.6.13 tcp_reno_ssthresh()"));
  set(p.grow_only_when_limited, true,
      printed("Linux, tcp_ack(): only when as much was in flight as the window allows"));
  set(p.nagle, "minshall", printed("Linux, tcp_nagle_check(), tcp_minshall_check()"));
  set(p.sws_share, 0.5, printed("Linux, tcp_bound_to_half_wnd()"));
  set(p.burst, "moderate", printed("Linux, tcp_moderate_cwnd()"));
  set(p.burst_segments, 3, printed("Linux, tcp.h: tcp_max_burst()"));
  set(p.idle, "decay", printed("Linux, tcp_cwnd_restart(), tcp_cwnd_application_limited()"));
  set(p.local_congestion, "reduce",
      printed("Linux, tcp_transmit_skb(): tcp_enter_cwr() when the queue refuses"));
}

void linux_recovery(tcp::TcpParams& p) {
  set(p.sack, true, printed("Linux: sysctl_tcp_sack 1"));
  set(p.dsack, true, printed("Linux: sysctl_tcp_dsack 1"));
  set(p.dup_threshold, 3, printed("Linux, tcp.h: TCP_FASTRETRANS_THRESH"));
  set(p.limited_transmit, true,
      printed("Linux, tcp_packets_in_flight(): what was SACKed no longer counts"));
  set(p.partial_ack_stays, true,
      printed("Linux, tcp_fastretrans_alert(): until high_seq is acknowledged"));
  set(p.impatient, false,
      printed("Linux, tcp_ack_packets_out(): every ACK that moves on restarts the timer"));
  set(p.sack_survives_timeout, true,
      printed("Linux, tcp_enter_loss(sk, 0): SACK tags stay without reneging"));
  set(p.timeout_reduces_again, false,
      printed("Linux, tcp_enter_loss(): ssthresh only if it was not reduced inside this window"));
  set(p.undo_by_dsack, true, printed("Linux, tcp_try_undo_dsack()"));
  set(p.undo_by_timestamps, true, printed("Linux, tcp_may_undo(), tcp_packet_delayed()"));
}

void linux_timers(tcp::TcpParams& p) {
  set(p.rto_min, ms(200), printed("Linux, tcp.h: TCP_RTO_MIN, HZ/5"));
  set(p.rto_max, sec(120), printed("Linux, tcp.h: TCP_RTO_MAX"));
  set(p.rto_min_on_variance, true,
      printed("Linux, tcp_rtt_estimator(): rttvar is at least TCP_RTO_MIN"));
  set(p.data_retries, 15, printed("Linux, tcp.h: TCP_RETR2"));
  set(p.persist_min, ms(200),
      printed("Linux: probes wait for the RTO, which is at least TCP_RTO_MIN"));
  set(p.persist_max, sec(120), printed("Linux, tcp_send_probe0(): at most TCP_RTO_MAX"));
  set(p.window_probe, "empty", printed("Linux, tcp_xmit_probe_skb(): sequence number snd_una - 1"));
  set(p.time_wait, sec(60), printed("Linux, tcp.h: TCP_TIMEWAIT_LEN"));
  set(p.keepalive_idle, {}, printed("Linux: only with SO_KEEPALIVE, then TCP_KEEPALIVE_TIME, 2 h"));
  set(p.keepalive_interval, sec(75), printed("Linux, tcp.h: TCP_KEEPALIVE_INTVL"));
  set(p.keepalive_probes, 9, printed("Linux, tcp.h: TCP_KEEPALIVE_PROBES"));
}

void linux_receiving(tcp::TcpParams& p) {
  set(p.timestamps, true, printed("Linux: sysctl_tcp_timestamps 1"));
  set(p.window_scaling, true, printed("Linux: sysctl_tcp_window_scaling 1"));
  set(p.default_mss, 536, printed("Linux, tcp_v4_init_sock(): mss_cache 536"));
  set(p.window_growth, 2, printed("Linux, tcp_grow_window(): twice the segment"));
  set(p.update_segments, 1024,
      printed("Linux, tcp_cleanup_rbuf() counts no segments: see update_share"));
  set(p.update_share, 0.5,
      printed("Linux, tcp_cleanup_rbuf(): a window that reading at least doubled, and was at most "
              "half of the largest"));
  set(p.ack_every, 2, printed("Linux, __tcp_ack_snd_check(): more than one full segment"));
  set(p.ack_follows_reader, true,
      printed("Linux, __tcp_ack_snd_check(): and the window not less than the last; the reader's "
              "tcp_cleanup_rbuf() else"));
  set(p.delayed_ack, ms(40),
      printed("Linux, tcp.h: TCP_ATO_MIN, HZ/25, where a stream brings ato; at most 200 ms"));
}

}  // namespace

void linux_of_all_eras(OsProfile& profile) {
  linux_sending(profile.tcp);
  linux_recovery(profile.tcp);
  linux_timers(profile.tcp);
  linux_receiving(profile.tcp);
  NetParams& n = profile.net;
  set(n.truesize, true,
      printed("Linux, sock.c: SO_SNDBUF and SO_RCVBUF doubled; skb->truesize charged"));
  set(n.send_page, {4096}, printed("Linux, i386 and x86-64: PAGE_SIZE"));
  set(n.send_by_call, false, printed("Linux, tcp_sendmsg(): a stream of sk_buffs"));
  set(n.posted_reads, false,
      printed("Linux, tcp_recvmsg(): one receive queue, which the call copies from"));
  set(n.receive_ahead, {0},
      printed("Linux, tcp_recvmsg(): one receive queue, which the call copies from"));
  set(n.window_segments, 0,
      printed("Linux, tcp_recvmsg(): one receive queue, which the call copies from"));
  set(n.walks_chains, false,
      printed("Linux: sk_buff_head has both ends, sk_send_head (tp->send_head) the next one"));
  set(n.send_low_water, {0},
      printed(
          "Linux, tcp_wspace(), sock_writeable(): free memory at least half of what is queued"));
  set(n.napi_weight, 64, printed("Linux: dev->weight of ixgb, e1000; dev.c: weight_p"));
}

}  // namespace longhaul::host
