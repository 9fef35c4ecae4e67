// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "models/net/link/link.h"
#include "models/wan/delay_box/delay_box.h"
#include "tests/unit/support/ethernet.h"
#include "tests/unit/times.h"

namespace longhaul::test {

inline constexpr std::uint64_t kOctet = 800;
inline constexpr std::uint64_t kFrame64 = 72 * kOctet;  // preamble to last bit
inline constexpr std::uint64_t kSlot64 = 84 * kOctet;

inline DelayBoxParams from_json(const nlohmann::json& json) {
  return delay_box_params_from(json, "box", 1);
}

/// west station --- box --- east station
struct DelayBoxFixture {
  explicit DelayBoxFixture(const nlohmann::json& json = nullptr, const char* east_phy = "10gbase-r")
      : box("box", from_json(json)),
        west_link("west_link", cable_of_no_length()),
        east_link("east_link", cable_of_no_length(east_phy)) {
    west_link.connect(west.port(), box.west());
    east_link.connect(box.east(), east.port());
    box.west_to_east.tap.listen(&tap);
  }
  void send(std::uint32_t count, std::uint32_t octets = 64) {
    for (std::uint32_t i = 0; i < count; ++i)
      west.send(make_frame(octets, station(2), station(1), i));
  }
  std::vector<std::uint32_t> numbers() const {
    std::vector<std::uint32_t> got;
    for (const auto& arrival : east.arrivals) got.push_back(number_of(*arrival.frame));
    return got;
  }
  Station west{"west"};
  Station east{"east"};
  DelayBox box;
  Link west_link;
  Link east_link;
  TapRecord tap;
  At at{"at"};
};

}  // namespace longhaul::test
