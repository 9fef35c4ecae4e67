// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/rx_ring.h"

#include <cstring>

#include "models/host/drivers/frame_copy.h"
#include "models/net/frame/ethernet_header.h"
#include "models/nic/intel/descriptors.h"

namespace longhaul::host {
namespace {

namespace rx_status = nic::intel::rx_status;
namespace rx_error = nic::intel::rx_error;

/// Errors of the frame itself. The stack judges a wrong checksum inside the frame.
constexpr std::uint8_t kDamaged = static_cast<std::uint8_t>(~(rx_error::kTcpe | rx_error::kIpe));

bool verified(std::uint8_t status, std::uint8_t errors) {
  return (status & rx_status::kIxsm) == 0 && (status & rx_status::kTcpcs) != 0 &&
         (errors & (rx_error::kTcpe | rx_error::kIpe)) == 0;
}

}  // namespace

RxRing::RxRing(MemoryPool& memory, std::uint32_t entries)
    : memory_(memory), entries_(entries), buffers_(entries) {}

bool RxRing::open(const RxFormat& format) {
  format_ = format;
  address_ = memory_.allocate(bytes(), format.node);
  if (address_ == 0) return false;
  ring_ = memory_.to_write(address_, bytes());
  std::memset(ring_, 0, bytes());
  next_to_use_ = next_to_clean_ = given_ = tail_ = 0;
  in_pieces_ = false;
  return true;
}

void RxRing::close() {
  if (address_ == 0) return;
  for (std::uint64_t& buffer : buffers_) {
    if (buffer != 0) memory_.free(buffer, allocation());
    buffer = 0;
  }
  memory_.free(address_, bytes());
  address_ = 0;
  ring_ = nullptr;
  given_ = 0;
}

RxRing::Taken RxRing::take(RxPacket& packet, Processor& cpu) {
  if (given_ == 0) return Taken::kNothing;
  const std::uint32_t index = next_to_clean_;
  std::uint8_t* const descriptor = slot(index);
  const std::uint8_t status = descriptor[12];
  if ((status & rx_status::kDd) == 0) return Taken::kNothing;
  descriptor[12] = 0;
  cpu.touch_read(address_ + std::uint64_t{index} * kDescriptorBytes, kDescriptorBytes);
  next_to_clean_ = next(index);
  --given_;

  const bool ends = (status & rx_status::kEop) != 0;
  const bool piece = in_pieces_ || !ends;
  in_pieces_ = !ends;
  const std::uint32_t length = nic::read_le16(descriptor + 8);
  const std::uint8_t errors = descriptor[13];
  const bool fits =
      length >= ethernet::kHeaderBytes + format_.fcs_bytes && length <= format_.buffer_bytes;
  if (piece || !fits || (errors & kDamaged) != 0)
    return Taken::kRefused;  // the next frame gets its buffer

  const std::uint64_t buffer = buffers_[index];
  packet.bytes = length - format_.fcs_bytes;
  packet.checksum_good = verified(status, errors);
  cpu.touch_read(buffer + format_.headroom, ethernet::kHeaderBytes);
  if (packet.bytes < format_.copybreak &&
      copy_frame(buffer + format_.headroom, packet.bytes, format_.headroom, format_.node, memory_,
                 cpu, packet))
    return Taken::kFrame;
  buffers_[index] = 0;
  packet.buffer = buffer;
  packet.buffer_bytes = allocation();
  packet.address = buffer + format_.headroom;
  return Taken::kFrame;
}

RxRing::Refilled RxRing::refill() {
  Refilled done;
  while (given_ < entries_ - format_.spare) {
    std::uint64_t& buffer = buffers_[next_to_use_];
    if (buffer == 0) {
      buffer = memory_.allocate(allocation(), format_.node);
      if (buffer == 0) {
        done.failed = true;
        break;
      }
      ++done.buffers;
    }
    std::uint8_t* const descriptor = slot(next_to_use_);
    const std::uint64_t place = buffer + format_.headroom;
    std::memset(descriptor + 8, 0, 8);
    for (std::uint32_t i = 0; i < 8; ++i)
      descriptor[i] = static_cast<std::uint8_t>(place >> (8 * i));
    ++done.descriptors;
    ++given_;
    const std::uint32_t filled = next_to_use_;
    next_to_use_ = next(filled);
    if (format_.tail_every == 0) {
      tail_ = filled;
    } else if (filled % format_.tail_every == 0) {
      tail_ = filled;
      done.tell = true;
      return done;
    }
  }
  done.tell = format_.tail_every == 0 && done.descriptors != 0;
  return done;
}

}  // namespace longhaul::host
