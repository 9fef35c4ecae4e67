// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/bus_width.h"

#include <fmt/format.h>

#include <stdexcept>

namespace longhaul::cosim {

std::uint32_t bus_word_bytes(const Pin& write_data, const Pin& read_data, std::uint32_t most,
                             const std::string& prefix) {
  const std::uint32_t write = write_data ? write_data.width() : 0;
  const std::uint32_t read = read_data ? read_data.width() : 0;
  const std::uint32_t bits = write != 0 ? write : read;
  const bool same = write == 0 || read == 0 || write == read;
  if (same && bits >= 8 && bits <= 8 * most && (bits & (bits - 1)) == 0) return bits / 8;
  throw std::invalid_argument(fmt::format(
      "{}: write data of {} bits, read data of {}; this bus has 8, 16, ... {} bits, the "
      "same both ways",
      prefix, write, read, 8 * most));
}

}  // namespace longhaul::cosim
