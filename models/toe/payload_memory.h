// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/common/divisor.h"
#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/toe/context_memory.h"
#include "models/toe/params.h"

namespace longhaul::toe {

/// The pages that hold one direction of a connection. Made and used by PayloadMemory.
class PayloadStream {
 public:
  bool empty() const { return pages_.empty(); }

 private:
  friend class PayloadMemory;
  static constexpr std::uint32_t kNone = ~0U;
  std::uint64_t first_ = 0;          // number of the first page in the stream
  RingBuffer<std::uint32_t> pages_;  // kNone: not stored, as nothing of it came
};

/// Payload memory (PM): the bytes that wait for an ACK or for the host, in pages. One half is for
/// transmit and one for receive; a page belongs to one direction of one connection.
///
/// Bytes are real. The host's memory is taken when something other than zeros is written, and used
/// again when the page is free.
class PayloadMemory {
 public:
  enum class Half : std::uint8_t { kTransmit, kReceive };

  PayloadMemory(const ToeParams& params, ContextMemory& contexts);
  ~PayloadMemory();
  PayloadMemory(const PayloadMemory&) = delete;
  PayloadMemory& operator=(const PayloadMemory&) = delete;

  /// Whether there are pages for [begin, end) of a stream, or it has them. `keep` pages stay free.
  /// Each page needs a structure that describes it, too.
  bool fits(Half half, const PayloadStream& stream, std::uint64_t begin, std::uint64_t end,
            std::uint32_t keep = 0) const;
  /// Takes these pages. Returns false, and takes none, if they do not fit.
  bool reserve(Half half, PayloadStream& stream, std::uint64_t begin, std::uint64_t end,
               std::uint32_t keep = 0);
  /// Writes bytes whose pages are reserved: `stored` from `bytes`, zeros up to `length`.
  void write(PayloadStream& stream, std::uint64_t offset, const std::uint8_t* bytes,
             std::uint32_t stored, std::uint32_t length);
  /// Reads bytes that were written.
  void read(const PayloadStream& stream, std::uint64_t offset, std::uint8_t* out,
            std::uint32_t length) const;
  /// Whether only zeros were written to the pages of a range.
  bool is_blank(const PayloadStream& stream, std::uint64_t offset, std::uint32_t length) const;
  /// Frees the pages that lie below `offset`.
  void release_below(Half half, PayloadStream& stream, std::uint64_t offset);
  /// Frees all pages of a stream.
  void release_all(Half half, PayloadStream& stream);
  /// Bytes of the stream that there is room for from `from` on.
  std::uint64_t available(Half half, const PayloadStream& stream, std::uint64_t from) const;

  /// Clocks of the engine for moving `bytes`, which are one access.
  std::uint32_t clocks(std::uint64_t bytes) const;
  std::uint32_t pages(Half half) const { return most_[static_cast<std::size_t>(half)]; }

  observe::Level tx_pages{"pm_tx_pages", "1", "pages of the transmit half in use"};
  observe::Level rx_pages{"pm_rx_pages", "1", "pages of the receive half in use"};
  observe::Level backed_pages{"pm_backed_pages", "1",
                              "pages whose bytes are stored by the simulator"};

 private:
  struct Page {
    std::uint8_t* bytes = nullptr;
    bool blank = false;  // zeros were written, and are not stored
  };
  observe::Level& used(Half half) { return half == Half::kTransmit ? tx_pages : rx_pages; }
  const observe::Level& used(Half half) const {
    return half == Half::kTransmit ? tx_pages : rx_pages;
  }
  std::uint64_t free_pages(Half half) const { return pages(half) - used(half).value(); }
  std::uint32_t lacking(const PayloadStream& stream, std::uint64_t first, std::uint64_t last) const;
  std::uint32_t page_at(const PayloadStream& stream, std::uint64_t number) const;
  void release(Half half, std::uint32_t page);
  std::uint8_t* backing(Page& page);
  template <class Visit>
  void visit(const PayloadStream& stream, std::uint64_t offset, std::uint32_t length,
             Visit&& visit_piece) const;

  ContextMemory& contexts_;
  const Divisor page_bytes_;
  const std::uint64_t clock_hz_;
  const Divisor pm_hz_;
  const std::uint32_t width_;
  const std::uint32_t access_;
  std::array<std::uint32_t, 2> most_{};
  std::vector<Page> all_;
  std::vector<std::uint32_t> free_;
  std::vector<std::unique_ptr<std::uint8_t[]>> owned_;
  std::vector<std::uint8_t*> spare_;
};

}  // namespace longhaul::toe
