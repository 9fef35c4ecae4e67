// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/engine.h"
#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/toe/event.h"
#include "models/toe/memory_turns.h"
#include "models/toe/params.h"

namespace longhaul::toe {

/// The work of lanes, done by the engine that owns them.
class LaneWork {
 public:
  virtual ~LaneWork() = default;
  virtual bool waits(Event event) = 0;
  /// Why the first event of a kind, which waits, cannot be taken.
  virtual Stall stall(Event event) = 0;
  /// Does the first event of a kind. Returns what it takes.
  virtual EventClocks run(Event event, std::uint64_t serial) = 0;
  /// The event is over: frames and messages that it has made may leave.
  virtual void finish(std::uint64_t serial) = 0;
};

/// The order of lanes' events, over all lanes of an engine.
struct EventSerials {
  std::uint64_t last = 0;
};

/// A lane of an engine: processing elements in a row, which take events of some kinds.
///
/// An event takes the whole lane if it has one element. In a row of n elements each has an n-th of
/// an event's work. The next event enters when the first element is free. That takes as long as
/// the slowest element: its share of the work and the control block, or the moves of payload.
/// Events leave a lane in the order in which they entered.
///
/// The separators are the least clocks from the begin of one modulation or timer event to the begin
/// of the next one of its kind (TP_TIMER_SEPARATOR).
class Lane final : public sc_core::sc_module {
 public:
  struct Form {
    std::vector<Event> events;
    std::uint32_t elements = 1;
  };

  /// `memory` is null for a lane that has the memories to itself.
  Lane(const sc_core::sc_module_name& name, const ToeParams& params, const Form& form,
       LaneWork& work, EventSerials& serials, MemoryTurns* memory);

  void kick() { engine_.kick(); }
  void set_separators(std::uint32_t modulation_clocks, std::uint32_t timer_clocks);

  observe::StateClock occupancy{
      "occupancy", "what the lane's first element does, or what it waits for", states()};
  observe::Signal state{"state", "the present state of occupancy", states()};
  // The first element's busy time, by its cause.
  observe::Counter work_ps{"work_ps", "ps", "time of events' own clocks, TCAM and headers"};
  observe::Counter context_ps{"context_ps", "ps", "time of events' accesses to context memory"};
  observe::Counter payload_ps{"payload_ps", "ps", "time of events' moves through payload memory"};
  observe::Counter receive_events{"receive_events", "1", "packets taken from the receive FIFO"};
  observe::Counter message_events{"message_events", "1", "messages taken from the host"};
  observe::Counter modulation_events{"modulation_events", "1", "modulation events"};
  observe::Counter timer_events{"timer_events", "1", "timer events"};
  observe::Counter tx_fifo_stalls{"tx_fifo_stalls", "1", "stalls by a full transmit FIFO"};
  observe::Counter reply_stalls{"reply_stalls", "1",
                                "stalls by messages that the host does not take"};
  observe::Counter payload_stalls{"payload_stalls", "1", "stalls by full payload memory"};
  observe::Counter memory_stalls{"memory_stalls", "1", "waits for another lane's use of memory"};

 private:
  enum class Arbitration : std::uint8_t { kTimersFirst, kReceiveFirst, kRoundRobin };
  struct Running {
    std::uint64_t serial = 0;
    std::uint64_t over_ps = 0;
  };

  static std::vector<std::string> states() {
    return {"idle",      "receive", "message", "modulation", "timer",
            "separated", "tx_fifo", "replies", "payload",    "memory"};
  }
  Step step();
  void enter(std::size_t next) {
    occupancy.enter(next);
    state.set(next);
  }
  void book(std::uint64_t work, std::uint64_t context, std::uint64_t payload);
  void retire();
  bool due(Event event) const;
  std::array<Event, kEvents> order() const;
  void take(Event event);
  void count(Event event);
  void count(Stall stall);
  std::uint64_t to_time(std::uint64_t clocks) const;

  LaneWork& work_;
  EventSerials& serials_;
  MemoryTurns* const memory_;
  const std::uint64_t hz_;
  const std::uint32_t elements_;
  std::array<bool, kEvents> takes_{};
  Arbitration arbitration_{};
  Engine engine_;
  RingBuffer<Running> running_;
  Timer over_{[this] { retire(); }};
  std::size_t last_class_ = 3;            // taken last, for turns: receive, message, ...
  bool message_first_ = false;            // before receive
  Event next_message_ = Event::kControl;  // of the host's two queues
  std::array<std::uint64_t, kEvents> separator_ps_{};
  std::array<std::uint64_t, kEvents> not_before_ps_{};
  Stall shown_ = Stall::kNone;
};

}  // namespace longhaul::toe
