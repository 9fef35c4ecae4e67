// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/ring_buffer.h"
#include "models/host/kernel/memory_pool.h"
#include "models/host/net/net_device.h"
#include "models/host/net/net_params.h"

namespace longhaul::host {

/// A socket's send memory: the bytes of the stream from the first one that is not acknowledged.
/// They are in buffers of about a segment (sk_buffs). Each is a piece of linear memory with room
/// for the headers in front, and pages, which neighbouring buffers share.
///
/// A buffer is charged to the socket until it is acknowledged. It keeps its memory until the
/// adapter is done with it, too. Work per packet is O(1); a retransmission finds its place in O(log
/// n). Memory grows with the bytes in flight.
class SendQueue {
 public:
  /// Room before the linear payload: the driver's header (DeviceFeatures::header_room), Ethernet,
  /// IPv6 and TCP headers with all options, aligned to a cache line.
  static constexpr std::uint32_t kHeadroom = 128;

  SendQueue(MemoryPool& pool, const NetParams& params) : pool_(pool), params_(params) {}
  ~SendQueue();
  SendQueue(const SendQueue&) = delete;
  SendQueue& operator=(const SendQueue&) = delete;

  /// New buffers hold `payload` bytes each. Without `gather` all of it is linear.
  void start(std::uint32_t payload, bool gather);
  void set_limit(std::uint64_t bytes) { limit_ = bytes; }

  /// Memory for the next bytes of the stream.
  struct Space {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;    ///< bytes that are contiguous there; 0 if the pool is empty
    bool opens_buffer = false;  ///< a buffer was allocated for it
    bool opens_page = false;    ///< a page was allocated for it
    bool completes = false;     ///< taking all of it fills the buffer
  };
  /// `sent` is the stream offset below which everything has been sent. A buffer that was sent takes
  /// no more bytes.
  Space space(std::uint64_t sent);
  /// `bytes` of that space were filled.
  void append(std::uint32_t bytes);

  /// The bytes that the socket may queue; with truesize, all or none.
  std::uint64_t room() const;
  /// Whether a blocked writer should be woken.
  bool worth_waking() const;

  /// The buffers that a packet refers to.
  struct Hold {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
    bool in_place = false;  ///< its headers are in the headroom of the first one
  };
  /// Appends the extents of [offset, offset + length) to the packet and holds the buffers until
  /// released(). If the header of `header_bytes` fits before the payload, `header` gets its address
  /// there and the header is part of the first extent; otherwise `header` is 0. Returns false, and
  /// holds nothing, if the packet has too few extents.
  bool locate(std::uint64_t offset, std::uint32_t length, std::uint32_t header_bytes,
              TxPacket& packet, std::uint64_t& header, Hold& hold);
  /// The bytes from `offset` on that lie in `pieces` extents.
  std::uint32_t bytes_in(std::uint64_t offset, std::uint32_t pieces);
  void released(const Hold& hold);
  /// For an adapter without gathering: copies the bytes, for real if `bytes_matter`, and calls
  /// `copied(source, target, n)`.
  template <class Copied>
  void gather(std::uint64_t offset, std::uint32_t length, std::uint64_t target, Copied&& copied);

  /// The peer has acknowledged `bytes` more.
  void acknowledged(std::uint64_t bytes);
  /// The connection is over: frees everything that the adapter does not hold.
  void abandon();

  std::uint64_t begin() const { return acked_; }  ///< stream offsets
  std::uint64_t end() const { return end_; }
  std::uint64_t charged() const { return charged_; }
  std::uint64_t limit() const { return limit_; }
  std::uint32_t held() const { return held_; }  ///< references of the adapter
  std::size_t buffers() const { return buffers_.size(); }

 private:
  struct Buffer {
    std::uint64_t offset;        // of the stream
    std::uint64_t linear;        // allocation; 0: none
    std::uint64_t page;          // number of the first page
    std::uint32_t page_offset;   // offset of its payload in that page
    std::uint32_t bytes;         // payload in the buffer
    std::uint32_t linear_bytes;  // most payload in the linear piece
    std::uint32_t charge;
    std::uint32_t held;  // packets that the adapter has
    bool header_held;    // one of these has its headers here
  };
  struct Page {
    std::uint64_t address;
    std::uint64_t end;  // stream offset after the last byte in it
  };

  std::uint32_t linear_allocation(const Buffer& buffer) const {
    return kHeadroom + buffer.linear_bytes;
  }
  Buffer& buffer(std::uint64_t number) { return buffers_[number - first_]; }
  std::uint64_t find(std::uint64_t offset);
  Extent piece(const Buffer& buffer, std::uint32_t at) const;
  bool open_buffer();
  void trim();

  MemoryPool& pool_;
  const NetParams& params_;
  std::uint32_t payload_ = 536;
  std::uint32_t linear_payload_ = 536;
  std::uint64_t limit_ = 0;
  RingBuffer<Buffer> buffers_;
  std::uint64_t first_ = 0;  // number of buffers_.front()
  std::uint64_t whole_ = 0;  // number of the first buffer that is not acknowledged
  std::uint64_t hint_ = 0;   // where the last packet ended
  RingBuffer<Page> pages_;
  std::uint64_t first_page_ = 0;
  std::uint32_t page_used_ = 0;  // of the last page
  std::uint64_t acked_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t charged_ = 0;
  std::uint32_t held_ = 0;
};

template <class Copied>
void SendQueue::gather(std::uint64_t offset, std::uint32_t length, std::uint64_t target,
                       Copied&& copied) {
  std::uint64_t number = find(offset);
  while (length > 0) {
    const Buffer& from = buffer(number);
    const Extent part = piece(from, static_cast<std::uint32_t>(offset - from.offset));
    const std::uint32_t n = part.bytes < length ? part.bytes : length;
    copied(part.address, target, n);
    offset += n;
    target += n;
    length -= n;
    if (offset == from.offset + from.bytes) ++number;
  }
}

}  // namespace longhaul::host
