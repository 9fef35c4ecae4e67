// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "models/common/copy_bytes.h"
#include "models/common/low_bits.h"

namespace longhaul::cosim {

/// Bits [lsb, lsb + width) of a port of any width. All of Verilator's types (CData, SData, IData,
/// QData and VlWide) are contiguous little-endian bytes whose unused top bits are zero.
///
/// An unconnected pin reads as the value that it was made with, and ignores set().
class Pin {
 public:
  /// Unconnected; reads as zero.
  Pin() = default;
  /// `storage` is that of the whole port.
  Pin(void* storage, std::uint32_t lsb, std::uint32_t width)
      : storage_(static_cast<std::uint8_t*>(storage)), lsb_(lsb), width_(width) {
    const std::uint32_t first = lsb / 8;
    const std::uint32_t last = (lsb + width - 1) / 8;
    std::uint32_t from = first;
    if (first == last) {
      access_ = 1;
    } else if (first + 1 == last) {
      access_ = 2;
    } else {
      from = first / 4 * 4;  // whole words of 32 bits exist from three bytes on
      access_ = last / 4 == first / 4 ? 4 : last / 4 == first / 4 + 1 ? 8 : kPieces;
    }
    at_ = storage_ + from;
    shift_ = static_cast<std::uint8_t>(lsb - 8 * from);
    value_ = low_bits(width);
  }
  /// Unconnected; reads as `value`.
  static Pin fixed(std::uint64_t value, std::uint32_t width = 64) {
    Pin pin;
    pin.value_ = value;
    pin.width_ = width;
    pin.at_ = &g_fixed_bits[value & 1U];
    return pin;
  }

  explicit operator bool() const { return storage_ != nullptr; }
  std::uint32_t width() const { return width_; }
  std::uint32_t bytes() const { return (width_ + 7) / 8; }
  /// Bits [lsb, lsb + width) of this pin; bits of the fixed value if it is unconnected.
  Pin bits(std::uint32_t lsb, std::uint32_t width) const {
    if (storage_ == nullptr) return fixed(lsb < 64 ? value_ >> lsb : 0, width);
    return {storage_, lsb_ + lsb, width};
  }

  /// The lowest 64 bits.
  std::uint64_t get() const {
    if (access_ == 1) return *at_ >> shift_ & value_;
    return get_wide();
  }
  /// Sets the value. Bits beyond the pin's width are dropped. In a pin of more than 64 bits the
  /// upper bits become zero.
  void set(std::uint64_t value) {
    if (access_ == 1) {
      write<std::uint8_t>(value);
    } else if (access_ != 0) {
      set_wide(value);
    }
  }
  /// The byte with the bit of a connected pin of one bit.
  const std::uint8_t* byte() const { return at_; }
  std::uint8_t byte_mask() const { return static_cast<std::uint8_t>(1U << shift_); }
  std::uint32_t byte_shift() const { return shift_; }
  /// The level of a pin of one bit.
  bool high() const { return (*at_ >> shift_ & 1U) != 0; }

  /// Copies bytes [first, first + count) of the pin's value.
  void load(std::uint8_t* to, std::uint32_t first, std::uint32_t count) const {
    if (storage_ == nullptr) {
      for (std::uint32_t i = 0; i < count; ++i)
        to[i] = first + i < 8 ? static_cast<std::uint8_t>(value_ >> 8 * (first + i)) : 0;
      return;
    }
    if (lsb_ % 8 == 0 && 8 * (first + count) <= width_) {
      copy_bytes(to, storage_ + lsb_ / 8 + first, count);
      return;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t at = 8 * (first + i);
      to[i] = at < width_
                  ? static_cast<std::uint8_t>(get_pieces(lsb_ + at, std::min(8U, width_ - at)))
                  : 0;
    }
  }
  /// Copies all bytes().
  void load(std::uint8_t* to) const { load(to, 0, bytes()); }
  /// Sets bytes [first, first + count) of the pin's value.
  void store(const std::uint8_t* from, std::uint32_t first, std::uint32_t count) {
    if (storage_ == nullptr) return;
    if (lsb_ % 8 == 0 && 8 * (first + count) <= width_) {
      copy_bytes(storage_ + lsb_ / 8 + first, from, count);
      return;
    }
    for (std::uint32_t i = 0; i < count && 8 * (first + i) < width_; ++i) {
      const std::uint32_t at = 8 * (first + i);
      set_pieces(lsb_ + at, std::min(8U, width_ - at), from[i]);
    }
  }
  void store(const std::uint8_t* from) { store(from, 0, bytes()); }

 private:
  static constexpr std::uint8_t kPieces = 255;  // spans more than two words of 32 bits

  template <class Word>
  Word read() const {
    Word word;
    std::memcpy(&word, at_, sizeof word);
    return word;
  }
  template <class Word>
  void write(std::uint64_t value) {
    const std::uint64_t word = (read<Word>() & ~(value_ << shift_)) | (value & value_) << shift_;
    const auto kept = static_cast<Word>(word);
    std::memcpy(at_, &kept, sizeof kept);
  }
  std::uint64_t get_wide() const {
    switch (access_) {
      case 0: return value_;
      case 2: return read<std::uint16_t>() >> shift_ & value_;
      case 4: return read<std::uint32_t>() >> shift_ & value_;
      case 8: return read<std::uint64_t>() >> shift_ & value_;
      default: return get_pieces(lsb_, std::min(width_, 64U));
    }
  }
  void set_wide(std::uint64_t value) {
    switch (access_) {
      case 2: return write<std::uint16_t>(value);
      case 4: return write<std::uint32_t>(value);
      case 8: return write<std::uint64_t>(value);
      default:
        for (std::uint32_t at = 0; at < width_; at += 64, value = 0)
          set_pieces(lsb_ + at, std::min(width_ - at, 64U), value);
    }
  }
  std::uint64_t get_pieces(std::uint32_t lsb, std::uint32_t width) const {
    std::uint64_t value = 0;
    for (std::uint32_t done = 0; done < width;) {
      const std::uint32_t shift = (lsb + done) % 8;
      const std::uint32_t count = std::min(8 - shift, width - done);
      const std::uint64_t piece = storage_[(lsb + done) / 8] >> shift & ((1U << count) - 1);
      value |= piece << done;
      done += count;
    }
    return value;
  }
  void set_pieces(std::uint32_t lsb, std::uint32_t width, std::uint64_t value) {
    for (std::uint32_t done = 0; done < width;) {
      const std::uint32_t shift = (lsb + done) % 8;
      const std::uint32_t count = std::min(8 - shift, width - done);
      const std::uint32_t mask = ((1U << count) - 1) << shift;
      std::uint8_t& byte = storage_[(lsb + done) / 8];
      byte = static_cast<std::uint8_t>((byte & ~mask) |
                                       (static_cast<std::uint32_t>(value >> done) << shift & mask));
      done += count;
    }
  }

  inline static std::uint8_t g_fixed_bits[2] = {0, 1};  // never written

  std::uint8_t* at_ = g_fixed_bits;  // address of the fast accesses; of high() if unconnected
  std::uint8_t* storage_ = nullptr;  // nullptr: unconnected
  std::uint64_t value_ = 0;          // the value if unconnected; else the mask of its bits
  std::uint32_t lsb_ = 0;
  std::uint32_t width_ = 1;
  std::uint8_t access_ = 0;  // bytes of a fast access
  std::uint8_t shift_ = 0;
};

}  // namespace longhaul::cosim
