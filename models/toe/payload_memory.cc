// SPDX-License-Identifier: Apache-2.0
#include "models/toe/payload_memory.h"

#include <algorithm>
#include <cstring>

#include "models/common/zeros.h"

namespace longhaul::toe {

PayloadMemory::PayloadMemory(const ToeParams& params, ContextMemory& contexts)
    : contexts_(contexts),
      page_bytes_(params.pm_page().count),
      clock_hz_(params.clock().hz),
      pm_hz_(params.pm_clock().hz),
      width_(static_cast<std::uint32_t>(params.pm_width().count)),
      access_(params.pm_access()) {
  const std::uint64_t half = params.pm_size().count / 2;
  const auto number = [&](std::uint64_t bytes) {
    const std::uint64_t pages = page_bytes_.quotient(bytes);
    return static_cast<std::uint32_t>(pages - pages % params.pm_page_group());
  };
  most_[0] = number(half - std::min(half, params.pm_reserved().count));
  most_[1] = number(half);
}

PayloadMemory::~PayloadMemory() = default;

std::uint32_t PayloadMemory::page_at(const PayloadStream& stream, std::uint64_t number) const {
  if (number < stream.first_ || number - stream.first_ >= stream.pages_.size())
    return PayloadStream::kNone;
  return stream.pages_[number - stream.first_];
}

std::uint32_t PayloadMemory::lacking(const PayloadStream& stream, std::uint64_t first,
                                     std::uint64_t last) const {
  std::uint32_t count = 0;
  for (std::uint64_t number = first; number <= last; ++number)
    count += page_at(stream, number) == PayloadStream::kNone ? 1 : 0;
  return count;
}

bool PayloadMemory::fits(Half half, const PayloadStream& stream, std::uint64_t begin,
                         std::uint64_t end, std::uint32_t keep) const {
  if (begin == end) return true;
  const std::uint32_t need =
      lacking(stream, page_bytes_.quotient(begin), page_bytes_.quotient(end - 1));
  return need == 0 || (free_pages(half) >= std::uint64_t{need} + keep &&
                       contexts_.free_p_structs() >= std::uint64_t{need} + keep);
}

bool PayloadMemory::reserve(Half half, PayloadStream& stream, std::uint64_t begin,
                            std::uint64_t end, std::uint32_t keep) {
  if (!fits(half, stream, begin, end, keep)) return false;
  if (begin == end) return true;
  const std::uint64_t first = page_bytes_.quotient(begin);
  const std::uint64_t last = page_bytes_.quotient(end - 1);
  if (stream.pages_.empty()) stream.first_ = first;
  for (; stream.first_ > first; --stream.first_) stream.pages_.push_front(PayloadStream::kNone);
  while (stream.first_ + stream.pages_.size() <= last)
    stream.pages_.push_back(PayloadStream::kNone);
  for (std::uint64_t number = first; number <= last; ++number) {
    std::uint32_t& page = stream.pages_[number - stream.first_];
    if (page != PayloadStream::kNone) continue;
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(all_.size()));
      all_.emplace_back();
    }
    page = free_.back();
    free_.pop_back();
    contexts_.take_p_struct();
    used(half).add(1);
  }
  return true;
}

void PayloadMemory::release(Half half, std::uint32_t page) {
  if (page == PayloadStream::kNone) return;
  Page& released = all_[page];
  if (released.bytes != nullptr) {
    spare_.push_back(released.bytes);
    backed_pages.add(-1);
  }
  released = {};
  free_.push_back(page);
  contexts_.give_back_p_struct();
  used(half).add(-1);
}

void PayloadMemory::release_below(Half half, PayloadStream& stream, std::uint64_t offset) {
  const std::uint64_t number = page_bytes_.quotient(offset);
  while (!stream.pages_.empty() && stream.first_ < number) {
    release(half, stream.pages_.pop_front());
    ++stream.first_;
  }
}

