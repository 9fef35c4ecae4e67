// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tuple>

#include "models/common/param.h"

namespace longhaul::tcp {

/// The behaviour of a system's TCP. The defaults are recommendations of the RFCs; profiles of
/// operating systems overwrite them.
///
/// Legal names of a choice are in its source text; resolve() (config.h) refuses others.
struct TcpParams {
  using Time = sc_core::sc_time;
  static Time ms(double n) { return {n, sc_core::SC_MS}; }

  // Sending.
  Param<std::string> congestion_control{
      "congestion_control",
      "newreno",
      "policy of the congestion window",
      {Evidence::kStandard, "RFC 5681; models/tcp/README.md#models lists the names"}};
  Param<std::string> cwnd_unit{
      "cwnd_unit",
      "bytes",
      "what the congestion window counts",
      {Evidence::kChosen,
       "bytes (BSD, Solaris, Windows) or segments (Linux: a short segment counts as a whole one)"}};
  Param<std::uint32_t> initial_window{
      "initial_window",
      0,
      "first congestion window, segments; 0 is RFC 5681's rule of 2 to 4",
      {Evidence::kStandard,
       "RFC 5681, 3.1: segments; 0 is its rule of 2 to 4 by the segment's size"},
      Range<std::uint32_t>{0, 1024}};
  Param<Bytes> initial_ssthresh{
      "initial_ssthresh",
      {0},
      "first slow start threshold; 0B is arbitrarily high",
      {Evidence::kStandard, "RFC 5681, 3.1: arbitrarily high, written as 0B"}};
  Param<std::uint32_t> initial_ssthresh_segments{
      "initial_ssthresh_segments",
      0,
      "the same in segments, where a system counts them; 0 is none",
      {Evidence::kChosen,
       "the same in segments, where a system counts them (BIC of Linux 2.6.18: 100); 0 is none"}};
  Param<Bytes> cwnd_limit{
      "cwnd_limit",
      {0},
      "most that the congestion window grows to; 0B is no limit",
      {Evidence::kChosen, "most that the congestion window grows to; 0B is no limit"}};
  Param<std::uint32_t> cwnd_limit_segments{
      "cwnd_limit_segments",
      0,
      "the same in segments, where a system counts them; 0 is no limit",
      {Evidence::kChosen,
       "the same in segments, where a system counts them in a field of few bits; 0 is no limit"}};
  Param<std::uint32_t> abc_limit{"abc_limit",
                                 1,
                                 "segments counted an ACK in slow start; 0 counts ACKs, not bytes",
                                 {Evidence::kStandard,
                                  "RFC 5681, 3.1 (1) and RFC 3465, 2.2 (2): segments counted per "
                                  "ACK in slow start; 0 counts ACKs, not bytes"},
                                 Range<std::uint32_t>{0, 64}};
  Param<std::string> reduce_from{
      "reduce_from",
      "flight",
      "what a loss halves",
      {Evidence::kStandard, "RFC 5681, 3.1, (4): flight; Linux takes cwnd"}};
  Param<bool> grow_only_when_limited{
      "grow_only_when_limited",
      true,
      "a congestion window that was not used does not grow",
      {Evidence::kStandard, "RFC 7661, 4.3: a window that was not used does not grow"}};
  Param<std::string> nagle{
      "nagle",
      "classic",
      "when a short segment waits for an ACK (Nagle's algorithm)",
      {Evidence::kStandard,
       "RFC 9293, 3.7.4: classic; minshall (only a short segment holds the next one back), off"}};
  Param<double> sws_share{
      "sws_share",
      0.5,
      "share of the largest window seen that is worth a segment (Fs)",
      {Evidence::kStandard,
       "RFC 9293, 3.8.6.2.1: Fs, share of the largest window seen that is worth a segment"},
      Range<double>{0, 1}};
  Param<std::string> burst{
      "burst",
      "moderate",
      "what limits bursts after recovery",
      {Evidence::kStandard,
       "RFC 6582, 3.2, (3): moderate (cwnd at most flight and burst_segments after recovery); "
       "limit (segments per ACK), none"}};
  Param<std::uint32_t> burst_segments{
      "burst_segments",
      1,
      "segments of that limit",
      {Evidence::kStandard,
       "RFC 6582, 3.2, (3), option 1: one segment over the flight; Linux 3, BSD's limit 4"},
      Range<std::uint32_t>{1, 1024}};
  Param<std::string> idle{"idle",
                          "restart",
                          "what an idle time does to the congestion window",
                          {Evidence::kStandard, "RFC 5681, 4.1: restart; decay (RFC 2861), none"}};
  Param<std::string> local_congestion{"local_congestion",
                                      "ignore",
                                      "what a full sending queue does to the congestion window",
                                      {Evidence::kChosen,
                                       "on a full sending queue: ignore, reduce (as a loss, once a "
                                       "round trip), collapse (to one segment)"}};
  Param<std::uint32_t> offload_divisor{
      "offload_divisor",
      0,
      "a segment for TSO is 1/n of the congestion window at most; 0 is no limit",
      {Evidence::kChosen,
       "largest share of the congestion window in one super-segment, 1/n; 0 is no limit (Linux 3)"},
      Range<std::uint32_t>{0, 64}};

