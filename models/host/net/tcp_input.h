// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/host/kernel/processor.h"
#include "models/host/net/arrival.h"
#include "models/host/net/receive_memory.h"
#include "models/host/net/receive_queue.h"
#include "models/host/net/receive_tuning.h"

namespace longhaul::host {

class Stack;
class TcpEndpoint;

/// The receiving half of a TCP socket: its receive buffer, the memory limit, and the window.
class TcpInput {
 public:
  TcpInput(Stack& stack, TcpEndpoint& socket);

  /// Sets memory and window from the socket's settings, before the SYN offers the window.
  void prepare(std::uint16_t mss);
  /// Passes a segment with payload to the engine. Payload that the engine accepts goes to the
  /// discipline.
  void handle_data(const Arrival& arrival);
  /// Whether a reader's copy will sum a segment that nobody has summed. The segment is in order and
  /// has nothing but data, and the reader takes it at once (Linux, tcp_rcv_established()).
  bool sums_while_copying(const Arrival& arrival) const;
  /// Checks the sum of a segment whose adapter has not, or leaves that to the copy.
  Arrival summed(const Arrival& arrival) const;

  /// Sets the limits of an engine that continues behind an adapter.
  void resume();
  /// Bytes in order that the program has not read.
  std::uint64_t unread() const { return queue_.end() - queue_.read_offset(); }
  /// The same, with those whose reading was not reported.
  std::uint64_t unreported() const { return queue_.end() - reported_; }

  /// Copies bytes that are in order to a program's memory. Returns how many.
  std::uint64_t copy_out(Processor& processor, std::uint64_t user, std::uint64_t bytes);
  /// Reports to the engine how far the program has read. It may answer with a window update.
  void report_read();

  /// The window while there are no unread bytes.
  std::uint64_t window_limit() const { return window_limit_; }
  void set_window_limit(std::uint64_t bytes);
  const ReceiveMemory& memory() const { return memory_; }
  ReceiveQueue& queue() { return queue_; }
  const ReceiveQueue& queue() const { return queue_; }
  /// Stream offset of the first wrong byte that verification has found.
  std::optional<std::uint64_t> mismatch() const { return mismatch_; }

 private:
  /// Whether the memory grows with the reader (NetParams::receive_buffer_most).
  bool is_tuned() const;
  void grow_memory(std::uint64_t window);
  bool make_room();
  void drop_payload(const Arrival& arrival);

  Stack& stack_;
  TcpEndpoint& socket_;
  ReceiveQueue queue_;
  ReceiveMemory memory_;
  ReceiveTuning tuning_;
  std::uint64_t window_limit_ = 0;
  std::uint64_t collapse_at_ = 0;  // memory in use at which collapsing buffers is tried again
  std::uint64_t reported_ = 0;     // stream offset of the reads that the engine knows
  std::optional<std::uint64_t> mismatch_;
};

}  // namespace longhaul::host
