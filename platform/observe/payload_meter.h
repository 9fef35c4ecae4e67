// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/net/frame/frame_tap.h"
#include "platform/observe/flight.h"
#include "platform/observe/segment_timer.h"
#include "platform/observe/sequence_record.h"
#include "platform/observe/transport_header.h"

namespace longhaul::observe {

/// Counts the user data that reaches a host, and the TCP segments that it retransmits, from the
/// frames at its adapter.
///
/// A byte counts when its frame has arrived completely and has found room in the adapter. A byte of
/// TCP counts once. The exception is data in later fragments of an IP packet, which Linux makes of
/// TCP only below an MTU of 88: they count as often as they come. So the count of any time is part
/// of the octets of good frames that the MAC counted in it.
///
/// It keeps the same for every flow, which is one direction of a connection. For flows that the
/// host sends, it keeps the times until their segments are acknowledged (SegmentTimer): from when
/// the frame was given to the MAC to the first bit of the ACK's frame. For all flows together it
/// keeps the bytes in flight (Flight), a lower bound of any TCP window.
///
/// It listens to two taps of the adapter: received frames, and frames given to the MAC. Memory: one
/// record for each connection, nothing for a packet.
class PayloadMeter final : public sc_core::sc_module {
 public:
  /// Flows that are recorded over time: the first ones that brought user data.
  static constexpr std::size_t kMostDrawn = 64;
  /// Most flows of UDP, in each direction, that are told apart.
  static constexpr std::size_t kMostFlows = std::size_t{1} << 18;

  /// The figures of a flow in a stretch of time. Figures that a meter cannot see stay zero.
  struct Passed {
    std::uint64_t bytes = 0;  ///< user data that arrived or left; of TCP each byte once
    std::uint64_t retransmits = 0;
    std::uint64_t round_trips = 0;  ///< segments that were timed
    std::uint64_t round_trips_ps = 0;
  };
  struct FlowFigures {
    FlowKey key;
    TransportHeader::Protocol protocol;
    Passed passed;
  };

  PayloadMeter(const sc_core::sc_module_name& name, FrameTap& received, FrameTap& sent);
  PayloadMeter(const PayloadMeter&) = delete;
  PayloadMeter& operator=(const PayloadMeter&) = delete;
  ~PayloadMeter() override;

  /// The measured window begins or ends. Later frames do not change the figures of a flow.
  void begin_window();
  void end_window();
  /// Flows that brought user data, and flows that the host sent, in the measured window. If it has
  /// not ended, up to now. In the order of their keys.
  std::vector<FlowFigures> received_flows() const;
  std::vector<FlowFigures> sent_flows() const;
  /// User data so far of the flows that are recorded over time, in the order in which they came,
  /// and the key of such a flow.
  std::size_t drawn() const { return drawn_.size(); }
  std::uint64_t drawn_bytes(std::size_t flow) const { return drawn_[flow]->second.so_far.bytes; }
  const FlowKey& drawn_key(std::size_t flow) const { return drawn_[flow]->first; }

  /// User data so far, bytes.
  std::uint64_t received() const { return tcp_received.value() + udp_received.value(); }
  /// Calls `listener` after each frame with user data; an empty function ends it. The listener may
  /// replace itself.
  void on_received(std::function<void()> listener) { listener_ = std::move(listener); }
  /// Calls `listener` for each frame that tcp_retransmits counts; an empty function ends it.
  using RetransmitListener = std::function<void(const Frame&, const TransportHeader&)>;
  void on_retransmit(RetransmitListener listener) { retransmit_listener_ = std::move(listener); }

  Counter tcp_received{"tcp_received", "B", "TCP user data that arrived, each byte once"};
  Counter udp_received{"udp_received", "B", "UDP user data that arrived"};
  Counter tcp_retransmits{"tcp_retransmits", "segment",
                          "TCP segments sent whose first byte had been sent before"};
  Level tcp_in_flight{"tcp_in_flight", "B",
                      "TCP user data that were sent and that no ACK has covered yet"};

 private:
  using Take = void (PayloadMeter::*)(const Frame&, const TransportHeader&, std::uint64_t at_ps);
  /// Passes the headers of one tap's frames with one fate to the meter.
  struct Listener final : FrameListener {
    Listener(PayloadMeter& owner, Take how, FrameFate of) : meter(owner), take(how), wanted(of) {}
    void on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                  const char* why) override;
    PayloadMeter& meter;
    const Take take;
    const FrameFate wanted;
  };
  struct Flow {
    explicit Flow(std::uint32_t sequence) : first(sequence), record(sequence), flight(sequence) {}
    std::uint32_t first;  // sequence number of the SYN
    SequenceRecord record;
    SegmentTimer timer{};
    Flight flight;
    Passed so_far{};
    Passed before_window{};
  };
  using Entry = std::pair<const FlowKey, Flow>;
  /// Flows by their keys. The last one is kept at hand, since most frames belong to the same flow
  /// as the frame before.
  struct Flows {
    std::unordered_map<FlowKey, Flow, FlowKeyHash> all;
    Entry* last = nullptr;

    Entry& of(const TransportHeader& header);
    /// Flows of UDP, which have no connection. Beyond kMostFlows, all others are one flow without
    /// addresses.
    Entry& datagrams_of(const TransportHeader& header);
    Flow* find(const FlowKey& key);
  };

  void take_received(const Frame& frame, const TransportHeader& header, std::uint64_t at_ps);
  void take_sent(const Frame& frame, const TransportHeader& header, std::uint64_t at_ps);
  void take_acknowledgment(const TransportHeader& header, std::uint64_t at_ps);
  /// Changes the bytes in flight of a flow by `change`, and the sum of all flows.
  template <class Change>
  void change_flight(Flow& flow, Change&& change);
  void add_received(Entry& flow, std::uint64_t bytes);
  /// The number of this segment's sequence numbers that are new to its flow. A SYN with a new
  /// number restarts the flow.
  static std::uint32_t fresh_numbers(Flow& flow, const TransportHeader& header);
  static void append(std::vector<FlowFigures>& list, const Flows& flows,
                     TransportHeader::Protocol protocol);
  std::vector<FlowFigures> received_so_far() const;
  std::vector<FlowFigures> sent_so_far() const;

  FrameTap& received_tap_;
  FrameTap& sent_tap_;
  Listener received_listener_{*this, &PayloadMeter::take_received, FrameFate::kReceived};
  Listener sent_listener_{*this, &PayloadMeter::take_sent, FrameFate::kSent};
  Flows received_flows_;
  Flows received_datagrams_;
  Flows sent_flows_;
  Flows sent_datagrams_;
  std::vector<const Entry*> drawn_;
  std::optional<std::vector<FlowFigures>> received_in_window_;
  std::optional<std::vector<FlowFigures>> sent_in_window_;
  std::function<void()> listener_;
  RetransmitListener retransmit_listener_;
};

}  // namespace longhaul::observe
