// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/vpd.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace longhaul::nic::terminator {

std::vector<std::uint8_t> vpd_image(const MacAddress& address) {
  constexpr std::size_t kBytes = 8192;
  constexpr std::size_t kSerialNumber = 4;
  constexpr std::size_t kAddress = 20;
  std::vector<std::uint8_t> image(kBytes, 0xff);
  image[0] = 1;
  std::fill_n(image.begin() + 1, kSerialNumber - 1, std::uint8_t{0});
  const std::string number =
      fmt::format("LH{:02X}{:02X}{:02X}        ", address[3], address[4], address[5]);
  std::copy(number.begin(), number.end(), image.begin() + kSerialNumber);
  std::copy(address.begin(), address.end(), image.begin() + kAddress);
  return image;
}

}  // namespace longhaul::nic::terminator
