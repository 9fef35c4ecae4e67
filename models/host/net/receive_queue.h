// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/host/kernel/memory_pool.h"
#include "models/host/net/net_device.h"

namespace longhaul::host {

/// Buffers of received payload, for all sockets of a stack. Entries are reused, so a packet does
/// not touch the heap.
class ReceiveBuffers {
 public:
  static constexpr std::uint32_t kNone = ~0U;
  struct Entry {
    std::uint64_t offset;   ///< of the stream
    std::uint64_t address;  ///< physical address of that byte
    std::uint64_t memory;   ///< the allocation
    std::uint32_t memory_bytes;
    std::uint32_t bytes;
    std::uint32_t charge;
    std::uint32_t next;
    std::uint32_t previous;
    bool sum_due;  ///< the copy to the program sums the bytes
  };

  explicit ReceiveBuffers(MemoryPool& pool) : pool_(pool) {}
  std::uint32_t take(const Entry& entry);
  /// Frees the entry and its memory.
  void free(std::uint32_t index);
  Entry& operator[](std::uint32_t index) { return entries_[index]; }
  const Entry& operator[](std::uint32_t index) const { return entries_[index]; }
  MemoryPool& pool() { return pool_; }
  std::size_t heap_bytes() const { return entries_.capacity() * sizeof(Entry); }

 private:
  MemoryPool& pool_;
  std::vector<Entry> entries_;
  std::uint32_t free_ = kNone;
};

/// A socket's received bytes, in the buffers in which they came: those in order, and those behind a
/// hole.
///
/// Appending, filling the first hole and reading are O(1) per buffer. An out-of-order buffer is
/// inserted from the back.
class ReceiveQueue {
 public:
  /// `by_bytes` counts the bytes in the buffers instead of the buffers.
  ReceiveQueue(ReceiveBuffers& buffers, bool by_bytes) : buffers_(buffers), by_bytes_(by_bytes) {}
  ~ReceiveQueue() { clear(); }
  ReceiveQueue(const ReceiveQueue&) = delete;
  ReceiveQueue& operator=(const ReceiveQueue&) = delete;

  /// Takes [offset, offset + bytes) of the stream, which is at `address` in the packet's memory.
  /// Bytes that are already here are left out, and memory that is not needed is freed. `charge` is
  /// the buffer's count against the socket's limit. With `sum_due`, the copy to the program sums.
  void insert(const RxPacket& packet, std::uint64_t offset, std::uint64_t address,
              std::uint32_t bytes, std::uint32_t charge, bool sum_due = false);
  /// The stream offset after all that would be in order if [offset, offset + bytes) came now.
  std::uint64_t end_with(std::uint64_t offset, std::uint32_t bytes) const;

  /// The first bytes to be read. There are none if `bytes` is 0.
  Extent front() const;
  /// Whether the copy of front() sums the bytes, too.
  bool sum_due() const { return buffers_[ready_.head].sum_due; }
  std::uint64_t read_offset() const { return read_; }
  /// These bytes have been copied. An empty buffer is freed.
  void consume(std::uint32_t bytes);

  std::uint64_t end() const { return end_; }          ///< stream offset after the bytes in order
  std::uint64_t waiting() const { return waiting_; }  ///< bytes behind holes
  std::uint64_t charged() const { return by_bytes_ ? end_ - read_ + waiting_ : charged_; }
  void clear();

  /// Copies the contents of buffers for which `wasteful(charge, bytes)` is true into new ones of
  /// `memory` bytes, which hold `most` bytes each and count `charge`. Calls `copied(source, target,
  /// n)`, and `made()` for each new buffer. Stops if the pool is empty.
  template <class Wasteful, class Copied, class Made>
  void collapse(std::uint32_t memory, std::uint32_t most, std::uint32_t charge, Wasteful&& wasteful,
                Copied&& copied, Made&& made) {
    for (List* const list : {&ready_, &late_}) {
      std::uint32_t target = kNone;  // the new buffer that is being filled
      for (std::uint32_t i = list->head; i != kNone;) {
        const std::uint32_t next = buffers_[i].next;
        const Entry from = buffers_[i];
        if (!wasteful(from.charge, from.bytes)) {
          target = kNone;
          i = next;
          continue;
        }
        if (target != kNone && buffers_[target].offset + buffers_[target].bytes != from.offset)
          target = kNone;
        for (std::uint32_t done = 0; done < from.bytes;) {
          if (target == kNone || buffers_[target].bytes == most) {
            target = open_before(*list, i, from.offset + done, memory, charge);
            if (target == kNone) return trim_front(*list, i, done);
            made();
          }
          Entry& to = buffers_[target];
          const std::uint32_t n =
              from.bytes - done < most - to.bytes ? from.bytes - done : most - to.bytes;
          copied(from.address + done, to.address + to.bytes, n);
          to.bytes += n;
          done += n;
        }
        drop(*list, i);
        i = next;
      }
    }
  }

 private:
  using Entry = ReceiveBuffers::Entry;
  static constexpr std::uint32_t kNone = ReceiveBuffers::kNone;
  struct List {
    std::uint32_t head = kNone;
    std::uint32_t tail = kNone;
  };
  void link_after(List& list, std::uint32_t previous, std::uint32_t index);
  void unlink(List& list, std::uint32_t index);
  void drop(List& list, std::uint32_t index);
  void put_waiting(Entry entry);
  void absorb();
  std::uint32_t open_before(List& list, std::uint32_t index, std::uint64_t offset,
                            std::uint32_t memory, std::uint32_t charge);
  void trim_front(List& list, std::uint32_t index, std::uint32_t bytes);

  ReceiveBuffers& buffers_;
  const bool by_bytes_;
  List ready_;
  List late_;
  std::uint64_t read_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t waiting_ = 0;
  std::uint64_t charged_ = 0;  // buffers
};

}  // namespace longhaul::host
