// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "models/common/ring_buffer.h"
#include "models/host/kernel/process.h"

namespace longhaul::booster {

class TaskQueue;

/// Work of a relay's worker: a relayed connection, or a caller that has not yet told its purpose.
/// It is run after events.
class Task : public std::enable_shared_from_this<Task> {
 public:
  explicit Task(TaskQueue& queue) : queue_(&queue) {}
  virtual ~Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  /// Works as far as possible without waiting. In process context, within a system call.
  virtual void step(host::Process& process) = 0;
  /// Requests step(); from any context.
  void wake();

 private:
  friend class TaskQueue;
  TaskQueue* queue_;
  bool queued_ = false;
};

/// The tasks of one worker that requested step(), first come first served.
class TaskQueue {
 public:
  void push(std::shared_ptr<Task> task) {
    ready_.push_back(std::move(task));
    if (!worker_.empty()) worker_.wake_all();
  }
  /// Blocks until there is a task. In a system call.
  std::shared_ptr<Task> pop(host::Process& process) {
    while (ready_.empty()) process.wait(worker_);
    std::shared_ptr<Task> task = ready_.pop_front();
    task->queued_ = false;
    return task;
  }
  bool empty() const { return ready_.empty(); }

 private:
  RingBuffer<std::shared_ptr<Task>> ready_;
  host::WaitQueue worker_;
};

inline void Task::wake() {
  if (queued_) return;
  queued_ = true;
  queue_->push(shared_from_this());
}

}  // namespace longhaul::booster
