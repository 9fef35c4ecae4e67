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
  /// `capacity` is rounded up to a power of two.
  explicit Fifo(std::size_t capacity = 16) : ring_(power_of_two(capacity)) {}

  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  T& front() { return ring_[head_]; }
  const T& front() const { return ring_[head_]; }
  /// The entry `i` places behind the front, i < size().
  const T& operator[](std::size_t i) const { return ring_[place(i)]; }
  T& operator[](std::size_t i) { return ring_[place(i)]; }

  void push(T value) {
    if (count_ == ring_.size()) grow();
    ring_[place(count_)] = std::move(value);
    ++count_;
  }
  /// Puts one before the front.
  void push_front(T value) {
    if (count_ == ring_.size()) grow();
    head_ = place(ring_.size() - 1);
    ring_[head_] = std::move(value);
    ++count_;
  }
  /// Takes the front out; the queue must not be empty.
  T pop() {
    T value = std::move(ring_[head_]);
    head_ = place(1);
    --count_;
    return value;
  }
  void clear() { head_ = count_ = 0; }

 private:
  static std::size_t power_of_two(std::size_t least) {
    std::size_t size = 1;
    while (size < least) size *= 2;
    return size;
  }
  /// Where the entry `i` places behind the front is.
  std::size_t place(std::size_t i) const { return (head_ + i) & (ring_.size() - 1); }
  void grow() {
    std::vector<T> wider(ring_.size() * 2);
    for (std::size_t i = 0; i < count_; ++i) wider[i] = std::move(ring_[place(i)]);
    ring_ = std::move(wider);
    head_ = 0;
  }

  std::vector<T> ring_;
  std::size_t head_ = 0;
  std::size_t count_ = 0;
};

}  // namespace longhaul
