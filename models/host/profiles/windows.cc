// SPDX-License-Identifier: Apache-2.0
// Windows 2000, XP and Vista. Their sources are not public; only documents that Microsoft has
// published are used. Other algorithms follow the RFCs that Microsoft names, or are assumptions:
// README.md#windows.
#include "models/host/profiles/costs.h"
#include "models/host/profiles/systems.h"
#include "models/host/profiles/values.h"

namespace longhaul::host {
namespace {

constexpr const char* kAlgorithms = "models/host/profiles/README.md#windows";
constexpr const char* kHundred =
    "Windows 2000 Server reference, TcpDelAckTicks: TCP counts 100 ms intervals";
constexpr const char* kUnused = "Windows: not used: models/host/profiles/README.md#windows";

void windows_sending(tcp::TcpParams& p) {
  set(p.congestion_control, "newreno", assumed(kAlgorithms));
  set(p.cwnd_unit, "bytes", assumed(kAlgorithms));
  set(p.initial_window, 2, assumed(kAlgorithms));
  set(p.initial_ssthresh, {0}, assumed(kAlgorithms));
  set(p.cwnd_limit, {0}, assumed(kAlgorithms));
  set(p.initial_ssthresh_segments, 0, assumed(kAlgorithms));
  set(p.cwnd_limit_segments, 0, assumed(kAlgorithms));
  set(p.abc_limit, 0, assumed(kAlgorithms));
  set(p.reduce_from, "flight", assumed(kAlgorithms));
  set(p.grow_only_when_limited, false, assumed(kAlgorithms));
  set(p.nagle, "classic",
      printed("Windows 2000 Resource Kit, TCP/IP Core Networking Guide: Nagle, RFC 896"));
  set(p.sws_share, 0.5,
      printed("Windows 2000 Resource Kit, TCP/IP Core Networking Guide: RFC 1122, 4.2.3.4"));
  set(p.burst, "none", assumed(kAlgorithms));
  set(p.burst_segments, 1, assumed(kUnused));
  set(p.idle, "restart", assumed(kAlgorithms));
  set(p.local_congestion, "ignore", assumed(kAlgorithms));
  set(p.offload_divisor, 0, assumed(kAlgorithms));
}

void windows_recovery(tcp::TcpParams& p) {
  set(p.sack, true, printed("Microsoft KB 224829: SackOpts 1"));
  set(p.dsack, false, assumed(kAlgorithms));
  set(p.loss_rule, "rfc6675", assumed(kAlgorithms));
  set(p.dup_threshold, 2, printed("Microsoft KB 224829: TcpMaxDupAcks 2"));
  set(p.max_reordering, 2, printed("Microsoft KB 224829: TcpMaxDupAcks does not move"));
  set(p.limited_transmit, false, assumed(kAlgorithms));
  set(p.frto, false, assumed(kAlgorithms));
  set(p.reduction, "immediate", assumed(kAlgorithms));
  set(p.partial_ack_stays, false, assumed(kAlgorithms));
  set(p.impatient, false, assumed(kAlgorithms));
  set(p.sack_survives_timeout, false, assumed(kAlgorithms));
  set(p.timeout_reduces_again, true, assumed(kAlgorithms));
  set(p.undo_by_dsack, false, assumed(kAlgorithms));
  set(p.undo_by_timestamps, false, assumed(kAlgorithms));
}

void windows_timers(tcp::TcpParams& p) {
  set(p.timer_tick, ms(100), printed(kHundred));
  set(p.rtt_tick, ms(100), printed(kHundred));
  set(p.rto_initial, sec(3), printed("Microsoft KB 170359: initialized to three seconds"));
  set(p.rto_min, ms(300),
      printed("Microsoft KB 170359: TCPInitialRtt takes 300 ms or more; Set-NetTCPSetting, MinRto "
              "300 ms"));
  set(p.rto_max, sec(240), printed("Microsoft KB 170359: after 240 seconds it stays"));
  set(p.rto_min_on_variance, false, assumed(kAlgorithms));
  set(p.data_retries, 5, printed("Microsoft KB 170359: TcpMaxDataRetransmissions 5"));
  set(p.syn_retries, 2,
      printed("Windows 2000, XP registry reference: TcpMaxConnectRetransmissions 2"));
  set(p.persist_min, ms(300), assumed(kAlgorithms));
  set(p.persist_max, sec(240), assumed(kAlgorithms));
  set(p.window_probe, "byte", assumed(kAlgorithms));
  set(p.time_wait, sec(240),
      printed("Windows 2000, XP registry reference: TcpTimedWaitDelay 240 s"));
  set(p.keepalive_idle, {},
      printed("Windows registry reference: only with SO_KEEPALIVE, then KeepAliveTime, 2 h"));
  set(p.keepalive_interval, sec(1), printed("Windows registry reference: KeepAliveInterval 1 s"));
  set(p.keepalive_probes, 5, printed("Windows registry reference: TcpMaxDataRetransmissions 5"));
}

void windows_receiving(tcp::TcpParams& p) {
  set(p.timestamps, false, printed("Microsoft KB 224829: Tcp1323Opts, not offered by default"));
  set(p.timestamp_tick, ms(100), printed(kHundred));
  set(p.window_scaling, false,
      printed("Microsoft KB 224829: Tcp1323Opts; offered only with a window above 64 KB (Windows "
              "2000 Server reference)"));
  set(p.default_mss, 536, printed("Windows 2000 Resource Kit: RFC 1122, 4.2.2.6"));
  set(p.window_start, 0, printed("Windows 2000 Resource Kit: the window at once"));
  set(p.window_growth, 2, assumed(kUnused));
  set(p.window_in_segments, true,
      printed("Microsoft KB 224829: even increments of the segment size"));
  set(p.update_segments, 2, assumed(kAlgorithms));
  set(p.update_share, 0.5, assumed(kAlgorithms));
  set(p.ack_every, 2,
      printed("Windows 2000 Server reference, TcpDelAckTicks: every other segment"));
  set(p.ack_follows_reader, false, assumed(kAlgorithms));
  set(p.quick_acks, 0, assumed(kAlgorithms));
  set(p.quick_ack_on_growth, false, assumed(kAlgorithms));
  set(p.delayed_ack, ms(200),
      printed("Windows 2000 Server reference: TcpDelAckTicks 2, of 100 ms"));
  set(p.delayed_ack_tick, ms(100), printed(kHundred));
}

void windows_sockets(NetParams& n) {
  set(n.send_buffer, units::KiB(8),
      printed("Windows XP, AFD registry parameters: DefaultSendWindow 8192"));
  set(n.send_buffer_most, {0}, printed("Windows: growing send buffers came with Windows 7"));
  set(n.receive_buffer_most, {0},
      printed("Windows 2000, XP: the window is set when the connection opens"));
  set(n.truesize, false, assumed(kAlgorithms));
  set(n.adv_win_scale, 0, assumed(kUnused));
  set(n.buffer_overhead, 256, assumed(kUnused));
  set(n.send_linear, {0}, printed("NDIS: a packet is a chain of buffers, the headers' first"));
  set(n.send_page, {4096}, printed("NDIS: a buffer's memory list is of pages"));
  set(n.walks_chains, false, assumed("Windows: nothing is known of it"));
  set(n.send_low_water, {2048}, assumed(kUnused));
  set(n.send_by_call, true,
      printed("Microsoft KB 214397, KB 823764: when Winsock completes a send"));
  set(n.posted_reads, true, assumed("models/host/profiles/README.md#afd"));
  set(n.receive_ahead, units::KiB(8),
      printed("Windows 2000, AFD registry parameters: DefaultReceiveWindow 8192"));
  set(n.window_segments, 4,
      printed("Microsoft KB 224829: even increments of the segment size; TcpWindowSize (cc957546): "
              "four segments"));
  set(n.qdisc_packets, 1'000'000,
      assumed("Windows DDK, from memory: NDIS or its miniport keeps the packets that the ring has "
              "no room for; none is "
              "dropped"));
  set(n.input_queue_packets, 1000,
      printed("NDIS: a DPC indicates packets to TCP/IP; there is no queue between"));
  set(n.time_wait_buckets, 65536, assumed(kAlgorithms));
  set(n.prequeue, false, assumed(kAlgorithms));
  set(n.reader_acks, false, assumed(kAlgorithms));
  set(n.sum_with_copy, false, assumed(kAlgorithms));
  set(n.tso, false, assumed(kAlgorithms));
  set(n.napi, true,
      printed("NDIS: the interrupt masks and queues a DPC, which empties the ring and unmasks"));
  set(n.napi_weight, 1000, printed("NDIS 5: a DPC ends when the ring is empty"));
  set(n.napi_budget, 1000, printed("NDIS 5: a DPC ends when the ring is empty"));
}

OsProfile windows() {
  OsProfile profile;
  windows_sending(profile.tcp);
  windows_recovery(profile.tcp);
  windows_timers(profile.tcp);
  windows_receiving(profile.tcp);
  windows_sockets(profile.net);
  KernelParams& k = profile.kernel;
  set(k.tick, {15625, sc_core::SC_US},
      printed("Solomon, Russinovich, Inside Windows 2000: 15.6 ms on multiprocessors, else 10 ms"));
  set(k.softirq_restarts, 1000,
      printed("Windows: DPCs run before every thread until there are none"));
  set(k.wakeup_preempts, true,
      printed("Inside Windows 2000: an I/O's end raises the priority of who waited"));
  set(k.interrupt_threads, false,
      printed("Inside Windows 2000: interrupts and DPCs borrow the thread that was there"));
  set(k.idle_polls, false, assumed("Windows: the idle thread halts"));
  set(k.giant_lock, false,
      printed("Inside Windows 2000: the kernel is reentrant on all processors"));
  set_costs(profile, CodeOf::kOther);
  return profile;
}

void set_window(OsProfile& profile, Bytes window, Source source) {
  set(profile.tcp.receive_buffer, window, source);
  set(profile.net.receive_buffer, window, source);
}

void set_slice(OsProfile& profile, double milliseconds, Source source) {
  set(profile.kernel.slice, ms(milliseconds), source);
  set(profile.kernel.ksoftirqd_slice, ms(milliseconds), source);
}

OsProfile windows_2000() {
  OsProfile profile = windows();
  set_window(
      profile, {17520},
      printed("Microsoft KB 224829: 16 KB rounded up to twelve segments of 1460; so GBE-TUNING"));
  set_slice(profile, 187.5, printed("Inside Windows 2000: servers have quanta of 12 ticks"));
  return profile;
}

OsProfile windows_xp() {
  OsProfile profile = windows();
  set_window(
      profile, {64240},
      printed(
          "Microsoft, TcpWindowSize: 64 KB above 100 Mb/s, in segments: 44 of 1460; so BOOSTER"));
  set_slice(profile, 31.25, printed("Inside Windows 2000: workstations have quanta of 2 ticks"));
  return profile;
}

OsProfile windows_vista() {
  OsProfile profile = windows();
  constexpr const char* kStack =
      "Microsoft, The Cable Guy, November 2005, Next Generation TCP/IP Stack";
  tcp::TcpParams& p = profile.tcp;
  set(p.congestion_control, "newreno",
      printed("Microsoft, Cable Guy, November 2005: CTCP is off by default in Vista; RFC 2582"));
  set(p.abc_limit, 1, assumed(kAlgorithms));
  set(p.dsack, true, printed(kStack));              // RFC 2883
  set(p.loss_rule, "rfc6675", printed(kStack));     // RFC 3517
  set(p.limited_transmit, true, printed(kStack));   // RFC 3042
  set(p.frto, true, printed(kStack));               // RFC 4138
  set(p.partial_ack_stays, true, printed(kStack));  // RFC 2582
  set(p.dup_threshold, 3, assumed(kAlgorithms));
  set(p.max_reordering, 3, assumed(kAlgorithms));
  set(p.sack_survives_timeout, true, assumed(kAlgorithms));
  set(p.time_wait, sec(120), assumed(kAlgorithms));
  set(p.window_scaling, true,
      printed("Microsoft, Cable Guy, January 2007: receive window auto-tuning offers scaling"));
  set(p.window_in_segments, false, assumed(kAlgorithms));
  set(profile.net.window_segments, 0, assumed(kAlgorithms));
  set_window(profile, {65535}, assumed(kAlgorithms));
  set(profile.net.receive_buffer_most, {65535U << 8U},
      printed("Microsoft, Cable Guy, January 2007: receive window auto-tuning, at most 16 MB; a "
              "scale of 8 tells of it"));
  set_slice(profile, 31.25, printed("Inside Windows 2000: workstations have quanta of 2 ticks"));
  return profile;
}

}  // namespace

LONGHAUL_PLUGIN(windows_profiles) {
  os_profiles().add({"windows-2000", "Windows 2000 Server (GBE-TUNING)", windows_2000});
  os_profiles().add(
      {"windows-vista",
       "Windows Vista (BOOSTER); its optional Compound TCP is congestion_control ctcp",
       windows_vista});
  os_profiles().add({"windows-xp", "Windows XP (BOOSTER, GBE-TUNING)", windows_xp});
}

}  // namespace longhaul::host
