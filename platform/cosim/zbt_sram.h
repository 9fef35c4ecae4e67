// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "platform/cosim/pin.h"
#include "platform/cosim/transactor.h"

namespace longhaul::cosim {

/// Pins of a ZBT SRAM, as the block that uses it names them; data up to 63 bits.
struct ZbtSramPins {
  Pin address;
  Pin read;
  Pin write;
  Pin write_data;
  Pin read_data;
};

/// A pipelined ZBT SRAM: an address is taken in one clock, its data two clocks later, either way;
/// read data shows after that edge.
///
/// Places never written read as noise. Backed by memory that the host gives page by page: what is
/// not used costs nothing.
class ZbtSram final : public Transactor {
 public:
  ZbtSram(ZbtSramPins pins, std::uint32_t address_bits);

  void clocked(std::uint64_t edge_ps) override {
    const bool read = pins_.read.high();
    const bool write = pins_.write.high();
    if (!(read || write || working_)) return;
    step(read, write);
  }
  /// A stored word; noise where nothing was written.
  std::uint64_t word(std::uint32_t address) const {
    const std::uint64_t stored = words_[address];
    return (stored & kWritten) != 0 ? stored & ~kWritten : kNoise;
  }

  static constexpr std::uint64_t kNoise = 0x5'a5a5'a5a5;

 private:
  static constexpr std::uint64_t kWritten = std::uint64_t{1} << 63U;
  struct Command {
    std::uint32_t address = 0;
    bool read = false;
    bool write = false;
  };
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  void step(bool read, bool write);

  ZbtSramPins pins_;
  std::unique_ptr<std::uint64_t[], Free> words_;
  std::array<Command, 3> pipe_{};  // taken at this edge's successor, and one and two clocks before
  std::uint64_t data_ = 0;         // write data as it is on the pins until the next edge
  bool working_ = false;
};

}  // namespace longhaul::cosim