  // Loss recovery.
  Param<bool> sack{"sack", true, "selective acknowledgements", {Evidence::kStandard, "RFC 2018"}};
  Param<bool> dsack{
      "dsack", true, "tells duplicates in SACK blocks", {Evidence::kStandard, "RFC 2883"}};
  Param<std::string> loss_rule{"loss_rule",
                               "rfc6675",
                               "by what a segment counts as lost",
                               {Evidence::kStandard,
                                "RFC 6675, 4: rfc6675; fack (Mathis, Mahdavi 1996): what lies 3 "
                                "segments below the highest SACK"}};
  Param<std::uint32_t> dup_threshold{"dup_threshold",
                                     3,
                                     "duplicate ACKs or SACKed segments that show a loss",
                                     {Evidence::kStandard, "RFC 5681, 3.2"},
                                     Range<std::uint32_t>{1, 300}};
  Param<std::uint32_t> max_reordering{"max_reordering",
                                      3,
                                      "how far dup_threshold follows the reordering seen",
                                      {Evidence::kStandard,
                                       "RFC 5681: fixed; above dup_threshold, the threshold "
                                       "follows the reordering seen (Linux 127)"},
                                      Range<std::uint32_t>{1, 300}};
  Param<bool> limited_transmit{"limited_transmit",
                               true,
                               "sends new data on the first duplicate ACKs",
                               {Evidence::kStandard, "RFC 3042"}};
  Param<bool> frto{"frto",
                   false,
                   "tells spurious timeouts by F-RTO",
                   {Evidence::kStandard, "RFC 5682: optional"}};
  Param<std::string> reduction{"reduction",
                               "immediate",
                               "how the congestion window falls in recovery",
                               {Evidence::kStandard,
                                "RFC 6675, 5: immediate; prr (RFC 6937), rate_halving (Linux 2.4, "
                                "2.6: a segment per two ACKs)"}};
  Param<bool> partial_ack_stays{"partial_ack_stays",
                                true,
                                "a partial ACK does not end recovery (NewReno)",
                                {Evidence::kStandard, "RFC 6582: yes; no is Reno, RFC 2581"}};
  Param<bool> impatient{
      "impatient",
      true,
      "only the first partial ACK restarts the retransmission timer",
      {Evidence::kStandard, "RFC 6582, 3.2, (3): only the first partial ACK restarts the timer"}};
  Param<bool> sack_survives_timeout{
      "sack_survives_timeout",
      true,
      "a timeout keeps what SACK has told",
      {Evidence::kStandard, "RFC 6675, 5.1: kept unless the receiver reneged"}};
  Param<bool> timeout_reduces_again{
      "timeout_reduces_again",
      true,
      "a timeout in recovery lowers the threshold once more",
      {Evidence::kStandard,
       "RFC 5681, 3.1, (4): every loss that the timer finds; no (Linux): not in a "
       "recovery, which has reduced already"}};
  Param<bool> undo_by_dsack{"undo_by_dsack",
                            false,
                            "undoes a reduction that DSACK shows to be wrong",
                            {Evidence::kStandard, "RFC 2883, 4, leaves the answer open"}};
  Param<bool> undo_by_timestamps{"undo_by_timestamps",
                                 false,
                                 "undoes a reduction that timestamps show to be wrong (Eifel)",
                                 {Evidence::kStandard, "RFC 3522 (Eifel): experimental"}};

