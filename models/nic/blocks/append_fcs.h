// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "models/net/frame/frame.h"
#include "models/nic/blocks/little_endian.h"

namespace longhaul::nic {

/// Appends the FCS to the bytes of a frame, for an adapter that does not strip it. The frame is
/// copied if it has other holders or no room for the FCS.
inline void append_fcs(FrameRef& frame, std::uint32_t fcs) {
  const std::uint32_t size = frame->size();
  if (frame->capacity() < size + Frame::kFcsBytes) {
    FrameRef larger = Frame::allocate(size + Frame::kFcsBytes);
    std::memcpy(larger.writable().data(), frame->data(), size);
    frame = std::move(larger);
  }
  Frame& bytes = frame.writable();
  bytes.resize(size + Frame::kFcsBytes);
  write_le32(bytes.data() + size, fcs);
}

}  // namespace longhaul::nic
