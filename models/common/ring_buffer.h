// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace longhaul {

/// A double-ended queue in one block of memory, which doubles when it is full and never shrinks. It
/// does not allocate once it has grown to its working size.
///
/// T must be default-constructible and movable. An element that may own something is reset to T{}
/// when it is taken out.
template <class T>
class RingBuffer {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  T& front() { return slots_[head_]; }
  const T& front() const { return slots_[head_]; }
  T& back() { return slots_[wrap(head_ + size_ - 1)]; }
  /// The i-th element from the front, i < size().
  T& operator[](std::size_t i) { return slots_[wrap(head_ + i)]; }
  const T& operator[](std::size_t i) const { return slots_[wrap(head_ + i)]; }

  void push_back(T value) {
    if (size_ == slots_.size()) grow();
    slots_[wrap(head_ + size_)] = std::move(value);
    ++size_;
  }
  /// Adds an element before the front.
  void push_front(T value) {
    if (size_ == slots_.size()) grow();
    head_ = wrap(head_ + slots_.size() - 1);
    slots_[head_] = std::move(value);
    ++size_;
  }
  /// Removes and returns the front. The queue must not be empty.
  T pop_front() {
    T value = take(head_);
    head_ = wrap(head_ + 1);
    --size_;
    return value;
  }
  T pop_back() {
    --size_;
    return take(wrap(head_ + size_));
  }
  void clear() {
    while (!empty()) pop_front();
  }

 private:
  static constexpr std::size_t kFirst = 4;

  std::size_t wrap(std::size_t i) const { return i & (slots_.size() - 1); }
  T take(std::size_t place) {
    T value = std::move(slots_[place]);
    if constexpr (!std::is_trivially_destructible_v<T>) slots_[place] = T{};
    return value;
  }
  void grow() {
    std::vector<T> larger(slots_.empty() ? kFirst : slots_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move(slots_[wrap(head_ + i)]);
    slots_ = std::move(larger);
    head_ = 0;
  }

  std::vector<T> slots_;  // a power of two, or empty
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace longhaul