  // Timers.
  Param<Time> timer_tick{"timer_tick",
                         Time(),
                         "granularity of timers; 0s is exact",
                         {Evidence::kStandard, "RFC 6298, 2: no granularity asked; 0s is exact"}};
  Param<Time> rtt_tick{"rtt_tick",
                       Time(),
                       "granularity of measured round trips; 0s is exact",
                       {Evidence::kStandard, "RFC 6298, 4: 100 ms or finer; 0s is exact"}};
  Param<Time> rto_initial{"rto_initial",
                          ms(1000),
                          "retransmission timeout before the first round trip is known",
                          {Evidence::kStandard, "RFC 6298, 2.1"}};
  Param<Time> rto_min{
      "rto_min", ms(1000), "least retransmission timeout", {Evidence::kStandard, "RFC 6298, 2.4"}};
  Param<Time> rto_max{"rto_max",
                      ms(60'000),
                      "largest retransmission timeout",
                      {Evidence::kStandard, "RFC 6298, 2.5"}};
  Param<bool> rto_min_on_variance{
      "rto_min_on_variance",
      false,
      "the minimum bounds the variance term, not the whole timeout",
      {Evidence::kStandard,
       "RFC 6298, 2.4: the minimum is one of the whole; Linux bounds the variance term"}};
  Param<std::uint32_t> data_retries{"data_retries",
                                    15,
                                    "timeouts of a segment that end the connection",
                                    {Evidence::kStandard, "RFC 9293, 3.8.3: R2 at least 100 s"},
                                    Range<std::uint32_t>{1, 64}};
  Param<std::uint32_t> syn_retries{
      "syn_retries",
      7,
      "timeouts of a SYN that end the attempt",
      {Evidence::kStandard, "RFC 9293, 3.8.3: R2 of a SYN at least 3 minutes"},
      Range<std::uint32_t>{1, 64}};
  Param<Time> persist_min{
      "persist_min",
      ms(1000),
      "least time to the first window probe",
      {Evidence::kStandard, "RFC 9293, 3.8.6.1: the first probe after the RTO"}};
  Param<Time> persist_max{"persist_max",
                          ms(60'000),
                          "largest time from one window probe to the next",
                          {Evidence::kStandard,
                           "RFC 9293, 3.8.6.1: backs off exponentially; ceiling as RFC 6298, 2.5"}};
  Param<std::string> window_probe{
      "window_probe",
      "byte",
      "what a window probe carries",
      {Evidence::kStandard,
       "RFC 9293, 3.8.6.1: byte (of new data); empty (an old sequence number, Linux)"}};
  Param<Time> time_wait{"time_wait",
                        ms(240'000),
                        "time in TIME-WAIT",
                        {Evidence::kStandard, "RFC 9293, 3.4.2: twice an MSL of 2 minutes"}};
  Param<Time> keepalive_idle{
      "keepalive_idle",
      Time(),
      "idle time before the first keepalive probe; 0s is none",
      {Evidence::kStandard, "RFC 9293, 3.8.4: off by default (0s); 2 h or more when on"}};
  Param<Time> keepalive_interval{"keepalive_interval",
                                 ms(75'000),
                                 "time from one keepalive probe to the next",
                                 {Evidence::kChosen, "between probes; 75 s since 4.3BSD"}};
  Param<std::uint32_t> keepalive_probes{
      "keepalive_probes",
      8,
      "unanswered keepalive probes that end the connection",
      {Evidence::kChosen, "unanswered probes that end a connection; 8 since 4.3BSD"},
      Range<std::uint32_t>{1, 64}};

  // Options.
  Param<bool> timestamps{
      "timestamps", true, "timestamps in every segment", {Evidence::kStandard, "RFC 7323, 3"}};
  Param<Time> timestamp_tick{"timestamp_tick",
                             ms(1),
                             "tick of the timestamp clock",
                             {Evidence::kStandard, "RFC 7323, 5.4: 1 ms to 1 s"}};
  Param<bool> window_scaling{
      "window_scaling", true, "scales windows", {Evidence::kStandard, "RFC 7323, 2"}};
  Param<std::uint32_t> default_mss{
      "default_mss",
      536,
      "MSS where the peer names none, bytes",
      {Evidence::kStandard, "RFC 9293, 3.7.1: IPv4, when the peer names none"},
      Range<std::uint32_t>{32, 65535}};

  // Receiving.
  Param<Bytes> receive_buffer{
      "receive_buffer",
      {65535},
      "largest window that is advertised",
      {Evidence::kChosen, "largest window advertised; a host may set its own at any time"},
      Range<Bytes>{{256}, {1'073'725'440}}};
  Param<std::uint32_t> window_start{
      "window_start",
      0,
      "first window, segments, which then grows; 0 is the buffer at once",
      {Evidence::kChosen,
       "segments of window at first, which then grows by window_growth a full segment "
       "(Linux); 0 is the buffer at once"},
      Range<std::uint32_t>{0, 65535}};
  Param<std::uint32_t> window_growth{
      "window_growth",
      2,
      "segments that the window grows by for each full segment received",
      {Evidence::kChosen,
       "segments of window per full segment received, while window_start holds it back"},
      Range<std::uint32_t>{1, 64}};
  Param<bool> window_in_segments{
      "window_in_segments",
      false,
      "rounds the window down to whole segments",
      {Evidence::kChosen,
       "the window is rounded down to whole segments (Windows; Linux without scaling)"}};
  Param<std::uint32_t> update_segments{
      "update_segments",
      2,
      "a window that opens by so many segments is told at once",
      {Evidence::kStandard,
       "RFC 9293, 3.8.6.2.2 asks for less; BSD: a window opened by 2 segments is told at once"},
      Range<std::uint32_t>{1, 1024}};
  Param<double> update_share{
      "update_share",
      0.5,
      "a window that opens by this share of the buffer is told at once (Fr)",
      {Evidence::kStandard, "RFC 9293, 3.8.6.2.2: Fr, share of the buffer that is told at once"},
      Range<double>{0, 1}};
  Param<std::uint32_t> ack_every{
      "ack_every",
      2,
      "full segments for an ACK",
      {Evidence::kStandard, "RFC 9293, 3.8.6.3: every second full segment"},
      Range<std::uint32_t>{1, 64}};
  Param<bool> ack_follows_reader{
      "ack_follows_reader",
      false,
      "that ACK waits for the reader or the timer unless the window is whole again",
      {Evidence::kChosen,
       "yes (Linux): the n-th segment's ACK waits for the reader or the timer unless it can "
       "tell the whole window anew"}};
  Param<std::uint32_t> quick_acks{
      "quick_acks",
      0,
      "segments acknowledged at once when a connection begins",
      {Evidence::kChosen, "segments acknowledged at once when a connection begins"},
      Range<std::uint32_t>{0, 1024}};
  Param<bool> quick_ack_on_growth{
      "quick_ack_on_growth",
      false,
      "a segment that lets the window grow is acknowledged at once",
      {Evidence::kChosen,
       "yes (Linux): a segment that lets the window grow is acknowledged at once (window_start)"}};
  Param<Time> delayed_ack{
      "delayed_ack",
      ms(500),
      "longest time that an ACK is delayed",
      {Evidence::kStandard, "RFC 9293, 3.8.6.3: less than 0.5 s; most systems 200 ms"}};
  Param<Time> delayed_ack_tick{
      "delayed_ack_tick",
      Time(),
      "heartbeat that fires all delayed ACKs; 0s is a timer each",
      {Evidence::kStandard,
       "RFC 9293, 3.8.6.3 asks for none; a heartbeat (BSD 200 ms) fires all that wait"}};

  auto fields() {
    return std::tie(
        congestion_control, cwnd_unit, initial_window, initial_ssthresh, initial_ssthresh_segments,
        cwnd_limit, cwnd_limit_segments, abc_limit, reduce_from, grow_only_when_limited, nagle,
        sws_share, burst, burst_segments, idle, local_congestion, offload_divisor, sack, dsack,
        loss_rule, dup_threshold, max_reordering, limited_transmit, frto, reduction,
        partial_ack_stays, impatient, sack_survives_timeout, timeout_reduces_again, undo_by_dsack,
        undo_by_timestamps, timer_tick, rtt_tick, rto_initial, rto_min, rto_max,
        rto_min_on_variance, data_retries, syn_retries, persist_min, persist_max, window_probe,
        time_wait, keepalive_idle, keepalive_interval, keepalive_probes, timestamps, timestamp_tick,
        window_scaling, default_mss, receive_buffer, window_start, window_growth,
        window_in_segments, update_segments, update_share, ack_every, ack_follows_reader,
        quick_acks, quick_ack_on_growth, delayed_ack, delayed_ack_tick);
  }
};

}  // namespace longhaul::tcp
