// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/board.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "models/nic/blocks/kinds.h"
#include "models/nic/blocks/mac_address.h"
#include "models/nic/genesis/regs.h"

namespace longhaul::nic::genesis {
namespace {

constexpr std::uint32_t kVpdBytes = 256;
constexpr std::uint8_t kTagName = 0x82;
constexpr std::uint8_t kTagReadOnly = 0x90;
constexpr std::uint8_t kTagReadWrite = 0x91;
constexpr std::uint8_t kTagEnd = 0x78;

void append_vpd(std::vector<std::uint8_t>& bytes, std::string_view text) {
  bytes.insert(bytes.end(), text.begin(), text.end());
}

/// A keyword of two letters and its value.
void append_keyword(std::vector<std::uint8_t>& bytes, std::string_view keyword,
                    std::string_view value) {
  append_vpd(bytes, keyword);
  bytes.push_back(static_cast<std::uint8_t>(value.size()));
  append_vpd(bytes, value);
}

void append_tag(std::vector<std::uint8_t>& bytes, std::uint8_t tag, std::size_t length) {
  bytes.push_back(tag);
  bytes.push_back(static_cast<std::uint8_t>(length));
  bytes.push_back(static_cast<std::uint8_t>(length >> 8));
}

}  // namespace

const BoardKind& board_kind(const GenesisParams& params, const std::string& where) {
  return kind_named(kBoards, params.board(), where + ".board");
}

const BusKind& bus_kind(const GenesisParams& params, const std::string& where) {
  return kind_named(kBuses, params.bus(), where + ".bus");
}

MacAddress first_address(const GenesisParams& params, unsigned index, const std::string& where) {
  constexpr unsigned kAddressesOfABoard = 4;  // three registers
  return station_address(params.mac(), {0x00, 0x00, 0x5a, 0x98}, (index + 1) * kAddressesOfABoard,
                         where + ".mac");
}

MacAddress numbered_address(const MacAddress& first, std::uint32_t number) {
  MacAddress address = first;
  address[5] = static_cast<std::uint8_t>(address[5] + number - 1);
  return address;
}

std::uint32_t memory_code(Bytes ram, const std::string& where) {
  // FreeBSD sys/dev/sk/if_skreg.h; 3 rather than 2 for 1 MB, see README.md.
  if (ram == units::KiB(512)) return 1;
  if (ram == units::KiB(1024)) return 3;
  if (ram == units::KiB(2048)) return 4;
  throw ConfigError(
      fmt::format("{}.ram: no board has {}; 512KiB, 1MiB or 2MiB", where, to_text(ram)));
}

std::vector<std::uint8_t> vpd_image(const BoardKind& board, const MacAddress& mac) {
  std::vector<std::uint8_t> image;
  const std::string name = fmt::format("SysKonnect {}", board.product);
  append_tag(image, kTagName, name.size());
  append_vpd(image, name);

  std::vector<std::uint8_t> fixed;
  append_keyword(fixed, "PN", fmt::format("{}", board.product));
  append_keyword(fixed, "EC", "A1");
  append_keyword(fixed, "MN", "SK");
  append_keyword(fixed, "SN", fmt::format("{:02x}{:02x}{:02x}", mac[3], mac[4], mac[5]));
  constexpr std::size_t kSumBytes = 4;  // keyword RV: the sum and nothing kept free
  append_tag(image, kTagReadOnly, fixed.size() + kSumBytes);
  image.insert(image.end(), fixed.begin(), fixed.end());
  append_vpd(image, "RV");
  image.push_back(1);
  std::uint8_t sum = 0;
  for (const std::uint8_t byte : image) sum = static_cast<std::uint8_t>(sum + byte);
  image.push_back(static_cast<std::uint8_t>(-sum));

  constexpr std::size_t kKeywordBytes = 3;
  // Without the heads of tag and keyword, and the end tag.
  const std::size_t free = kVpdBytes - image.size() - 2 * kKeywordBytes - 1;
  append_tag(image, kTagReadWrite, free + kKeywordBytes);
  append_keyword(image, "RW", std::string(free, '\0'));
  image.push_back(kTagEnd);
  return image;
}

}  // namespace longhaul::nic::genesis
