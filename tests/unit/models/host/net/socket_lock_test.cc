// SPDX-License-Identifier: Apache-2.0
// A socket's lock: who handles what comes while it is held, and in which order.
#include "models/host/net/socket_lock.h"

#include <functional>

#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host {
namespace {

using testing::Program;

/// Writes down what it handles.
struct Notes final : BacklogHandler {
  std::vector<std::string> lines;
  std::function<void()> at_segment = [] {};
  SocketLock* lock = nullptr;

  void handle_segment(const Arrival& arrival) override {
    lines.push_back("segment " + std::to_string(arrival.packet.bytes));
    at_segment();
  }
  void handle_timer(tcp::Timer timer) override {
    lines.push_back("timer " + std::to_string(static_cast<int>(timer)));
  }
  void handle_room() override { lines.emplace_back("room"); }
  void released() override { lines.emplace_back(lock->is_held() ? "held" : "free"); }
};

Arrival arrival(std::uint32_t bytes) {
  Arrival arrival;
  arrival.packet.bytes = bytes;
  return arrival;
}

struct SocketLockTest : testing::NetTest {
  Notes notes;
  SocketLock lock{notes};

  SocketLockTest() { notes.lock = &lock; }
  /// Runs it in a process.
  void in_process(const Program::Body& body) {
    build();
    bool done = false;
    program(*a, "owner", [&](Program& self) {
      const Process::Syscall call(self);
      body(self);
      done = true;
    });
    run_until(100 * kMs);
    EXPECT_TRUE(done);
  }
};

TEST_F(SocketLockTest, ReleaseHandlesTimersThenRoomThenSegmentsInOrder) {
  in_process([&](Program& self) {
    lock.acquire(self.processor());
    lock.queue(arrival(1));
    lock.queue(arrival(2));
    lock.defer_room();
    lock.defer_timer(tcp::Timer::kDelayedAck);
    lock.defer_timer(tcp::Timer::kRetransmit);
    lock.release();
  });
  EXPECT_THAT(notes.lines, ::testing::ElementsAre("timer 0", "timer 2", "room", "segment 1",
                                                  "segment 2", "free"));
}

/// A softirq is raised while the first of two segments is handled.
struct SoftirqInBacklog : SocketLockTest {
  void release(bool holds_softirqs) {
    SocketLock own(notes, holds_softirqs);
    notes.lock = &own;
    SoftirqNote softirq(notes);
    in_process([&](Program& self) {
      notes.at_segment = [&] {
        if (notes.lines.size() == 1) self.processor().raise(softirq);
        self.processor().execute(1000);
      };
      own.acquire(self.processor());
      own.queue(arrival(1));
      own.queue(arrival(2));
      own.release();
    });
  }

 private:
  struct SoftirqNote final : Softirq {
    explicit SoftirqNote(Notes& to) : notes(to) {}
    bool run() override {
      notes.lines.emplace_back("softirq");
      return false;
    }
    Notes& notes;
  };
};

TEST_F(SoftirqInBacklog, RunsBetweenSegments) {
  release(false);
  EXPECT_THAT(notes.lines, ::testing::ElementsAre("segment 1", "softirq", "segment 2", "free"));
}

TEST_F(SoftirqInBacklog, WaitsForTheEndIfTheSystemHoldsItOff) {
  release(true);
  EXPECT_THAT(notes.lines, ::testing::ElementsAre("segment 1", "segment 2", "free", "softirq"));
}

TEST_F(SocketLockTest, WhatComesDuringTheBacklogIsHandledBeforeTheLockIsFree) {
  in_process([&](Program& self) {
    notes.at_segment = [&] {
      if (notes.lines.size() > 1) return;
      lock.queue(arrival(3));
      lock.defer_timer(tcp::Timer::kRetransmit);
    };
    lock.acquire(self.processor());
    lock.queue(arrival(1));
    lock.queue(arrival(2));
    lock.release();
  });
  EXPECT_THAT(notes.lines,
              ::testing::ElementsAre("segment 1", "timer 0", "segment 2", "segment 3", "free"));
}

TEST_F(SocketLockTest, AReaderHandlesTheSegmentsThatWaitedAndNoLaterOnes) {
  in_process([&](Program& self) {
    notes.at_segment = [&] {
      if (notes.lines.size() == 1) lock.queue(arrival(3));
    };
    lock.acquire(self.processor());
    lock.queue(arrival(1));
    lock.queue(arrival(2));
    lock.process_segments();
    EXPECT_THAT(notes.lines, ::testing::ElementsAre("segment 1", "segment 2"));
    EXPECT_TRUE(lock.has_backlog());
    lock.release();
  });
  EXPECT_EQ(notes.lines[2], "segment 3");
}

TEST_F(SocketLockTest, PrequeuedBytesCountUntilTheirSegmentIsHandled) {
  in_process([&](Program& self) {
    lock.prequeue(arrival(1000));
    lock.prequeue(arrival(500));
    EXPECT_EQ(lock.prequeued_bytes(), 1500U);
    EXPECT_EQ(lock.pop().packet.bytes, 1000U);
    EXPECT_EQ(lock.prequeued_bytes(), 500U);
    lock.acquire(self.processor());
    lock.release();
    EXPECT_EQ(lock.prequeued_bytes(), 0U);
  });
}

TEST_F(SocketLockTest, AnotherProcessorSpinsUntilTheLockIsFree) {
  params.processors = 2;
  build();
  std::uint64_t freed_at = 0;
  std::uint64_t taken_at = 0;
  program(*a, "owner", [&](Program& self) {
    const Process::Syscall call(self);
    lock.acquire(self.processor());
    self.sleep(5 * kMs);
    freed_at = now_ps();
    lock.release();
  });
  program(
      *a, "other",
      [&](Program& self) {
        const Process::Syscall call(self);
        self.sleep(1 * kMs);
        EXPECT_TRUE(lock.is_held());
        lock.acquire(self.processor());
        taken_at = now_ps();
        lock.release();
      },
      1);
  run_until(100 * kMs);
  ASSERT_NE(freed_at, 0U);
  EXPECT_GE(taken_at, freed_at);
  // 50 cycles of 1 ns a turn.
  EXPECT_LE(taken_at, freed_at + 100 * kNs);
}

}  // namespace
}  // namespace longhaul::host
