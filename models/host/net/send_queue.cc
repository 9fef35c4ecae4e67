// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/send_queue.h"

#include <algorithm>

namespace longhaul::host {

SendQueue::~SendQueue() {
  held_ = 0;
  for (std::size_t i = 0; i < buffers_.size(); ++i) buffers_[i].held = 0;
  abandon();
}

void SendQueue::start(std::uint32_t payload, bool gather) {
  payload_ = payload;
  const auto linear =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(params_.send_linear().count, payload));
  linear_payload_ = gather ? linear : payload;
}

bool SendQueue::open_buffer() {
  Buffer next{};
  next.offset = end_;
  next.linear_bytes = linear_payload_;
  if (linear_payload_ != 0) {
    next.linear = pool_.allocate(linear_allocation(next));
    if (next.linear == 0) return false;
  }
  next.page = pages_.empty() ? first_page_ : first_page_ + pages_.size() - 1;
  next.page_offset = page_used_;
  if (params_.truesize()) {
    const std::uint64_t linear =
        linear_payload_ == 0 ? 0 : MemoryPool::rounded(linear_allocation(next));
    next.charge = params_.buffer_overhead() + static_cast<std::uint32_t>(linear);
    charged_ += next.charge;
  }
  buffers_.push_back(next);
  return true;
}

SendQueue::Space SendQueue::space(std::uint64_t sent) {
  Space result;
  bool takes_more = false;
  if (buffers_.size() > whole_ - first_) {
    const Buffer& last = buffers_[buffers_.size() - 1];
    takes_more = last.bytes < payload_ && (last.bytes == 0 || last.offset >= sent);
  }
  if (!takes_more) {
    if (!open_buffer()) return result;
    result.opens_buffer = true;
  }
  const Buffer& last = buffers_[buffers_.size() - 1];
  if (last.bytes < last.linear_bytes) {
    result.address = last.linear + kHeadroom + last.bytes;
    result.bytes = last.linear_bytes - last.bytes;
  } else {
    const auto size = static_cast<std::uint32_t>(params_.send_page().count);
    if (pages_.empty() || page_used_ == size) {
      const std::uint64_t address = pool_.allocate(size, 0, MemoryPool::Use::kPage);
      if (address == 0) return result;
      if (pages_.empty() && last.bytes == last.linear_bytes) {
        buffers_[buffers_.size() - 1].page = first_page_;
        buffers_[buffers_.size() - 1].page_offset = 0;
      }
      pages_.push_back({address, end_});
      page_used_ = 0;
      result.opens_page = true;
    }
    result.address = pages_[pages_.size() - 1].address + page_used_;
    result.bytes = std::min(size - page_used_, payload_ - last.bytes);
  }
  result.completes = last.bytes + result.bytes == payload_;
  return result;
}

void SendQueue::append(std::uint32_t bytes) {
  Buffer& last = buffers_[buffers_.size() - 1];
  const bool paged = last.bytes >= last.linear_bytes;
  last.bytes += bytes;
  end_ += bytes;
  if (paged) {
    page_used_ += bytes;
    pages_[pages_.size() - 1].end = end_;
  }
  // Linear memory has been charged in full.
  const std::uint32_t more = params_.truesize() && !paged ? 0 : bytes;
  last.charge += more;
  charged_ += more;
}

std::uint64_t SendQueue::room() const {
  if (charged_ >= limit_) return 0;
  return params_.truesize() ? ~std::uint64_t{0} : limit_ - charged_;
}

bool SendQueue::worth_waking() const {
  const std::uint64_t free = limit_ > charged_ ? limit_ - charged_ : 0;
  const std::uint64_t low = params_.send_low_water().count;
  return low == 0 ? free >= charged_ / 2 && free > 0 : free >= std::min(low, limit_);
}

