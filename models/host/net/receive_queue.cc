// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/receive_queue.h"

#include <algorithm>

namespace longhaul::host {

std::uint32_t ReceiveBuffers::take(const Entry& entry) {
  if (free_ == kNone) {
    entries_.push_back(entry);
    return static_cast<std::uint32_t>(entries_.size() - 1);
  }
  const std::uint32_t index = free_;
  free_ = entries_[index].next;
  entries_[index] = entry;
  return index;
}

void ReceiveBuffers::free(std::uint32_t index) {
  pool_.free(entries_[index].memory, entries_[index].memory_bytes);
  entries_[index].next = free_;
  free_ = index;
}

void ReceiveQueue::link_after(List& list, std::uint32_t previous, std::uint32_t index) {
  Entry& entry = buffers_[index];
  entry.previous = previous;
  entry.next = previous == kNone ? list.head : buffers_[previous].next;
  (previous == kNone ? list.head : buffers_[previous].next) = index;
  (entry.next == kNone ? list.tail : buffers_[entry.next].previous) = index;
}

void ReceiveQueue::unlink(List& list, std::uint32_t index) {
  const Entry& entry = buffers_[index];
  (entry.previous == kNone ? list.head : buffers_[entry.previous].next) = entry.next;
  (entry.next == kNone ? list.tail : buffers_[entry.next].previous) = entry.previous;
}

void ReceiveQueue::drop(List& list, std::uint32_t index) {
  unlink(list, index);
  charged_ -= buffers_[index].charge;
  buffers_.free(index);
}

void ReceiveQueue::insert(const RxPacket& packet, std::uint64_t offset, std::uint64_t address,
                          std::uint32_t bytes, std::uint32_t charge, bool sum_due) {
  Entry entry{offset, address, packet.buffer, packet.buffer_bytes, bytes, charge,
              kNone,  kNone,   sum_due};
  if (entry.offset < end_) {
    const std::uint64_t known = std::min<std::uint64_t>(end_ - entry.offset, entry.bytes);
    entry.offset += known;
    entry.address += known;
    entry.bytes -= static_cast<std::uint32_t>(known);
  }
  if (entry.bytes == 0) {
    buffers_.pool().free(entry.memory, entry.memory_bytes);
    return;
  }
  if (entry.offset > end_) return put_waiting(entry);
  charged_ += entry.charge;
  end_ += entry.bytes;
  link_after(ready_, ready_.tail, buffers_.take(entry));
  if (late_.head != kNone) absorb();
}

void ReceiveQueue::absorb() {
  while (late_.head != kNone && buffers_[late_.head].offset <= end_) {
    const std::uint32_t index = late_.head;
    Entry& entry = buffers_[index];
    waiting_ -= entry.bytes;
    const std::uint64_t known = end_ - entry.offset;
    if (known >= entry.bytes) {
      drop(late_, index);
      continue;
    }
    entry.offset += known;
    entry.address += known;
    entry.bytes -= static_cast<std::uint32_t>(known);
    end_ += entry.bytes;
    unlink(late_, index);
    link_after(ready_, ready_.tail, index);
  }
}

void ReceiveQueue::put_waiting(Entry entry) {
  std::uint32_t before = late_.tail;  // last buffer that begins at or below the entry
  while (before != kNone && buffers_[before].offset > entry.offset)
    before = buffers_[before].previous;
  if (before != kNone) {
    const std::uint64_t end = buffers_[before].offset + buffers_[before].bytes;
    const std::uint64_t known =
        end > entry.offset ? std::min<std::uint64_t>(end - entry.offset, entry.bytes) : 0;
    entry.offset += known;
    entry.address += known;
    entry.bytes -= static_cast<std::uint32_t>(known);
  }
  std::uint32_t after = before == kNone ? late_.head : buffers_[before].next;
  const std::uint64_t end = entry.offset + entry.bytes;
  while (entry.bytes != 0 && after != kNone &&
         buffers_[after].offset + buffers_[after].bytes <= end) {
    const std::uint32_t covered = after;
    after = buffers_[after].next;
    waiting_ -= buffers_[covered].bytes;
    drop(late_, covered);
  }
  if (after != kNone && entry.bytes != 0 && buffers_[after].offset < end) {
    entry.bytes = static_cast<std::uint32_t>(buffers_[after].offset - entry.offset);
  }
  if (entry.bytes == 0) {
    buffers_.pool().free(entry.memory, entry.memory_bytes);
    return;
  }
  charged_ += entry.charge;
  waiting_ += entry.bytes;
  link_after(late_, before, buffers_.take(entry));
}

std::uint32_t ReceiveQueue::open_before(List& list, std::uint32_t index, std::uint64_t offset,
                                        std::uint32_t memory, std::uint32_t charge) {
  const std::uint64_t address = buffers_.pool().allocate(memory);
  if (address == 0) return kNone;
  const std::uint32_t made =
      buffers_.take({offset, address, address, memory, 0, charge, kNone, kNone, false});
  charged_ += charge;
  link_after(list, buffers_[index].previous, made);
  return made;
}

/// Removes the first `bytes` of a buffer, which other buffers hold.
void ReceiveQueue::trim_front(List& list, std::uint32_t index, std::uint32_t bytes) {
  Entry& entry = buffers_[index];
  entry.offset += bytes;
  entry.address += bytes;
  entry.bytes -= bytes;
  if (entry.bytes == 0) drop(list, index);
}

std::uint64_t ReceiveQueue::end_with(std::uint64_t offset, std::uint32_t bytes) const {
  if (offset > end_) return end_;
  std::uint64_t end = std::max(end_, offset + bytes);
  for (std::uint32_t i = late_.head; i != kNone && buffers_[i].offset <= end;
       i = buffers_[i].next) {
    end = std::max(end, buffers_[i].offset + buffers_[i].bytes);
  }
  return end;
}

Extent ReceiveQueue::front() const {
  if (ready_.head == kNone) return {};
  const Entry& entry = buffers_[ready_.head];
  return {entry.address, entry.bytes};
}

void ReceiveQueue::consume(std::uint32_t bytes) {
  Entry& entry = buffers_[ready_.head];
  read_ += bytes;
  entry.offset += bytes;
  entry.address += bytes;
  entry.bytes -= bytes;
  if (entry.bytes == 0) drop(ready_, ready_.head);
}

void ReceiveQueue::clear() {
  while (ready_.head != kNone) drop(ready_, ready_.head);
  while (late_.head != kNone) drop(late_, late_.head);
  read_ = end_;
  waiting_ = 0;
}

}  // namespace longhaul::host
