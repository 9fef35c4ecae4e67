// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/net/frame/frame_tap.h"
#include "models/toe/messages.h"

namespace longhaul::toe {

/// The counters of an offload engine.
struct EngineProbes {
  observe::Counter rx_segments{"rx_segments", "1", "segments of the engine's connections received"};
  observe::Counter tx_segments{"tx_segments", "1", "segments sent"};
  observe::Counter rx_to_host{"rx_to_host", "frame", "frames that went to the host as they came"};
  observe::Counter tx_from_host{"tx_from_host", "frame", "frames of the host's own stack"};
  observe::Counter rx_overflows{"rx_overflows", "frame", "frames without room in the receive FIFO"};
  observe::Counter rx_damaged{"rx_damaged", "1", "segments dropped for their checksum"};
  observe::Counter rx_no_page{"rx_no_page", "1", "segments dropped for want of payload memory"};
  observe::Counter rx_beyond_holes{"rx_beyond_holes", "1",
                                   "segments dropped beyond too many holes"};
  observe::Counter rx_urgent{"rx_urgent", "1", "segments whose urgent pointer was ignored"};
  observe::Counter rx_unanswered{"rx_unanswered", "1", "segments of connections that have ended"};
  observe::Counter opened{"opened", "1", "connections entered in the tables"};
  observe::Counter released{"released", "1", "connections taken out of the tables"};
  observe::Counter table_full{"table_full", "1", "connections refused by a full TCAM"};
  observe::Counter no_memory{"no_memory", "1", "connections refused by full context memory"};
  observe::Counter no_station{"no_station", "1", "segments without a next station, not sent"};
  observe::Counter bad_messages{"bad_messages", "1", "messages for no connection"};
  observe::Level data_waits_pm{"data_waits_pm", "1",
                               "queues from the host whose first message waits for payload memory"};
  observe::FrameTap drops{"drops", "frames that the engine dropped, with the reason"};
};

/// The fields of one connection as probes; zero while its tid is free.
class TcbProbes final : public sc_core::sc_module {
 public:
  using Fields = std::function<std::optional<TcbFields>()>;
  TcbProbes(const sc_core::sc_module_name& name, Fields fields)
      : sc_module(name), fields_(std::move(fields)) {}

  observe::Gauge state =
      gauge("state", "1", "TCP state, in the order of tcp::State",
            [](const TcbFields& f) { return static_cast<std::uint64_t>(f.state); });
  observe::Gauge snd_una = gauge("snd_una", "1", "oldest number without an ACK",
                                 [](const TcbFields& f) { return std::uint64_t{f.snd_una}; });
  observe::Gauge snd_nxt = gauge("snd_nxt", "1", "next number to send",
                                 [](const TcbFields& f) { return std::uint64_t{f.snd_nxt}; });
  observe::Gauge rcv_nxt = gauge("rcv_nxt", "1", "next number expected",
                                 [](const TcbFields& f) { return std::uint64_t{f.rcv_nxt}; });
  observe::Gauge cwnd =
      gauge("cwnd", "B", "congestion window", [](const TcbFields& f) { return f.cwnd; });
  observe::Gauge ssthresh =
      gauge("ssthresh", "B", "slow start threshold", [](const TcbFields& f) { return f.ssthresh; });
  observe::Gauge snd_wnd = gauge("snd_wnd", "B", "bytes that the peer's window still allows",
                                 [](const TcbFields& f) { return f.snd_wnd; });
  observe::Gauge unsent = gauge("unsent", "B", "bytes in payload memory that were never sent",
                                [](const TcbFields& f) { return f.unsent; });
  observe::Gauge unread = gauge("unread", "B", "bytes in order without credits",
                                [](const TcbFields& f) { return f.unread; });
  observe::Gauge rto =
      gauge("rto", "ps", "retransmission timeout", [](const TcbFields& f) { return f.rto_ps; });

 private:
  template <class Pick>
  observe::Gauge gauge(const char* name, const char* unit, const char* description, Pick pick) {
    return {name, unit, description, [this, pick] {
              const std::optional<TcbFields> fields = fields_();
              return fields ? pick(*fields) : std::uint64_t{0};
            }};
  }

  const Fields fields_;
};

}  // namespace longhaul::toe
