// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/pins.h"

#include <algorithm>

namespace longhaul::pcix {
namespace {

constexpr std::uint8_t kDualAddress = 0xd;
constexpr std::uint8_t kReactionClocks = 2;  // PCI-X: from an event at the pins to the master's
                                             // reaction
// Commands from here on are block commands of PCI-X, which hold C/BE# high during data. DWORD and
// other byte-enabled commands drive byte enables.
constexpr std::uint8_t kFirstBlockCommand = 0xc;

std::uint32_t device_number(std::uint32_t slot) { return slot == TenureRecord::kBridge ? 0 : slot; }

/// AD and C/BE# of the attribute phase: PCI-X 1.0b, chapter 2. The bus is number 1.
void drive_attributes(const TenureRecord& tenure, Pins& pins) {
  const std::uint32_t count = tenure.byte_count % 4096;
  const std::uint32_t who = tenure.is_completion ? tenure.master : tenure.requester;
  const std::uint32_t function = tenure.is_completion ? 0 : tenure.requester_function;
  pins.ad = (tenure.relaxed_ordering && !tenure.is_completion ? 1ULL << 29 : 0) |
            (tenure.is_completion ? 0 : std::uint64_t{tenure.tag} << 24) | 1ULL << 16 |
            device_number(who) << 11 | function << 8 | (count & 0xffU);
  pins.cbe = static_cast<std::uint8_t>(0xf0U | count >> 8);
}

void drive_address(const TenureRecord& tenure, std::uint32_t clock, Pins& pins) {
  std::uint64_t address = tenure.address;
  if (tenure.is_completion) {
    // The requester, its tag, and the offset in the sequence's first 128 bytes at which the data
    // start.
    address = (tenure.relaxed_ordering ? 1ULL << 29 : 0) | std::uint64_t{tenure.tag} << 24 |
              1ULL << 16 | device_number(tenure.requester) << 11 | tenure.requester_function << 8 |
              (tenure.address & 0x7fU);
  }
  const bool is_dual = tenure.phases.address == 2;
  pins.ad = is_dual && clock == 1 ? address >> 32 : address;
  pins.ad_upper_driven = is_dual && clock == 0 && tenure.width == 8;
  const std::uint8_t command = is_dual && clock == 0 ? kDualAddress : tenure.command;
  pins.cbe = static_cast<std::uint8_t>((is_dual ? tenure.command << 4 : 0xf0) | command);
}

/// Drives the word of data phase `index`, and its byte enables if the command has any. Only the
/// first subphase that moves a byte is shown.
void drive_data(const TenureRecord& tenure, std::uint32_t index, bool drives_data, Pins& pins) {
  const std::uint64_t phase_bytes = std::uint64_t{tenure.width} * tenure.subphases;
  const std::uint64_t phase = (tenure.address / phase_bytes + index) * phase_bytes;
  const std::uint64_t first = std::max(phase, tenure.address / tenure.width * tenure.width);
  std::uint64_t word = 0;
  std::uint8_t enables = 0xff;
  for (std::uint32_t lane = 0; lane < tenure.width; ++lane) {
    const std::uint64_t at = first + lane;
    if (at < tenure.address || at >= tenure.address + tenure.bytes) continue;
    enables = static_cast<std::uint8_t>(enables & ~(1U << lane));
    if (tenure.data != nullptr)
      word |= std::uint64_t{tenure.data[at - tenure.address]} << (8 * lane);
  }
  const bool has_enables = !tenure.is_pcix || tenure.command < kFirstBlockCommand;
  pins.cbe = has_enables ? enables : 0xff;
  pins.ad_driven = drives_data;
  pins.ad_upper_driven = drives_data && tenure.width == 8;
  if (drives_data) pins.ad = word;
}

/// Clocks from the first data phase, or termination, until FRAME# is released.
std::uint32_t frame_clocks(const TenureRecord& tenure, std::uint32_t stride) {
  const Phases& phases = tenure.phases;
  if (tenure.is_pcix) {
    const std::uint32_t announced =
        phases.data > kReactionClocks ? phases.data - kReactionClocks : 0;
    return std::max<std::uint32_t>(kReactionClocks, announced);
  }
  if (phases.release != 0)
    // The target ends the burst: FRAME# is released after it.
    return phases.clocks_to_end() - phases.lead();
  return phases.data > 1 ? (phases.data - 2) * stride + 1 : 0;
}

}  // namespace

const char* to_text(Pins::Phase phase) {
  switch (phase) {
    case Pins::Phase::kPreDrive: return "pre-drive";
    case Pins::Phase::kAddress: return "address";
    case Pins::Phase::kAttribute: return "attribute";
    case Pins::Phase::kResponse: return "response";
    case Pins::Phase::kWait: return "wait";
    case Pins::Phase::kData: return "data";
    case Pins::Phase::kTermination: return "termination";
    case Pins::Phase::kRelease: return "release";
    case Pins::Phase::kTurnAround: return "turn-around";
  }
  return "?";
}

void trace(const TenureRecord& tenure, std::vector<Pins>& clocks) {
  const Phases& phases = tenure.phases;
  const bool aborts = tenure.ending == Ending::kMasterAbort;
  const std::uint32_t stride = phases.data > 1 ? 1 + phases.stalls / (phases.data - 1) : 1;
  const std::uint32_t address_at = phases.pre_drive;
  const std::uint32_t response_at = address_at + phases.address + phases.attribute;
  const std::uint32_t first_data = phases.lead();
  const std::uint32_t end = phases.clocks();  // the turn-around clock
  // A conventional master with one data phase releases FRAME# as it asserts IRDY#, whatever the
  // target does.
  const bool single = !tenure.is_pcix && tenure.byte_count <= tenure.width;
  const std::uint32_t irdy_at = tenure.is_pcix ? response_at + 1 : response_at;
  std::uint32_t frame_off = std::min(end, first_data + frame_clocks(tenure, stride));
  if (aborts) frame_off = tenure.is_pcix ? end : end - 1;
  if (single) frame_off = irdy_at;
  // A conventional target shows DEVSEL# with the first data phase or wait state. A registered
  // target shows it in the clock before.
  const std::uint32_t devsel_at = response_at + phases.response - (tenure.is_pcix ? 1 : 0);
  const bool splits = tenure.ending == Ending::kSplit;
  const bool target_aborts = tenure.ending == Ending::kTargetAbort;

  clocks.assign(end + 1, Pins{});
  for (std::uint32_t clock = 0; clock < end; ++clock) {
    Pins& pins = clocks[clock];
    // From the first data phase or termination on.
    const std::uint32_t in_data = clock - first_data;
    pins.frame = clock >= address_at && clock < frame_off;
    pins.irdy = clock >= irdy_at;
    pins.devsel = !aborts && clock >= devsel_at;
    pins.ad_driven = pins.cbe_driven = true;
    if (clock < response_at - phases.attribute) {
      pins.phase = clock < address_at ? Pins::Phase::kPreDrive : Pins::Phase::kAddress;
      drive_address(tenure, clock < address_at ? 0 : clock - address_at, pins);
    } else if (clock < response_at) {
      pins.phase = Pins::Phase::kAttribute;
      drive_attributes(tenure, pins);
    } else if (clock < first_data) {
      pins.phase =
          clock < response_at + phases.response ? Pins::Phase::kResponse : Pins::Phase::kWait;
      drive_data(tenure, 0, !tenure.is_read && pins.irdy, pins);
    } else if (phases.termination != 0 || in_data >= phases.data + phases.stalls) {
      pins.phase = in_data < phases.termination ? Pins::Phase::kTermination : Pins::Phase::kRelease;
      pins.ad_driven = false;
      const bool seen = pins.phase == Pins::Phase::kRelease;
      if (tenure.is_pcix) {
        // Registered targets show a termination for one clock. Split Response is TRDY# alone; Retry
        // is STOP# and DEVSEL#.
        pins.trdy = !seen && splits;
        pins.stop = !seen && !splits;
        pins.devsel = !seen && !splits && !target_aborts;
      } else {
        pins.stop = true;  // until FRAME# is off
        pins.devsel = !target_aborts;
      }
    } else {
      pins.phase = Pins::Phase::kData;
      const std::uint32_t index = (in_data + stride - 1) / stride;
      pins.trdy = in_data % stride == 0;
      const bool last = index + 1 == phases.data;
      // A conventional target asks for the end with its last word. A registered target announces
      // the boundary (Disconnect at Next ADB) four data phases ahead.
      if (tenure.ending == Ending::kDisconnect)
        pins.stop = tenure.is_pcix ? index + 4 >= phases.data : last;
      drive_data(tenure, index, !tenure.is_read || pins.trdy, pins);
    }
    pins.req64 = pins.frame && tenure.width == 8 && !tenure.is_dword;
    pins.ack64 = pins.devsel && tenure.width == 8 && !tenure.is_dword;
  }
}

}  // namespace longhaul::pcix
