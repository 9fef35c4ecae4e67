// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <systemc>

#include "models/common/engine.h"
#include "models/common/observe/probe.h"
#include "models/toe/params.h"

namespace longhaul::toe {

/// The kinds of events that occupy the pipeline.
enum class Event : std::uint8_t { kReceive, kMessage, kModulation, kTimer };
inline constexpr std::size_t kEvents = 4;

/// Why an event that waits cannot be taken now.
enum class Stall : std::uint8_t {
  kNone,
  kTxFifo,   ///< no room for a segment: the wire is slow or paused
  kReplies,  ///< no room for messages to the host
  kPayload,  ///< a TxData waits for payload memory
};
inline constexpr std::size_t kStalls = 4;

/// The work of a pipeline, done by the engine that owns it.
class PipelineWork {
 public:
  virtual ~PipelineWork() = default;
  virtual bool waits(Event event) = 0;
  /// Why the first event of a kind, which waits, cannot be taken.
  virtual Stall stall(Event event) = 0;
  /// Does the first event of a kind. Returns the clocks that it takes, at least one.
  virtual std::uint64_t run(Event event) = 0;
  /// The event is over: frames and messages that it has made may leave.
  virtual void finish() = 0;
};

/// The one pipeline of an offload engine: receive, the host's messages, modulation (sending because
/// an ACK has opened the window) and timers share it. An event holds it until it is over.
///
/// The separators are the least clocks from the begin of one modulation or timer event to the begin
/// of the next one of its kind (TP_TIMER_SEPARATOR).
class TpPipeline final : public sc_core::sc_module {
 public:
  TpPipeline(const sc_core::sc_module_name& name, const ToeParams& params, PipelineWork& work);

  void kick() { engine_.kick(); }
  void set_separators(std::uint32_t modulation_clocks, std::uint32_t timer_clocks);

  observe::StateClock occupancy{"occupancy",
                                "what the pipeline does, or what it waits for",
                                {"idle", "receive", "message", "modulation", "timer", "separated",
                                 "tx_fifo", "replies", "payload"}};
  observe::Counter receive_events{"receive_events", "1", "packets taken from the receive FIFO"};
  observe::Counter message_events{"message_events", "1", "messages taken from the host"};
  observe::Counter modulation_events{"modulation_events", "1", "modulation events"};
  observe::Counter timer_events{"timer_events", "1", "timer events"};
  observe::Counter tx_fifo_stalls{"tx_fifo_stalls", "1", "stalls by a full transmit FIFO"};
  observe::Counter reply_stalls{"reply_stalls", "1",
                                "stalls by messages that the host does not take"};
  observe::Counter payload_stalls{"payload_stalls", "1", "stalls by full payload memory"};

 private:
  enum class Arbitration : std::uint8_t { kTimersFirst, kReceiveFirst, kRoundRobin };
  static constexpr std::size_t kSeparated = 1 + kEvents;

  Step step();
  bool due(Event event) const;
  std::array<Event, kEvents> order() const;
  void take(Event event);
  void count(Event event);
  void count(Stall stall);

  PipelineWork& work_;
  const std::uint64_t hz_;
  Arbitration arbitration_{};
  Engine engine_;
  bool running_ = false;
  Event last_ = Event::kTimer;           // taken last, for turns
  Event last_served_ = Event::kMessage;  // of receive and message
  std::array<std::uint64_t, kEvents> separator_ps_{};
  std::array<std::uint64_t, kEvents> not_before_ps_{};
  Stall shown_ = Stall::kNone;
};

}  // namespace longhaul::toe
