// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace longhaul {

/// A first-in first-out queue in a ring that grows when full and never shrinks: no heap traffic once warmed up.
template <class T>
class Fifo {
 public:
  explicit Fifo(std::size_t capacity = 16) : ring_(capacity < 1 ? 1 : capacity) {}

  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  T& front() { return ring_[head_]; }
  const T& front() const { return ring_[head_]; }
  /// The entry `i` places behind the front, i < size().
  const T& operator[](std::size_t i) const { return ring_[(head_ + i) % ring_.size()]; }
  T& operator[](std::size_t i) { return ring_[(head_ + i) % ring_.size()]; }

  void push(T value) {
    if (count_ == ring_.size()) grow();
    ring_[(head_ + count_) % ring_.size()] = std::move(value);
    ++count_;
  }
  /// Puts one before the front.
  void push_front(T value) {
    if (count_ == ring_.size()) grow();
    head_ = (head_ + ring_.size() - 1) % ring_.size();
    ring_[head_] = std::move(value);
    ++count_;
  }
  /// Takes the front out; the queue must not be empty.
  T pop() {
    T value = std::move(ring_[head_]);
    head_ = (head_ + 1) % ring_.size();
    --count_;
    return value;
  }
  void clear() { head_ = count_ = 0; }

 private:
  void grow() {
    std::vector<T> wider(ring_.size() * 2);
    for (std::size_t i = 0; i < count_; ++i) wider[i] = std::move(ring_[(head_ + i) % ring_.size()]);
    ring_ = std::move(wider);
    head_ = 0;
  }

  std::vector<T> ring_;
  std::size_t head_ = 0;
  std::size_t count_ = 0;
};

}  // namespace longhaul
