// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "models/common/copy_bytes.h"
#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/frame.h"

namespace longhaul::cosim {

/// A frame as its bytes on the wire: preamble, delimiter, frame, FCS.
class WireBytes {
 public:
  explicit WireBytes(const FrameRef& frame)
      : frame_(frame), data_(frame->data()), data_size_(frame->size()) {
    const std::uint32_t fcs = frame->fcs();
    for (std::uint32_t i = 0; i < fcs_.size(); ++i)
      fcs_[i] = static_cast<std::uint8_t>(fcs >> (8 * i));
  }
  WireBytes() = default;

  std::uint32_t size() const { return ethernet::kPreambleBytes + data_size_ + Frame::kFcsBytes; }
  std::uint8_t operator[](std::uint32_t at) const {
    const std::uint32_t data_at = at - ethernet::kPreambleBytes;  // wraps in the preamble
    if (data_at < data_size_) return data_[data_at];
    if (at >= ethernet::kPreambleBytes) return fcs_[data_at - data_size_];
    return at + 1 == ethernet::kPreambleBytes ? ethernet::kDelimiter : ethernet::kPreamble;
  }
  /// Bytes [at, at + count), at most eight, the first one lowest.
  std::uint64_t word(std::uint32_t at, std::uint32_t count) const {
    std::uint64_t word = 0;
    const std::uint32_t data_at = at - ethernet::kPreambleBytes;
    if (at >= ethernet::kPreambleBytes && data_at + count <= data_size_) {
      std::uint8_t bytes[sizeof word] = {};
      copy_bytes(bytes, data_ + data_at, count);
      std::memcpy(&word, bytes, sizeof word);
    } else {
      for (std::uint32_t i = 0; i < count; ++i) word |= std::uint64_t{(*this)[at + i]} << 8 * i;
    }
    return word;
  }

 private:
  FrameRef frame_;  // keeps the data
  const std::uint8_t* data_ = nullptr;
  std::uint32_t data_size_ = 0;
  std::array<std::uint8_t, Frame::kFcsBytes> fcs_{};
};

/// Makes a frame from the bytes after a delimiter, FCS included.
class WireFrame {
 public:
  void clear() {
    size_ = 0;
    errored_ = false;
  }
  void add(std::uint8_t byte) {
    if (size_ < bytes_.size()) {
      bytes_[size_++] = byte;
    } else {
      errored_ = true;  // longer than any legal frame
    }
  }
  void add(const std::uint8_t* bytes, std::uint32_t count) {
    if (size_ + count > bytes_.size()) {
      errored_ = true;
      count = static_cast<std::uint32_t>(bytes_.size()) - size_;
    }
    copy_bytes(bytes_.data() + size_, bytes, count);
    size_ += count;
  }
  /// A symbol of the frame was an error, so it gets a wrong FCS.
  void spoil() { errored_ = true; }
  std::uint32_t size() const { return size_; }

  /// The frame with the FCS that came; empty if there are no bytes except an FCS.
  FrameRef with_fcs() const {
    if (size_ <= Frame::kFcsBytes) return {};
    FrameRef frame = copy(size_ - Frame::kFcsBytes);
    std::uint32_t fcs = 0;
    for (std::uint32_t i = 0; i < Frame::kFcsBytes; ++i)
      fcs |= std::uint32_t{bytes_[size_ - Frame::kFcsBytes + i]} << (8 * i);
    frame.writable().set_fcs(fcs);
    return spoilt(std::move(frame));
  }
  /// The frame if all bytes belong to it: padded as a MAC does, with the right FCS. Empty if there
  /// are no bytes.
  FrameRef without_fcs() const {
    if (size_ == 0) return {};
    FrameRef frame = copy(size_ < Frame::kMaxBytes ? size_ : Frame::kMaxBytes);
    frame.writable().pad_to_minimum();
    return spoilt(std::move(frame));
  }

 private:
  FrameRef copy(std::uint32_t size) const {
    FrameRef frame = Frame::allocate(size);
    std::memcpy(frame.writable().data(), bytes_.data(), size);
    return frame;
  }
  FrameRef spoilt(FrameRef frame) const {
    if (errored_ && frame->fcs_matches()) frame.writable().set_fcs(~frame->fcs());
    return frame;
  }

  std::array<std::uint8_t, Frame::kMaxBytes + Frame::kFcsBytes> bytes_{};
  std::uint32_t size_ = 0;
  bool errored_ = false;
};

}  // namespace longhaul::cosim
