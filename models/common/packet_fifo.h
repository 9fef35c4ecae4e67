// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/common/divisor.h"
#include "models/common/observe/probe.h"
#include "models/common/units.h"

namespace longhaul {

/// An on-chip packet buffer: a queue of items whose bytes share a fixed memory. Space is released
/// apart from popping the item, because a buffer drains while the bus or the wire takes its bytes.
///
/// `granule` is the unit, in bytes, to which a packet's length is rounded up. Storage for
/// `max_items` is allocated once; a buffer with no free item refuses like one with no free bytes.
template <class Item>
class PacketFifo {
 public:
  PacketFifo(const char* probe_name, Bytes capacity, std::uint32_t granule, std::uint32_t max_items)
      : fill{probe_name, "B", "bytes held in the packet buffer"},
        capacity_(capacity.count),
        granule_(granule),
        items_(max_items) {}

  observe::Level fill;

  std::uint64_t capacity() const { return capacity_; }
  /// Sets the size of the buffer while it is empty. The number of items that it holds stays.
  void set_capacity(Bytes capacity) { capacity_ = capacity.count; }
  /// Bytes that a packet of `bytes` occupies in the buffer.
  std::uint64_t footprint(std::uint64_t bytes) const {
    return granule_.quotient(bytes + granule_.value() - 1) * granule_.value();
  }
  bool fits(std::uint64_t bytes) const {
    return count_ < items_.size() && fill.value() + footprint(bytes) <= capacity_;
  }
  /// Take space for `bytes`, which must fit, and give it back. Release the same portions that were
  /// reserved.
  void reserve(std::uint64_t bytes) { fill.add(static_cast<std::int64_t>(footprint(bytes))); }
  void release(std::uint64_t bytes) { fill.add(-static_cast<std::int64_t>(footprint(bytes))); }

  bool empty() const { return count_ == 0; }
  std::uint32_t size() const { return count_; }
  /// Queues an item and returns its place, which is valid until the item is popped.
  std::uint32_t push(Item item) {
    const std::uint32_t place = place_of(count_++);
    items_[place] = std::move(item);
    return place;
  }
  Item& front() { return items_[first_]; }
  const Item& front() const { return items_[first_]; }
  Item& at(std::uint32_t place) { return items_[place]; }
  /// The place of the item that is `behind` places after the front, behind < size(). 0 is the front
  /// itself.
  std::uint32_t place_of(std::uint32_t behind) const {
    const std::uint32_t place = first_ + behind;
    const auto places = static_cast<std::uint32_t>(items_.size());
    return place < places ? place : place - places;
  }
  Item pop() {
    Item item = std::move(items_[first_]);
    drop();
    return item;
  }
  /// Removes the front without returning it.
  void drop() {
    items_[first_] = Item{};
    first_ = place_of(1);
    --count_;
  }
  /// Removes all items and releases all space.
  void clear() {
    while (!empty()) drop();
    fill.set(0);
  }

 private:
  std::uint64_t capacity_;
  Divisor granule_;
  std::vector<Item> items_;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace longhaul
