// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::host {

/// A queue of items that contain their link (T::next_). It allocates nothing, and an item is in at
/// most one queue.
template <class T>
class IntrusiveFifo {
 public:
  bool empty() const { return first_ == nullptr; }
  std::uint32_t size() const { return size_; }
  void push_back(T& item) {
    item.next_ = nullptr;
    (first_ == nullptr ? first_ : last_->next_) = &item;
    last_ = &item;
    ++size_;
  }
  void push_front(T& item) {
    item.next_ = first_;
    if (first_ == nullptr) last_ = &item;
    first_ = &item;
    ++size_;
  }
  T& pop_front() {
    T& item = *first_;
    first_ = item.next_;
    --size_;
    return item;
  }

 private:
  T* first_ = nullptr;
  T* last_ = nullptr;
  std::uint32_t size_ = 0;
};

}  // namespace longhaul::host
