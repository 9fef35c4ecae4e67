// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace longhaul {

/// A double-ended queue in one block of memory that grows by doubling and never shrinks: no allocation once warm.
///
/// T must be default-constructible and movable; a removed element is reset to T{}, so that it holds nothing back.
template <class T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return slots_.size(); }

  T& front() { return slots_[head_]; }
  const T& front() const { return slots_[head_]; }
  T& back() { return slots_[wrap(head_ + size_ - 1)]; }
  T& operator[](std::size_t i) { return slots_[wrap(head_ + i)]; }  ///< the i-th from the front

  void push_back(T value) {
    if (size_ == slots_.size()) grow();
    slots_[wrap(head_ + size_)] = std::move(value);
    ++size_;
  }
  T pop_front() {
    T value = std::exchange(slots_[head_], T{});
    head_ = wrap(head_ + 1);
    --size_;
    return value;
  }
  T pop_back() {
    --size_;
    return std::exchange(slots_[wrap(head_ + size_)], T{});
  }
  void clear() {
    while (!empty()) pop_front();
  }

 private:
  std::size_t wrap(std::size_t i) const { return i & (slots_.size() - 1); }
  void grow() {
    std::vector<T> larger(slots_.empty() ? 16 : slots_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move(slots_[wrap(head_ + i)]);
    slots_ = std::move(larger);
    head_ = 0;
  }

  std::vector<T> slots_;  // a power of two, or empty
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace longhaul
