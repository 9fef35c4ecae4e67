// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/net/frame/ethernet_header.h"
#include "models/wan/frame_injector/odd_kind.h"
#include "models/wan/random_stream.h"

namespace longhaul::wan::frame_injector {

/// IEEE 802's local experimental EtherTypes (IEEE 802, 9.2.3): for frames that no standard lets a
/// host see, and for good frames.
inline constexpr std::uint16_t kTypeBad = 0x88b5;
inline constexpr std::uint16_t kTypeGood = 0x88b6;
/// Source address of injected frames; locally administered.
inline constexpr MacAddress kInjector{0x02, 0x6f, 0x64, 0x64, 0x00, 0x01};

/// One odd frame of a round, or several frames that belong together.
struct OddItem {
  OddKind kind = OddKind::kRunt;
  std::uint32_t variant = 0;
};

/// Makes odd frames. The payload begins with text: a serial number, the verdict for a station and
/// the kind's name, such as "odd 0000002a drop runt;". Random bytes follow. Text that does not fit
/// is cut off.
class OddFrameMaker {
 public:
  /// `burst` is the number of frames of a smallest_burst. `label` selects the stream of random
  /// bytes.
  OddFrameMaker(std::uint64_t seed, const std::string& label, std::uint32_t burst)
      : random_(seed, label), burst_(burst) {}

  /// Number of variants of a kind. A round sends one after the other.
  static std::uint32_t variants(OddKind kind);
  /// Number of frames of a variant, which follow each other with the least gap.
  std::uint32_t parts(const OddItem& item) const;
  /// The frame `part` of an item, part < parts(). It is sent to `station`, or to all if that is not
  /// known.
  FrameRef make(const OddItem& item, std::uint32_t part, const std::optional<MacAddress>& station);
  /// 64 random bits of the maker's stream.
  std::uint64_t random() { return random_.bits(); }

 private:
  /// What the station must do with a frame.
  enum class Verdict : std::uint8_t { kTake, kDrop, kEither };

  void begin(const MacAddress& to, const MacAddress& from = kInjector);
  void put_be16(std::uint32_t value);
  void put_text(OddKind kind, Verdict verdict);
  void put_type_and_text(OddKind kind, Verdict verdict, std::uint16_t type);
  void put_filler(std::size_t size);
  void put_ipv4(const std::vector<std::uint8_t>& options, std::uint32_t data_bytes);
  FrameRef frame(std::size_t octets);

  FrameRef make_runt(std::uint32_t variant);
  FrameRef make_giant(std::uint32_t variant);
  FrameRef make_bad_fcs(std::uint32_t variant);
  FrameRef make_late_fragment(std::uint32_t variant);
  FrameRef make_vlan_stack(std::uint32_t variant);
  FrameRef make_priority_tag(std::uint32_t variant);
  FrameRef make_ip_options(std::uint32_t variant);
  FrameRef make_bad_ip_length(std::uint32_t variant);
  FrameRef make_bad_ip_checksum(std::uint32_t variant);
  FrameRef make_length_field(std::uint32_t variant);
  FrameRef make_pause(std::uint32_t quanta);
  FrameRef make_mac_control(std::uint32_t variant);
  FrameRef make_foreign(std::uint32_t variant);
  FrameRef make_group(std::uint32_t variant);
  FrameRef make_odd_source(std::uint32_t variant);
  FrameRef make_smallest();

  RandomStream random_;
  const std::uint32_t burst_;
  std::uint32_t serial_ = 0;
  std::optional<MacAddress> known_;
  MacAddress to_{};
  std::vector<std::uint8_t> bytes_;  // of the frame that is being made
};

}  // namespace longhaul::wan::frame_injector