void PayloadMemory::release_all(Half half, PayloadStream& stream) {
  while (!stream.pages_.empty()) release(half, stream.pages_.pop_front());
}

std::uint64_t PayloadMemory::available(Half half, const PayloadStream& stream,
                                       std::uint64_t from) const {
  const std::uint64_t number = page_bytes_.quotient(from);
  std::uint64_t pages = free_pages(half);
  for (std::size_t i = 0; i < stream.pages_.size(); ++i) {
    if (stream.first_ + i >= number && stream.pages_[i] != PayloadStream::kNone) ++pages;
  }
  return pages == 0 ? 0 : pages * page_bytes_.value() - page_bytes_.remainder(from);
}

std::uint8_t* PayloadMemory::backing(Page& page) {
  if (page.bytes != nullptr) return page.bytes;
  if (spare_.empty()) {
    owned_.push_back(std::make_unique<std::uint8_t[]>(page_bytes_.value()));
    spare_.push_back(owned_.back().get());
  }
  page.bytes = spare_.back();
  spare_.pop_back();
  backed_pages.add(1);
  if (page.blank) std::memset(page.bytes, 0, page_bytes_.value());
  return page.bytes;
}

/// Calls visit_piece(page, offset in the page, bytes done before, bytes) for each page's part.
template <class Visit>
void PayloadMemory::visit(const PayloadStream& stream, std::uint64_t offset, std::uint32_t length,
                          Visit&& visit_piece) const {
  for (std::uint32_t done = 0; done < length;) {
    const auto at = static_cast<std::uint32_t>(page_bytes_.remainder(offset + done));
    const auto left = static_cast<std::uint32_t>(page_bytes_.value()) - at;
    const std::uint32_t piece = std::min(length - done, left);
    visit_piece(page_at(stream, page_bytes_.quotient(offset + done)), at, done, piece);
    done += piece;
  }
}

void PayloadMemory::write(PayloadStream& stream, std::uint64_t offset, const std::uint8_t* bytes,
                          std::uint32_t stored, std::uint32_t length) {
  if (are_zero(bytes, stored)) stored = 0;  // a buffer's head is stored even if it is zero
  visit(stream, offset, length,
        [&](std::uint32_t number, std::uint32_t at, std::uint32_t done, std::uint32_t piece) {
          Page& page = all_[number];
          const std::uint32_t real = stored > done ? std::min(piece, stored - done) : 0;
          if (real > 0) std::memcpy(backing(page) + at, bytes + done, real);
          if (real == piece) return;
          if (page.bytes != nullptr) {
            std::memset(page.bytes + at + real, 0, piece - real);
          } else {
            page.blank = true;
          }
        });
}

void PayloadMemory::read(const PayloadStream& stream, std::uint64_t offset, std::uint8_t* out,
                         std::uint32_t length) const {
  visit(stream, offset, length,
        [&](std::uint32_t number, std::uint32_t at, std::uint32_t done, std::uint32_t piece) {
          const Page& page = all_[number];
          if (page.bytes != nullptr) {
            std::memcpy(out + done, page.bytes + at, piece);
          } else {
            std::memset(out + done, 0, piece);
          }
        });
}

bool PayloadMemory::is_blank(const PayloadStream& stream, std::uint64_t offset,
                             std::uint32_t length) const {
  bool blank = true;
  visit(stream, offset, length,
        [&](std::uint32_t number, std::uint32_t, std::uint32_t, std::uint32_t) {
          blank = blank && all_[number].bytes == nullptr;
        });
  return blank;
}

std::uint32_t PayloadMemory::clocks(std::uint64_t bytes) const {
  if (bytes == 0) return 0;
  const std::uint64_t own = access_ + (bytes + width_ - 1) / width_;
  return static_cast<std::uint32_t>(pm_hz_.quotient(own * clock_hz_ + pm_hz_.value() - 1));
}

}  // namespace longhaul::toe
