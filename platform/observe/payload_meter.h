// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>
#include <unordered_map>
#include <utility>

#include "platform/observe/probe.h"
#include "platform/observe/sequence_record.h"
#include "platform/observe/transport_header.h"

namespace longhaul::observe {

/// Counts the user data that reaches a host, and the TCP segments that it sends again, from the frames at its adapter.
///
/// A byte counts when the frame that brings it has arrived whole and has found room in the adapter, and a byte of TCP counts once
/// (not those in later fragments of an IP packet, which Linux makes of TCP only below an MTU of 88: they count as often as they come).
/// So what is counted in any stretch of time is part of the octets of good frames that the MAC counted in it. Listens to two taps
/// of the adapter: frames taken in, and frames given to the MAC. Memory: one record a connection, nothing a packet.
class PayloadMeter final : public sc_core::sc_module {
 public:
  PayloadMeter(const sc_core::sc_module_name& name, FrameTap& received, FrameTap& sent);
  PayloadMeter(const PayloadMeter&) = delete;
  PayloadMeter& operator=(const PayloadMeter&) = delete;
  ~PayloadMeter() override;

  /// User data so far, bytes.
  std::uint64_t received() const { return tcp_received.value() + udp_received.value(); }
  /// Calls `listener` after each frame that brought user data; an empty function ends it. The listener may replace itself.
  void on_received(std::function<void()> listener) { listener_ = std::move(listener); }

  Counter tcp_received{"tcp_received", "B", "TCP user data that arrived, each byte once"};
  Counter udp_received{"udp_received", "B", "UDP user data that arrived"};
  Counter tcp_retransmits{"tcp_retransmits", "segment", "TCP segments sent whose first byte had been sent before"};

 private:
  using Take = void (PayloadMeter::*)(const TransportHeader&);
  /// Gives the meter the headers of one tap's frames of one fate.
  struct Listener final : FrameListener {
    Listener(PayloadMeter& owner, Take how, FrameFate of) : meter(owner), take(how), wanted(of) {}
    void on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate, const char* why) override;
    PayloadMeter& meter;
    const Take take;
    const FrameFate wanted;
  };
  struct Flow {
    explicit Flow(std::uint32_t sequence) : first(sequence), record(sequence) {}
    std::uint32_t first;  // the SYN's sequence number
    SequenceRecord record;
  };
  /// By their keys; the one that was asked for last is at hand, as most frames are of the same one as the frame before.
  struct Flows {
    std::unordered_map<FlowKey, Flow, FlowKeyHash> all;
    std::pair<const FlowKey, Flow>* last = nullptr;
  };

  void take_received(const TransportHeader& header);
  void take_sent(const TransportHeader& header);
  /// How many of this segment's sequence numbers its flow had not seen; a SYN with a new one starts the flow afresh.
  static std::uint32_t fresh_numbers(Flows& flows, const TransportHeader& header);

  FrameTap& received_tap_;
  FrameTap& sent_tap_;
  Listener received_listener_{*this, &PayloadMeter::take_received, FrameFate::kReceived};
  Listener sent_listener_{*this, &PayloadMeter::take_sent, FrameFate::kSent};
  Flows received_flows_;
  Flows sent_flows_;
  std::function<void()> listener_;
};

}  // namespace longhaul::observe
