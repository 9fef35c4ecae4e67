// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/zbt_sram.h"

#include <new>

namespace longhaul::cosim {

ZbtSram::ZbtSram(ZbtSramPins pins, std::uint32_t address_bits)
    : pins_(pins),
      words_(static_cast<std::uint64_t*>(
          std::calloc(std::size_t{1} << address_bits, sizeof(std::uint64_t)))) {
  if (!words_) throw std::bad_alloc();
}

void ZbtSram::step(bool read, bool write) {
  // Handles this edge with the values before it: data belong to the address of two clocks before.
  if (pipe_[2].write) words_[pipe_[2].address] = data_ | kWritten;
  if (pipe_[1].read) pins_.read_data.set(word(pipe_[1].address));
  // The values on the pins from this edge on are taken at the next one.
  pipe_[2] = pipe_[1];
  pipe_[1] = pipe_[0];
  pipe_[0] = {static_cast<std::uint32_t>(pins_.address.get()), read, write};
  data_ = pins_.write_data.get();
  working_ = read || write || pipe_[1].read || pipe_[1].write || pipe_[2].write;
}

}  // namespace longhaul::cosim
