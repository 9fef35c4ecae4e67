// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/intel_driver.h"

#include <algorithm>
#include <cstring>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::host {

IntelDriver::IntelDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
                         const IntelDriverParams& params, const Registers& registers)
    : PciDriver(name, setup, params.mtu(), params.watchdog(),
                {params.scatter_gather(), params.checksum_tx(), params.checksum_rx(),
                 params.tso() ? kMostSuperFrame : 0}),
      params_(params),
      registers_(registers),
      tx_ring_(setup.memory, params.tx_descriptors()),
      rx_ring_(setup.memory, params.rx_descriptors()) {}

bool IntelDriver::open_rings() {
  tx_format_ = tx_format();
  return tx_ring_.open(setup().node) && rx_ring_.open(rx_format());
}

void IntelDriver::close_rings() {
  polling_ = false;
  tx_ring_.close();
  rx_ring_.close();
}

void IntelDriver::enable() {
  refill(*Processor::current());
  write(registers_.ims, registers_.causes);
}

MacAddress IntelDriver::read_mac() {
  const std::uint32_t low = read(registers_.ral);
  const std::uint32_t high = read(registers_.ral + 4);
  MacAddress mac{};
  for (std::uint32_t i = 0; i < 4; ++i) mac[i] = static_cast<std::uint8_t>(low >> (8 * i));
  for (std::uint32_t i = 0; i < 2; ++i) mac[4 + i] = static_cast<std::uint8_t>(high >> (8 * i));
  return mac;
}

void IntelDriver::write_filters(std::uint32_t vfta) {
  constexpr std::uint32_t kAddresses = 16;
  for (std::uint32_t i = 1; i < kAddresses; ++i) {
    write(registers_.ral + 8 * i, 0);
    write(registers_.ral + 8 * i + 4, 0);
  }
  for (std::uint32_t i = 0; i < kTableWords; ++i) write(registers_.mta + 4 * i, groups_[i]);
  for (std::uint32_t i = 0; i < kTableWords; ++i) write(vfta + 4 * i, 0);
}

void IntelDriver::join(const MacAddress& group) {
  // The upper twelve bits of the address, because RCTL.MO is 0 (8254x SDM 13.5.1).
  const std::uint32_t hash =
      static_cast<std::uint32_t>(group[4] >> 4) | static_cast<std::uint32_t>(group[5]) << 4;
  std::uint32_t& word = groups_[hash >> 5];
  word |= 1U << (hash & 31);
  if (is_open()) write(registers_.mta + 4 * (hash >> 5), word);
}

bool IntelDriver::fits(const TxPacket& packet) const {
  return TxRing::needed(tx_format_, packet) < tx_ring_.entries();
}

bool IntelDriver::has_descriptors(const TxPacket& packet) {
  // The driver asks for room before it counts the descriptors of a packet (ixgb). For a larger
  // packet it checks again.
  const std::uint32_t needed = std::max(kMostDescriptors, TxRing::needed(tx_format_, packet));
  return tx_ring_.free() >= std::min(needed, tx_ring_.entries() - 1);
}

std::uint32_t IntelDriver::put(const TxPacket& packet, Processor& cpu) {
  if (packet.mss != 0) finish_header(packet);
  return tx_ring_.put(tx_format_, packet, cpu);
}

/// Fills in the headers as segmentation needs them: no lengths, no IP checksum, and the sum of a
/// pseudo header without the length.
void IntelDriver::finish_header(const TxPacket& packet) {
  std::uint8_t* const frame =
      setup().memory.to_write(packet.extents[0].address, packet.header_bytes);
  std::uint8_t* const ip = frame + ethernet::kHeaderBytes;
  const std::uint32_t addresses = packet.ipv6 ? 8 : 12;  // where they begin
  const std::uint32_t bytes = packet.ipv6 ? 32 : 8;
  std::uint32_t sum = packet.udp ? 17 : 6;
  for (std::uint32_t i = 0; i < bytes; i += 2) sum += read_be16(ip + addresses + i);
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  write_be16(ip + (packet.ipv6 ? 4 : 2), 0);
  if (!packet.ipv6) write_be16(ip + 10, 0);
  write_be16(frame + packet.l4_offset + (packet.udp ? 6 : 16), static_cast<std::uint16_t>(sum));
}

bool IntelDriver::interrupt() {
  if (!is_open() || handling_) return is_open() && handling_;
  const std::uint32_t causes = read(registers_.icr);
  if (causes == 0 || causes == ~0U) return false;
  interrupts.add();
  Processor& cpu = *Processor::current();
  look_at_link(causes);
  if (setup().net.napi()) {
    if (polling_) return true;
    polling_ = true;
    write(registers_.imc, ~0U);
    receive_softirq().schedule(*this);
    return true;
  }
  handling_ = true;
  for (std::uint32_t turn = 0; turn < params_.interrupt_turns(); ++turn) {
    if (params_.causes_each_turn() && turn != 0) {
      const std::uint32_t more = read(registers_.icr);
      if (more == 0) break;
      look_at_link(more);
    }
    const std::uint32_t received = clean_rx(cpu, ~0U);
    const std::uint32_t sent = clean_tx(cpu);
    if (!params_.causes_each_turn() && received + sent == 0) break;
  }
  handling_ = false;
  return true;
}

void IntelDriver::look_at_link(std::uint32_t causes) {
  if ((causes & registers_.link_causes) != 0) PciDriver::look_at_link();
}

PolledDevice::Polled IntelDriver::poll(std::uint32_t most) {
  if (!is_open()) return {0, false};
  Processor& cpu = *Processor::current();
  polls.add();
  cpu.charge(cpu::WorkKind::kNapiPoll);
  const std::uint32_t sent = clean_tx(cpu);
  const std::uint32_t received = clean_rx(cpu, most);
  const bool more = params_.poll_until_empty() ? sent + received != 0 : received >= most;
  if (!more && is_open()) {
    polling_ = false;
    write(registers_.ims, registers_.causes);
  }
  return {received, more && is_open()};
}

std::uint32_t IntelDriver::clean_tx(Processor& cpu) {
  std::uint32_t descriptors = 0;
  std::uint64_t cookie = 0;
  while (const std::uint32_t count = tx_ring_.take_done(cpu, cookie)) {
    descriptors += count;
    give_back(cookie, count, cpu);
  }
  if (refused() && tx_ring_.free() > params_.tx_wake()) make_room();
  return descriptors;
}

std::uint32_t IntelDriver::clean_rx(Processor& cpu, std::uint32_t most) {
  RxPacket packet;
  std::uint32_t done = 0;
  while (done < most) {
    const RxRing::Taken taken = rx_ring_.take(packet, cpu);
    if (taken == RxRing::Taken::kNothing) break;
    ++done;
    cpu.execute(setup().net.driver_receive_cycles() + setup().net.driver_descriptor_cycles());
    if (taken == RxRing::Taken::kRefused) {
      rx_errors.add();
      continue;
    }
    deliver(packet, cpu);
    if (!is_open()) return done;
  }
  refill(cpu);
  return done;
}

void IntelDriver::refill(Processor& cpu) {
  for (;;) {
    const RxRing::Refilled filled = rx_ring_.refill();
    cpu.execute(filled.buffers * std::uint64_t{setup().net.allocate_cycles()} +
                filled.descriptors * std::uint64_t{setup().net.driver_descriptor_cycles()});
    if (filled.failed) rx_no_buffer.add();
    if (!filled.tell) return;
    write(registers_.rdt, rx_ring_.tail());
    if (!is_open()) return;
  }
}

}  // namespace longhaul::host
