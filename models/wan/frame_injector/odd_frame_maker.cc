// SPDX-License-Identifier: Apache-2.0
#include "models/wan/frame_injector/odd_frame_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include "models/net/frame/checksum.h"

namespace longhaul::wan::frame_injector {
namespace {

constexpr MacAddress kBroadcast{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
constexpr std::uint16_t kTypeServiceVlan = 0x88a8;  // IEEE 802.1Q, table 9-1
constexpr std::uint32_t kLeastOctets = Frame::kMinBytes + Frame::kFcsBytes;
constexpr std::uint32_t kMostOctets = Frame::kMaxBytes + Frame::kFcsBytes;
constexpr std::uint32_t kPlainOctets = 100;  // of a kind whose length is of no matter

// A runt has at least one byte before its FCS, because a Frame is never empty.
constexpr std::uint32_t kLeastRunt = 1 + Frame::kFcsBytes;
// On both sides of the largest basic, tagged and envelope frame (IEEE 802.3, 3.2.7), the usual
// jumbo frame, and the most that a Frame holds.
constexpr std::array<std::uint32_t, 11> kGiants{1519, 1522, 1523, 2000,  2001,       4096,
                                                9018, 9019, 9022, 16000, kMostOctets};
// The largest length of each length class of RFC 2819's etherStatsPkts, a fragment, the smallest
// frame and a jabber.
constexpr std::array<std::uint32_t, 8> kFcsLengths{63, 64, 127, 255, 511, 1023, 1518, 1600};
constexpr std::uint32_t kDamages = 3;  // a bit flipped, FCS inverted, FCS random
constexpr std::array<std::uint32_t, 4> kFragments{64, 128, 512, 1000};
constexpr std::uint32_t kJam = 0x5555'5555;

struct Stack {
  std::uint32_t tags;
  std::array<std::uint16_t, 3> types;
};
constexpr std::array<Stack, 8> kStacks{{
    {2, {kTypeServiceVlan, ethernet::kTypeVlan, 0}},
    {2, {ethernet::kTypeVlan, ethernet::kTypeVlan, 0}},
    {2, {kTypeServiceVlan, kTypeServiceVlan, 0}},
    {2, {ethernet::kTypeVlan, kTypeServiceVlan, 0}},
    {3, {kTypeServiceVlan, kTypeServiceVlan, ethernet::kTypeVlan}},
    {3, {kTypeServiceVlan, ethernet::kTypeVlan, ethernet::kTypeVlan}},
    {3, {ethernet::kTypeVlan, ethernet::kTypeVlan, ethernet::kTypeVlan}},
    {3, {kTypeServiceVlan, kTypeServiceVlan, kTypeServiceVlan}},
}};
constexpr std::uint32_t kMostVid = 4094;                                // 4095 is reserved
constexpr std::array<std::uint32_t, 3> kPriorities{0, 0x7000, 0xf000};  // PCP 0, 7 with DEI 0 and 1

// RFC 791, 3.1; RFC 2113: each a multiple of four bytes, 40 at most.
std::vector<std::uint8_t> ip_options(std::uint32_t variant) {
  std::vector<std::uint8_t> options;
  switch (variant) {
    case 0: return {1, 1, 1, 0};                      // no operation, end of options
    case 1: return {148, 4, 0, 0};                    // router alert
    case 2: options = {7, 39, 4}; break;              // record route, empty, nine places
    case 3: options = {68, 36, 5, 0}; break;          // time stamps, empty
    case 4: return std::vector<std::uint8_t>(40, 1);  // no operations
    case 5: return {7, 0, 4, 0};                      // malformed: of no length
    default: return {7, 40, 4, 0};                    // malformed: longer than the header
  }
  options.resize((options[1] + std::size_t{3}) / 4 * 4, 0);
  return options;
}
constexpr std::uint32_t kOptionVariants = 7;

constexpr std::uint32_t kIpv4Bytes = 20;
constexpr std::uint32_t kIpData = 40;
constexpr std::uint32_t kIpTotal = kIpv4Bytes + kIpData;
// More bytes than the frame has, and fewer than a header.
constexpr std::array<std::uint32_t, 6> kTotals{kIpTotal + 1, kIpTotal + 4,   1500,
                                               65535,        kIpv4Bytes - 1, 0};

struct Length {
  std::uint32_t field;
  std::uint32_t data;
};
// Shorter than the data, longer than the data, and the undefined values (IEEE 802.3, 3.2.6, 3.4).
constexpr std::array<Length, 6> kLengths{
    {{46, 100}, {99, 100}, {47, 46}, {1500, 46}, {1501, 46}, {1535, 46}}};

constexpr std::array<std::uint32_t, 3> kQuanta{1, 16, 0};  // and 0xffff, followed by 0
constexpr std::uint32_t kLongPause = kQuanta.size();
// Reserved in IEEE 802.3, table 31A-1.
constexpr std::array<std::uint32_t, 6> kOpcodes{0x0000, 0x0007, 0x0100, 0x0102, 0x8000, 0xffff};

constexpr std::array<MacAddress, 7> kGroups{{
    kBroadcast,
    {0x01, 0x00, 0x5e, 0x00, 0x00, 0x01},  // all IPv4 hosts (RFC 1112)
    {0x01, 0x00, 0x5e, 0x7f, 0xff, 0xfa},  // an IPv4 group
    {0x33, 0x33, 0x00, 0x00, 0x00, 0x01},  // all IPv6 nodes (RFC 2464)
    {0x01, 0x80, 0xc2, 0x00, 0x00, 0x00},  // bridges (IEEE 802.1Q, 8.6.3)
    {0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e},  // link layer discovery
    {0x03, 0x6f, 0x64, 0x64, 0x00, 0x02},  // locally administered
}};
constexpr std::uint32_t kAddressBits = 48;
constexpr std::uint32_t kSources = 3;

/// Flips one bit of an address other than its group bit, which is the first on the wire.
MacAddress one_bit_off(MacAddress address, std::uint32_t variant) {
  const std::uint32_t bit = variant + 1;
  address.at(bit / 8) = static_cast<std::uint8_t>(address.at(bit / 8) ^ (1U << (bit % 8)));
  return address;
}

}  // namespace

std::uint32_t OddFrameMaker::variants(OddKind kind) {
  switch (kind) {
    case OddKind::kRunt: return kLeastOctets - kLeastRunt;
    case OddKind::kGiant: return kGiants.size();
    case OddKind::kBadFcs: return kFcsLengths.size() * kDamages;
    case OddKind::kLateFragment: return kFragments.size();
    case OddKind::kVlanStack: return kStacks.size();
    case OddKind::kPriorityTag: return kPriorities.size();
    case OddKind::kIpOptions: return kOptionVariants;
    case OddKind::kBadIpLength: return kTotals.size();
    case OddKind::kBadIpChecksum: return kDamages;
    case OddKind::kLengthField: return kLengths.size();
    case OddKind::kPause: return kQuanta.size() + 1;
    case OddKind::kMacControl: return kOpcodes.size();
    case OddKind::kForeign: return kAddressBits - 1;
    case OddKind::kGroup: return kGroups.size();
    case OddKind::kOddSource: return kSources;
    case OddKind::kSmallestBurst: return 1;
  }
  return 0;
}

std::uint32_t OddFrameMaker::parts(const OddItem& item) const {
  if (item.kind == OddKind::kSmallestBurst) return burst_;
  return item.kind == OddKind::kPause && item.variant == kLongPause ? 2 : 1;
}

FrameRef OddFrameMaker::make(const OddItem& item, std::uint32_t part,
                             const std::optional<MacAddress>& station) {
  known_ = station;
  to_ = station.value_or(kBroadcast);
  const std::uint32_t variant = item.variant;
  switch (item.kind) {
    case OddKind::kRunt: return make_runt(variant);
    case OddKind::kGiant: return make_giant(variant);
    case OddKind::kBadFcs: return make_bad_fcs(variant);
    case OddKind::kLateFragment: return make_late_fragment(variant);
    case OddKind::kVlanStack: return make_vlan_stack(variant);
    case OddKind::kPriorityTag: return make_priority_tag(variant);
    case OddKind::kIpOptions: return make_ip_options(variant);
    case OddKind::kBadIpLength: return make_bad_ip_length(variant);
    case OddKind::kBadIpChecksum: return make_bad_ip_checksum(variant);
    case OddKind::kLengthField: return make_length_field(variant);
    case OddKind::kPause:
      return make_pause(variant != kLongPause ? kQuanta.at(variant) : part == 0 ? 0xffff : 0);
    case OddKind::kMacControl: return make_mac_control(variant);
    case OddKind::kForeign: return make_foreign(variant);
    case OddKind::kGroup: return make_group(variant);
    case OddKind::kOddSource: return make_odd_source(variant);
    case OddKind::kSmallestBurst: return make_smallest();
  }
  return {};
}

// ---- parts of a frame

void OddFrameMaker::begin(const MacAddress& to, const MacAddress& from) {
  bytes_.assign(to.begin(), to.end());
  bytes_.insert(bytes_.end(), from.begin(), from.end());
}

void OddFrameMaker::put_be16(std::uint32_t value) {
  bytes_.resize(bytes_.size() + 2);
  write_be16(bytes_.data() + bytes_.size() - 2, value);
}

void OddFrameMaker::put_text(OddKind kind, Verdict verdict) {
  constexpr std::array<const char*, 3> kVerdicts{"take", "drop", "either"};
  fmt::format_to(std::back_inserter(bytes_), "odd {:08x} {} {};", serial_++,
                 kVerdicts.at(static_cast<std::size_t>(verdict)), info(kind).name());
}

void OddFrameMaker::put_type_and_text(OddKind kind, Verdict verdict, std::uint16_t type) {
  put_be16(type);
  put_text(kind, verdict);
}

/// Random bytes up to a size.
void OddFrameMaker::put_filler(std::size_t size) {
  while (bytes_.size() < size) {
    std::uint64_t bits = random_.bits();
    for (int i = 0; i < 8 && bytes_.size() < size; ++i, bits >>= 8)
      bytes_.push_back(static_cast<std::uint8_t>(bits));
  }
}

/// Puts an EtherType and an IPv4 header for `data_bytes`, with the correct checksum. Addresses are
/// for documentation (RFC 5737), and the protocol for experiments (RFC 3692): no host answers.
void OddFrameMaker::put_ipv4(const std::vector<std::uint8_t>& options, std::uint32_t data_bytes) {
  constexpr std::uint8_t kExperiment = 253;
  put_be16(ethernet::kTypeIpv4);
  const auto header = static_cast<std::uint32_t>(kIpv4Bytes + options.size());
  const std::size_t at = bytes_.size();
  const std::array<std::uint8_t, kIpv4Bytes> fixed{static_cast<std::uint8_t>(0x40 | header / 4),
                                                   0,
                                                   0,
                                                   0,
                                                   0,
                                                   0,
                                                   0,
                                                   0,
                                                   64,
                                                   kExperiment,
                                                   0,
                                                   0,
                                                   192,
                                                   0,
                                                   2,
                                                   2,
                                                   192,
                                                   0,
                                                   2,
                                                   1};
  bytes_.insert(bytes_.end(), fixed.begin(), fixed.end());
  bytes_.insert(bytes_.end(), options.begin(), options.end());
  write_be16(bytes_.data() + at + 2, header + data_bytes);
  write_be16(bytes_.data() + at + 4, serial_);  // identification
  OnesSum sum;
  sum.add(bytes_.data() + at, header);
  write_be16(bytes_.data() + at + 10, sum.checksum());
}

/// Returns a frame of the bytes put so far, filled or cut to `octets` with FCS.
FrameRef OddFrameMaker::frame(std::size_t octets) {
  const std::size_t size = octets - Frame::kFcsBytes;
  put_filler(size);
  // A reader of a header beyond the end of a runt finds zeros, not old memory contents.
  FrameRef made =
      Frame::allocate(static_cast<std::uint32_t>(std::max<std::size_t>(size, Frame::kMinBytes)));
  Frame& to = made.writable();
  std::memset(to.data(), 0, Frame::kMinBytes);
  std::memcpy(to.data(), bytes_.data(), size);
  to.resize(static_cast<std::uint32_t>(size));
  return made;
}

// ---- kinds

FrameRef OddFrameMaker::make_runt(std::uint32_t variant) {
  begin(to_);
  put_type_and_text(OddKind::kRunt, Verdict::kDrop, kTypeBad);
  return frame(kLeastRunt + variant);
}

FrameRef OddFrameMaker::make_giant(std::uint32_t variant) {
  begin(to_);
  put_type_and_text(OddKind::kGiant, Verdict::kEither, kTypeBad);
  return frame(kGiants.at(variant));
}

FrameRef OddFrameMaker::make_bad_fcs(std::uint32_t variant) {
  begin(to_);
  put_type_and_text(OddKind::kBadFcs, Verdict::kDrop, kTypeBad);
  FrameRef made = frame(kFcsLengths.at(variant / kDamages));
  Frame& bad = made.writable();
  const std::uint32_t right = bad.fcs();
  const std::uint64_t random = random_.bits();
  switch (variant % kDamages) {
    case 0: {
      // The bit is after the header: a station that ignores the FCS accepts the frame.
      const std::uint32_t first = ethernet::kHeaderBytes * 8;
      bad.flip_bit(first + static_cast<std::uint32_t>(random % (bad.octets() * 8 - first)));
      break;
    }
    case 1: bad.set_fcs(~right); break;
    default: bad.set_fcs(right ^ static_cast<std::uint32_t>(random % 0xffff'ffffU + 1)); break;
  }
  return made;
}

FrameRef OddFrameMaker::make_late_fragment(std::uint32_t variant) {
  begin(to_);
  put_type_and_text(OddKind::kLateFragment, Verdict::kDrop, kTypeBad);
  FrameRef made = frame(kFragments.at(variant));
  // The transmitter sends the jam instead of the rest of the frame. It may be anything but the FCS.
  made.writable().set_fcs(made->fcs() == kJam ? ~kJam : kJam);
  return made;
}

FrameRef OddFrameMaker::make_vlan_stack(std::uint32_t variant) {
  const Stack& stack = kStacks.at(variant);
  begin(to_);
  for (std::uint32_t i = 0; i < stack.tags; ++i) {
    put_be16(stack.types.at(i));
    put_be16(static_cast<std::uint32_t>(random_.bits() % kMostVid) + 1);
  }
  put_type_and_text(OddKind::kVlanStack, Verdict::kEither, kTypeGood);
  return frame(kPlainOctets);
}

FrameRef OddFrameMaker::make_priority_tag(std::uint32_t variant) {
  begin(to_);
  put_be16(ethernet::kTypeVlan);
  put_be16(kPriorities.at(variant));
  put_type_and_text(OddKind::kPriorityTag, Verdict::kEither, kTypeGood);
  return frame(kPlainOctets);
}

FrameRef OddFrameMaker::make_ip_options(std::uint32_t variant) {
  const std::vector<std::uint8_t> options = ip_options(variant);
  begin(to_);
  put_ipv4(options, kIpData);
  put_text(OddKind::kIpOptions, Verdict::kTake);
  return frame(ethernet::kHeaderBytes + kIpTotal + options.size() + Frame::kFcsBytes);
}

FrameRef OddFrameMaker::make_bad_ip_length(std::uint32_t variant) {
  begin(to_);
  // The checksum is correct for the length in the header. That length counts modulo 2^16.
  put_ipv4({}, kTotals.at(variant) - kIpv4Bytes);
  put_text(OddKind::kBadIpLength, Verdict::kTake);
  return frame(ethernet::kHeaderBytes + kIpTotal + Frame::kFcsBytes);
}

FrameRef OddFrameMaker::make_bad_ip_checksum(std::uint32_t variant) {
  constexpr std::size_t kField = ethernet::kHeaderBytes + 10;
  begin(to_);
  put_ipv4({}, kIpData);
  std::uint8_t* const field = bytes_.data() + kField;
  const std::uint16_t right = read_be16(field);
  switch (variant) {
    case 0: write_be16(field, right ^ 1U << (random_.bits() % 16)); break;
    case 1: write_be16(field, right == 0 ? 1 : 0); break;
    default: write_be16(field, right ^ 0xa5a5U); break;
  }
  put_text(OddKind::kBadIpChecksum, Verdict::kTake);
  return frame(ethernet::kHeaderBytes + kIpTotal + Frame::kFcsBytes);
}

FrameRef OddFrameMaker::make_length_field(std::uint32_t variant) {
  // LLC and SNAP (IEEE 802, 9.2). The EtherType follows them.
  constexpr std::array<std::uint8_t, 6> kSnap{0xaa, 0xaa, 0x03, 0, 0, 0};
  const Length& length = kLengths.at(variant);
  begin(to_);
  put_be16(length.field);
  bytes_.insert(bytes_.end(), kSnap.begin(), kSnap.end());
  put_type_and_text(OddKind::kLengthField, Verdict::kEither, kTypeBad);
  return frame(ethernet::kHeaderBytes + length.data + Frame::kFcsBytes);
}

FrameRef OddFrameMaker::make_pause(std::uint32_t quanta) {
  begin(ethernet::kPauseAddress);
  put_be16(ethernet::kTypeMacControl);
  put_be16(ethernet::kOpcodePause);
  put_be16(quanta);
  put_text(OddKind::kPause, Verdict::kDrop);
  return frame(kLeastOctets);
}

FrameRef OddFrameMaker::make_mac_control(std::uint32_t variant) {
  begin(to_);
  put_be16(ethernet::kTypeMacControl);
  put_be16(kOpcodes.at(variant));
  put_text(OddKind::kMacControl, Verdict::kEither);
  return frame(kLeastOctets);
}

FrameRef OddFrameMaker::make_foreign(std::uint32_t variant) {
  constexpr MacAddress kSomebody{0x02, 0x6f, 0x64, 0x64, 0x00, 0x03};
  begin(one_bit_off(known_.value_or(kSomebody), variant));
  put_type_and_text(OddKind::kForeign, Verdict::kDrop, kTypeBad);
  return frame(kLeastOctets);
}

FrameRef OddFrameMaker::make_group(std::uint32_t variant) {
  begin(kGroups.at(variant));
  put_type_and_text(OddKind::kGroup, variant == 0 ? Verdict::kTake : Verdict::kEither, kTypeGood);
  return frame(kLeastOctets);
}

FrameRef OddFrameMaker::make_odd_source(std::uint32_t variant) {
  const MacAddress zero{};
  begin(to_, variant == 0 ? kGroups.back() : variant == 1 ? known_.value_or(zero) : zero);
  // Only the group address violates the standard.
  put_type_and_text(OddKind::kOddSource, Verdict::kEither, variant == 0 ? kTypeBad : kTypeGood);
  return frame(kLeastOctets);
}

FrameRef OddFrameMaker::make_smallest() {
  begin(to_);
  put_type_and_text(OddKind::kSmallestBurst, Verdict::kTake, kTypeGood);
  return frame(kLeastOctets);
}

}  // namespace longhaul::wan::frame_injector
