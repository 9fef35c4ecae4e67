// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "platform/cosim/pin.h"
#include "platform/cosim/transactor.h"

namespace longhaul::cosim {

/// Pins of a ZBT SRAM, named from the block's side; data of up to 63 bits.
struct ZbtSramPins {
  Pin address;
  Pin read;
  Pin write;
  Pin write_data;
  Pin read_data;
};

/// A pipelined ZBT SRAM: it takes an address in one clock, and its data follow two clocks later in
/// either direction. Read data are on the pins after that edge.
///
/// Words that were never written read as noise. The memory uses host memory page by page, as it is
/// written.
class ZbtSram final : public Transactor {
 public:
  ZbtSram(ZbtSramPins pins, std::uint32_t address_bits);

  void clocked(std::uint64_t edge_ps) override {
    const bool read = pins_.read.high();
    const bool write = pins_.write.high();
    if (!(read || write || working_)) return;
    step(read, write);
  }
  /// A stored word; noise if it was never written.
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
  std::array<Command, 3> pipe_{};  // commands of the next edge, and of one and two clocks before
  std::uint64_t data_ = 0;         // write data on the pins until the next edge
  bool working_ = false;
};

}  // namespace longhaul::cosim
