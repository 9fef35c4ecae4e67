// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/ring_buffer.h"
#include "platform/observe/wave_scope.h"

namespace longhaul::observe {

/// Changes of bits in order of time, thousands in each microsecond, as a simulator of registers and
/// gates reports them.
///
/// A change that is held back until no earlier one can come takes 24 bytes and no place in a heap.
/// WaveFile::add_stream() makes a stream; its variables may be in any scope.
class WaveStream {
 public:
  explicit WaveStream(WaveFile& file) : file_(file) {}
  WaveStream(const WaveStream&) = delete;
  WaveStream& operator=(const WaveStream&) = delete;

  /// Like Wave::set_at(), at a time not earlier than that of the call before. It may be in the
  /// future.
  void set_at(std::uint64_t ps, const Wave& wave, std::uint64_t value);

 private:
  friend class WaveFile;
  struct Change {
    std::uint64_t ps = 0;
    std::uint64_t value = 0;
    std::uint32_t var = 0;
  };
  WaveFile& file_;
  RingBuffer<Change> changes_;
};

}  // namespace longhaul::observe
