// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/net/link/link.h"
#include "models/wan/frame_injector/frame_injector.h"
#include "tests/unit/support/ethernet.h"
#include "tests/unit/times.h"

namespace longhaul::wan::frame_injector {

inline constexpr std::uint64_t kOctetPs = 800;
inline constexpr std::uint64_t kSlot64 = 84 * kOctetPs;
inline constexpr std::uint64_t kFrame64 = 72 * kOctetPs;  // preamble to last bit
inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// A frame as it lay on the wire, FCS included, and what its text says.
struct Seen {
  std::uint64_t at_ps;
  std::vector<std::uint8_t> bytes;

  std::size_t octets() const { return bytes.size(); }
  std::uint16_t be16(std::size_t at) const {
    return static_cast<std::uint16_t>(bytes.at(at) << 8 | bytes.at(at + 1));
  }
  /// By zlib, which is not ours: least significant byte first (IEEE 802.3, 3.2.9).
  bool good_fcs() const {
    const std::size_t size = bytes.size() - 4;
    const std::uint32_t sent = bytes[size] | bytes[size + 1] << 8 | bytes[size + 2] << 16 |
                               std::uint32_t{bytes[size + 3]} << 24;
    return crc32(0, bytes.data(), static_cast<uInt>(size)) == sent;
  }
  MacAddress to() const { return address_at(0); }
  MacAddress from() const { return address_at(6); }
  MacAddress address_at(std::size_t at) const {
    MacAddress address{};
    for (std::size_t i = 0; i < address.size(); ++i) address.at(i) = bytes.at(at + i);
    return address;
  }
  std::size_t text_at() const { return std::string(bytes.begin(), bytes.end()).find("odd "); }
  /// The words behind "odd": serial, verdict, kind.
  std::vector<std::string> text() const {
    const std::string all(bytes.begin(), bytes.end());
    char serial[9] = "";
    char verdict[7] = "";
    char kind[20] = "";
    const std::size_t at = text_at();
    int end = 0;  // not 0: the semicolon is there, too
    if (at == std::string::npos ||
        std::sscanf(all.c_str() + at, "odd %8s %6s %19[a-z_];%n", serial, verdict, kind, &end) !=
            3 ||
        end == 0)
      return {};
    return {serial, verdict, kind};
  }
};

/// The far end of a cable that takes everything, and sends what it is told to.
class Wire final : public sc_core::sc_module, private EthReceiver {
 public:
  explicit Wire(const sc_core::sc_module_name& name) : sc_module(name), port("port") {
    port.eth_rx.bind(*this);
  }
  EthPort port;
  std::vector<Seen> seen;
  std::vector<std::pair<std::uint64_t, bool>> carrier_changes;

  void send(const FrameRef& frame) { port.eth_tx->transmit(frame); }

 private:
  void receive(const FrameRef& frame) override {
    Seen one{now_ps(), {frame->data(), frame->data() + frame->size()}};
    for (std::uint32_t i = 0; i < 4; ++i)
      one.bytes.push_back(static_cast<std::uint8_t>(frame->fcs() >> 8 * i));
    seen.push_back(std::move(one));
  }
  void carrier_changed(bool up) override { carrier_changes.emplace_back(now_ps(), up); }
};

/// wire at the west --- box --- wire at the east
struct Fixture {
  explicit Fixture(const nlohmann::json& json = nullptr)
      : box("box", frame_injector_params_from(json, "box", 1)) {
    west_link.connect(west.port, box.west.port);
    east_link.connect(box.east.port, east.port);
  }
  /// Waits for the end of the round that it begins.
  void run_round(std::uint64_t until_ps = 100 * kMs) {
    test::run_until(1);
    west.send(test::make_frame(64, test::station(2), test::station(1)));
    test::run_until(until_ps);
  }
  /// One whole round to the west, of these kinds.
  static std::vector<Seen> round_of(const std::string& kinds) {
    Fixture b(nlohmann::json{{"frames", kinds}, {"gap", "1us"}});
    b.run_round();
    return b.west.seen;
  }

  Wire west{"west"};
  Wire east{"east"};
  FrameInjectorBox box;
  Link west_link{"west_link", test::cable_of_no_length()};
  Link east_link{"east_link", test::cable_of_no_length()};
};

}  // namespace longhaul::wan::frame_injector