std::uint64_t SendQueue::find(std::uint64_t offset) {
  const auto within = [&](std::uint64_t number) {
    if (number < first_ || number >= first_ + buffers_.size()) return false;
    const Buffer& b = buffer(number);
    return offset >= b.offset && offset < b.offset + b.bytes;
  };
  if (within(hint_)) return hint_;
  if (within(hint_ + 1)) return hint_ + 1;
  std::uint64_t low = first_;
  std::uint64_t high = first_ + buffers_.size() - 1;
  while (low < high) {  // last buffer that begins at or below the offset
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (buffer(middle).offset <= offset) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

Extent SendQueue::piece(const Buffer& from, std::uint32_t at) const {
  if (at < from.linear_bytes)
    return {from.linear + kHeadroom + at, std::min(from.bytes, from.linear_bytes) - at};
  const auto size = static_cast<std::uint32_t>(params_.send_page().count);
  const std::uint32_t in_pages = from.page_offset + (at - from.linear_bytes);
  const Page& page = pages_[from.page + in_pages / size - first_page_];
  const std::uint32_t within = in_pages % size;
  return {page.address + within, std::min(size - within, from.bytes - at)};
}

bool SendQueue::locate(std::uint64_t offset, std::uint32_t length, std::uint32_t header_bytes,
                       TxPacket& packet, std::uint64_t& header, Hold& hold) {
  std::uint64_t number = find(offset);
  hold.first = number;
  hold.in_place = false;
  header = 0;
  Buffer& head = buffer(number);
  std::uint32_t count = packet.count;
  if (head.offset == offset && head.linear != 0 && !head.header_held) {
    header = head.linear + kHeadroom - header_bytes;
    hold.in_place = true;
  } else {
    ++count;  // the headers' own
  }
  const std::uint32_t begin = count;
  std::uint64_t at = offset;
  std::uint32_t left = length;
  while (left > 0) {
    const Buffer& from = buffer(number);
    Extent part = piece(from, static_cast<std::uint32_t>(at - from.offset));
    part.bytes = std::min(part.bytes, left);
    if (count == TxPacket::kMostExtents) return false;
    packet.extents[count++] = part;
    at += part.bytes;
    left -= part.bytes;
    if (left > 0 && at == from.offset + from.bytes) ++number;
  }
  if (hold.in_place) {
    packet.extents[begin].address -= header_bytes;
    packet.extents[begin].bytes += header_bytes;
    head.header_held = true;
  }
  packet.count = count;
  hold.count = static_cast<std::uint32_t>(number - hold.first) + 1;
  for (std::uint64_t n = hold.first; n <= number; ++n) ++buffer(n).held;
  held_ += hold.count;
  hint_ = number;
  return true;
}

std::uint32_t SendQueue::bytes_in(std::uint64_t offset, std::uint32_t pieces) {
  std::uint64_t number = find(offset);
  std::uint32_t bytes = 0;
  for (; pieces > 0 && number < first_ + buffers_.size(); --pieces) {
    const Buffer& from = buffer(number);
    if (from.bytes == 0) break;
    const std::uint64_t at = offset + bytes;
    bytes += piece(from, static_cast<std::uint32_t>(at - from.offset)).bytes;
    if (offset + bytes == from.offset + from.bytes) ++number;
  }
  return bytes;
}

void SendQueue::released(const Hold& hold) {
  for (std::uint64_t n = hold.first; n < hold.first + hold.count; ++n) --buffer(n).held;
  if (hold.in_place) buffer(hold.first).header_held = false;
  held_ -= hold.count;
  trim();
}

void SendQueue::acknowledged(std::uint64_t bytes) {
  acked_ += bytes;
  if (!params_.truesize()) charged_ -= bytes;
  while (whole_ < first_ + buffers_.size()) {
    const Buffer& b = buffer(whole_);
    if (b.bytes == 0 || b.offset + b.bytes > acked_) break;
    if (params_.truesize()) charged_ -= b.charge;
    ++whole_;
  }
  trim();
}

void SendQueue::trim() {
  while (first_ < whole_ && buffers_.front().held == 0) {
    const Buffer& gone = buffers_.front();
    const std::uint64_t end = gone.offset + gone.bytes;
    if (gone.linear != 0) pool_.free(gone.linear, linear_allocation(gone));
    buffers_.pop_front();
    ++first_;
    // The last page takes more bytes until it is full.
    const auto size = static_cast<std::uint32_t>(params_.send_page().count);
    while (!pages_.empty() && pages_.front().end <= end &&
           (pages_.size() > 1 || page_used_ == size || buffers_.empty())) {
      pool_.free(pages_.front().address, size, MemoryPool::Use::kPage);
      pages_.pop_front();
      ++first_page_;
      if (pages_.empty()) page_used_ = 0;
    }
  }
}

void SendQueue::abandon() {
  acked_ = end_;
  charged_ = 0;
  whole_ = first_ + buffers_.size();
  trim();
  if (buffers_.empty()) {
    while (!pages_.empty()) {
      pool_.free(pages_.front().address, params_.send_page().count, MemoryPool::Use::kPage);
      pages_.pop_front();
      ++first_page_;
    }
    page_used_ = 0;
  }
}

}  // namespace longhaul::host
