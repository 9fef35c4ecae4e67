// SPDX-License-Identifier: Apache-2.0
#include "models/wan/frame_injector/odd_kind.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/common/echo.h"
#include "models/common/param.h"

namespace longhaul::wan::frame_injector {
namespace {

constexpr std::array<OddKindInfo, kOddKinds> kInfo{{
    {"injected_runt", "frames of 5 to 63 octets with a good FCS"},
    {"injected_giant", "frames of 1519 to 16388 octets with a good FCS"},
    {"injected_bad_fcs", "frames of each class of length with a wrong FCS"},
    {"injected_late_fragment", "frames that end in the jam of a late collision"},
    {"injected_vlan_stack", "frames with two or three VLAN tags"},
    {"injected_priority_tag", "frames with a VLAN tag of VID 0"},
    {"injected_ip_options", "IPv4 packets with options, some of them malformed"},
    {"injected_bad_ip_length", "IPv4 packets whose total length does not fit the frame"},
    {"injected_bad_ip_checksum", "IPv4 packets with a wrong header checksum"},
    {"injected_length_field", "IEEE 802.3 frames whose length field does not match"},
    {"injected_pause", "PAUSE frames"},
    {"injected_mac_control", "MAC control frames with a reserved opcode"},
    {"injected_foreign", "frames to an address one bit off the station's"},
    {"injected_group", "frames to group addresses"},
    {"injected_odd_source", "frames from a group address, the station's own, or zero"},
    {"injected_smallest_burst", "frames of 64 octets, back to back"},
}};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> words(const std::string& list) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    all.push_back(trimmed(list.substr(at, end - at)));
    at = end + 1;
  }
  return all;
}

}  // namespace

const OddKindInfo& info(OddKind kind) { return kInfo[static_cast<std::size_t>(kind)]; }

std::vector<OddKind> odd_kinds_named(const std::string& list, const std::string& where) {
  std::vector<std::string> names{"all"};
  for (const OddKindInfo& kind : kInfo) names.emplace_back(kind.name());
  if (trimmed(list).empty())
    throw ConfigError(fmt::format("{}: no kind of frame is named; wants \"all\" or some of {}",
                                  where, echo(names)));
  std::array<bool, kOddKinds + 1> named{};
  for (const std::string& word : words(list)) {
    const auto at = std::find(names.begin(), names.end(), word);
    if (at == names.end()) fail_unknown_name("kind of frame", word, names, where);
    bool& seen = named.at(static_cast<std::size_t>(at - names.begin()));
    if (seen)
      throw ConfigError(
          fmt::format("{}: the kind of frame \"{}\" is there twice; once is enough", where, word));
    seen = true;
  }
  std::vector<OddKind> kinds;
  for (std::size_t i = 0; i < kOddKinds; ++i) {
    if (named[0] || named.at(i + 1)) kinds.push_back(static_cast<OddKind>(i));
  }
  return kinds;
}

}  // namespace longhaul::wan::frame_injector
