// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/adapter_packets.h"

namespace longhaul::observe {
namespace {

constexpr std::uint32_t kRegisterBytes = 4;
constexpr BitField kWord{0, 32};

std::vector<ReceiveRing> receive_rings(const RingMap& map) {
  if (map.receive2.registers.descriptor_bytes == 0) return {map.receive};
  return {map.receive, map.receive2};
}

}  // namespace

AdapterPackets::AdapterPackets(const RingMap& map, pcix::PcixBus& bus, DevicePlace place,
                               const pcix::ConfigSpace& space, PacketBook& book,
                               const AdapterPlaces& places)
    : map_(map),
      bus_(bus),
      place_(place),
      space_(space),
      transmit_(map.transmit, book, places),
      receive_(receive_rings(map), book, places),
      completions_(map.completions.registers) {
  bus_.listen(this);
}

void AdapterPackets::on_tenure(const pcix::TenureRecord& tenure) {
  constexpr std::uint32_t kBridge = pcix::TenureRecord::kBridge;
  if (tenure.data == nullptr || tenure.bytes == 0) return;
  const BusMove move{tenure.start_ps, tenure.start_ps + bus_.timing().ps(tenure.phases.clocks()),
                     tenure.address, tenure.bytes, tenure.data};
  if (tenure.requester == kBridge) {
    const std::uint32_t slot = tenure.is_completion ? tenure.master : tenure.target;
    if (slot == place_.slot && !is_config(tenure.command) && !is_io(tenure.command))
      put_register(move, tenure.is_completion || tenure.is_read);
    return;
  }
  if (tenure.requester != place_.slot || tenure.requester_function != place_.function) return;
  if (tenure.is_completion || tenure.is_read) {
    transmit_.adapter_reads(move);
    receive_.adapter_reads(move);
  } else if (completions_.contains(move.address)) {
    completions_come(move);
  } else if (!transmit_.adapter_writes(move)) {
    receive_.adapter_writes(move);
  }
}

void AdapterPackets::completions_come(const BusMove& move) {
  const CompletionRing& ring = map_.completions;
  const RingFollower::Range range = completions_.arrived(move);
  for (std::uint64_t at = range.begin; at < range.end; ++at) {
    const std::uint8_t* const bytes = completions_.descriptor(at);
    const BusMove entry{move.start_ps, move.end_ps, completions_.address_of(at),
                        ring.registers.descriptor_bytes, bytes};
    if (const std::uint64_t sent = ring.sent.of(bytes)) transmit_.completed(sent, entry);
    if (ring.filled.of(bytes) == 0) continue;
    receive_.completed({ring.list.of(bytes), static_cast<std::uint32_t>(ring.length.of(bytes)),
                        ring.end.of(bytes) != 0, ring.message.of(bytes) != 0},
                       entry);
  }
}

void AdapterPackets::put_register(const BusMove& move, bool is_read) {
  const std::uint64_t begin = space_.memory_bar(0);
  if (begin == 0 || move.address < begin || move.address - begin >= space_.memory_size(0)) return;
  const auto offset = static_cast<std::uint32_t>(move.address - begin);
  if (is_read) {
    if (offset == map_.cause_register) receive_.causes_read(move);
    return;
  }
  for (std::uint32_t at = 0; at + kRegisterBytes <= move.bytes; at += kRegisterBytes) {
    const auto value = static_cast<std::uint32_t>(kWord.of(move.data + at));
    if (offset + at == map_.reset_register && map_.reset.in(value) != 0) {
      transmit_.reset();
      receive_.reset();
      continue;
    }
    if (offset + at == map_.cause_register && map_.acknowledge.in(value) != 0)
      receive_.causes_read(move);
    if (map_.completions.registers.descriptor_bytes != 0)
      completions_.write_register(offset + at, value, move);
    transmit_.write_register(offset + at, value, move);
    receive_.write_register(offset + at, value, move);
  }
}

nlohmann::json AdapterPackets::counts() const {
  return {{"transmitted", transmit_.matched()},
          {"frames_without_packet", transmit_.strange_frames()},
          {"packets_without_frame", transmit_.packets_without_frame()},
          {"transmit_faults", transmit_.faults()},
          {"received", receive_.matched()},
          {"packets_without_arrival", receive_.strange_packets()},
          {"arrivals_without_packet", receive_.frames_without_packet()},
          {"receive_faults", receive_.faults()}};
}

}  // namespace longhaul::observe
