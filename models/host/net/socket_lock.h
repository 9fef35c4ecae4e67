// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/common/ring_buffer.h"
#include "models/host/kernel/processor.h"
#include "models/host/net/arrival.h"
#include "models/tcp/environment.h"

namespace longhaul::host {

/// Handles events of a socket. The lock is held during every call except released().
class BacklogHandler {
 public:
  virtual ~BacklogHandler() = default;
  virtual void handle_segment(const Arrival& arrival) = 0;
  virtual void handle_timer(tcp::Timer timer) = 0;
  /// The interface has room again.
  virtual void handle_room() = 0;
  /// An adapter has news.
  virtual void handle_news() {}
  /// Whether its news come before the segments that wait.
  virtual bool news_first() const { return true; }
  /// The lock is free again. May destroy the socket and its lock.
  virtual void released() = 0;
};

/// The lock of a socket and its backlog.
///
/// A process in a socket call holds the lock, and so does a softirq while it handles a segment.
/// Segments, expired timers and notices of room that come meanwhile wait: segments in the backlog,
/// the others as flags. The holder processes them before it releases the lock (Linux: lock_sock(),
/// release_sock()). So calls into the TCP engine never overlap, on one processor or on several.
class SocketLock {
 public:
  /// `holds_softirqs`: NetParams::backlog_holds_softirqs.
  explicit SocketLock(BacklogHandler& handler, bool holds_softirqs = false)
      : handler_(handler), holds_softirqs_(holds_softirqs) {}
  SocketLock(const SocketLock&) = delete;
  SocketLock& operator=(const SocketLock&) = delete;

  bool is_held() const { return held_; }
  /// Spins until the lock is free. `processor` pays for that.
  void acquire(Processor& processor);
  /// Takes a lock that is free.
  void take() { held_ = true; }
  /// Processes everything that waits, and frees the lock. The socket may be gone afterwards.
  void release();

  // Deferred events. Room and news are handled at once if nobody holds the lock; the socket may be
  // gone afterwards.
  void defer_timer(tcp::Timer timer);
  void defer_room();
  void defer_news();
  void queue(const Arrival& arrival) { backlog_.push_back(arrival); }
  /// Queues a segment for a waiting reader (Linux: the prequeue). Its frame counts in
  /// prequeued_bytes().
  void prequeue(const Arrival& arrival);
  bool has_backlog() const { return !backlog_.empty(); }
  std::uint64_t prequeued_bytes() const { return prequeued_bytes_; }

  // By the holder.
  /// Handles timers, then room, then segments and an adapter's news, until nothing waits.
  void process_backlog();
  /// Handles the segments that wait at the time of the call, and no others.
  void process_segments();
  /// Removes the first segment without handling it.
  Arrival pop();

 private:
  void run();
  void process_timers();
  void process_segment();

  BacklogHandler& handler_;
  const bool holds_softirqs_;
  bool held_ = false;
  bool room_due_ = false;
  bool news_due_ = false;
  std::uint32_t timers_due_ = 0;  // one bit for each tcp::Timer
  RingBuffer<Arrival> backlog_;
  std::uint64_t prequeued_bytes_ = 0;
};

}  // namespace longhaul::host
