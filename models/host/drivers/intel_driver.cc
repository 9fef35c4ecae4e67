// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/intel_driver.h"

#include <algorithm>
#include <cstring>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::host {
namespace {

constexpr std::uint32_t kMostSuperFrame = 65536;

}  // namespace

IntelDriver::IntelDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
                         const IntelDriverParams& params, const Registers& registers)
    : sc_module(name),
      setup_(setup),
      params_(params),
      registers_(registers),
      tx_ring_(setup.memory, params.tx_descriptors()),
      rx_ring_(setup.memory, params.rx_descriptors()) {
  features_ = {params.scatter_gather(), params.checksum_tx(), params.checksum_rx(),
               params.tso() ? kMostSuperFrame : 0};
}

std::uint32_t IntelDriver::read(std::uint32_t offset) const {
  return static_cast<std::uint32_t>(Processor::current()->read(base_ + offset));
}

void IntelDriver::write(std::uint32_t offset, std::uint32_t value) const {
  Processor::current()->write(base_ + offset, value);
}

void IntelDriver::delay(std::uint64_t ps) {
  Processor& cpu = *Processor::current();
  cpu.charge(cpu::WorkKind::kDelayPs, ps);
  cpu.pay();
}

std::uint32_t IntelDriver::largest_frame() const {
  return params_.mtu() + ethernet::kHeaderBytes + Frame::kFcsBytes;
}

NetRx& IntelDriver::receive_softirq() const {
  const Processor* const cpu = Processor::current();
  for (NetRx* softirq : setup_.receive_softirqs) {
    if (&softirq->processor() == cpu) return *softirq;
  }
  return *setup_.receive_softirqs.front();
}

void IntelDriver::open() {
  if (open_) return;
  setup_.bus.scan();
  const PciFunction& function = setup_.bus.at(setup_.slot, setup_.function);
  base_ = function.bar(0).address;
  if (!handled_) {
    setup_.router.add_handler(function.interrupt_line(), *this);
    handled_ = true;
  }
  reset_adapter();
  read_mac();
  up();
  setup_.timers.set(*this, Processor::current()->now_ps());
}

void IntelDriver::close() {
  if (!open_) return;
  setup_.timers.cancel(*this);
  down();
  set_link(false);
}

void IntelDriver::up() {
  if (!tx_ring_.open(setup_.node) || !rx_ring_.open(rx_format())) {
    tx_ring_.close();
    throw ConfigError(std::string(name()) +
                      ": the machine's memory has no room for its descriptor rings");
  }
  tx_format_ = tx_format();
  start_adapter();
  open_ = true;
  refill(*Processor::current());
  write(registers_.ims, registers_.causes);
}

void IntelDriver::down() {
  open_ = false;
  polling_ = false;
  reset_adapter();
  std::uint64_t cookie = 0;
  while (tx_ring_.abandon(cookie)) user_->sent(cookie);
  tx_ring_.close();
  rx_ring_.close();
}

void IntelDriver::read_mac() {
  const std::uint32_t low = read(registers_.ral);
  const std::uint32_t high = read(registers_.ral + 4);
  for (std::uint32_t i = 0; i < 4; ++i) mac_[i] = static_cast<std::uint8_t>(low >> (8 * i));
  for (std::uint32_t i = 0; i < 2; ++i) mac_[4 + i] = static_cast<std::uint8_t>(high >> (8 * i));
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
  if (open_) write(registers_.mta + 4 * (hash >> 5), word);
}

bool IntelDriver::sendable(const TxPacket& packet) const {
  const bool offload = packet.checksum || packet.mss != 0;
  const std::uint32_t most = packet.mss != 0 ? kMostSuperFrame : largest_frame() - Frame::kFcsBytes;
  return packet.count != 0 && packet.count <= TxPacket::kMostExtents &&
         packet.bytes >= ethernet::kHeaderBytes && packet.bytes <= most &&
         (!offload ||
          (packet.l4_offset > ethernet::kHeaderBytes && packet.l4_offset < packet.bytes)) &&
         (packet.mss == 0 ||
          (features_.tso_bytes != 0 && packet.extents[0].bytes >= packet.header_bytes &&
           packet.header_bytes > packet.l4_offset)) &&
         TxRing::needed(tx_format_, packet) < tx_ring_.entries();
}

void IntelDriver::drop(const TxPacket& packet) {
  tx_dropped.add();
  user_->sent(packet.cookie);
}

bool IntelDriver::transmit(const TxPacket& packet) {
  if (!open_ || !link_up_ || !sendable(packet)) {
    drop(packet);
    return true;
  }
  // The driver asks for room before it counts the descriptors of a packet (ixgb). For a larger
  // packet it checks again.
  const std::uint32_t needed = std::max(kMostDescriptors, TxRing::needed(tx_format_, packet));
  if (tx_ring_.free() < std::min(needed, tx_ring_.entries() - 1)) {
    tx_busy.add();
    refused_ = true;
    return false;
  }
  Processor& cpu = *Processor::current();
  if (packet.mss != 0) finish_header(packet);
  const std::uint32_t descriptors = tx_ring_.put(tx_format_, packet, cpu);
  tx_packets.add();
  sent_bytes_ += packet.bytes;
  cpu.charge(cpu::WorkKind::kPacketTx);
  cpu.execute(setup_.net.driver_send_cycles() +
              descriptors * setup_.net.driver_descriptor_cycles());
  // Another sender may run during pay(). Reading the tail after it makes sure that the last write
  // has the newest tail.
  cpu.pay();
  if (open_) write(registers_.tdt, tx_ring_.tail());
  return true;
}

/// Fills in the headers as segmentation needs them: no lengths, no IP checksum, and the sum of a
/// pseudo header without the length.
void IntelDriver::finish_header(const TxPacket& packet) {
  std::uint8_t* const frame =
      setup_.memory.to_write(packet.extents[0].address, packet.header_bytes);
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
  if (!open_ || handling_) return open_ && handling_;
  const std::uint32_t causes = read(registers_.icr);
  if (causes == 0 || causes == ~0U) return false;
  interrupts.add();
  Processor& cpu = *Processor::current();
  look_at_link(causes);
  if (setup_.net.napi()) {
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
  if ((causes & registers_.link_causes) != 0)
    setup_.timers.set(*this, Processor::current()->now_ps());
}

PolledDevice::Polled IntelDriver::poll(std::uint32_t most) {
  if (!open_) return {0, false};
  Processor& cpu = *Processor::current();
  polls.add();
  cpu.charge(cpu::WorkKind::kNapiPoll);
  const std::uint32_t sent = clean_tx(cpu);
  const std::uint32_t received = clean_rx(cpu, most);
  const bool more = params_.poll_until_empty() ? sent + received != 0 : received >= most;
  if (!more && open_) {
    polling_ = false;
    write(registers_.ims, registers_.causes);
  }
  return {received, more && open_};
}

std::uint32_t IntelDriver::clean_tx(Processor& cpu) {
  std::uint32_t descriptors = 0;
  std::uint64_t cookie = 0;
  while (const std::uint32_t count = tx_ring_.take_done(cpu, cookie)) {
    descriptors += count;
    cpu.execute(count * std::uint64_t{setup_.net.driver_clean_cycles()});
    user_->sent(cookie);
  }
  if (refused_ && tx_ring_.free() > params_.tx_wake()) make_room();
  return descriptors;
}

void IntelDriver::make_room() {
  refused_ = false;
  user_->has_room();
}

std::uint32_t IntelDriver::clean_rx(Processor& cpu, std::uint32_t most) {
  RxPacket packet;
  std::uint32_t done = 0;
  while (done < most) {
    const RxRing::Taken taken = rx_ring_.take(packet, cpu);
    if (taken == RxRing::Taken::kNothing) break;
    ++done;
    cpu.execute(setup_.net.driver_receive_cycles() + setup_.net.driver_descriptor_cycles());
    if (taken == RxRing::Taken::kRefused) {
      rx_errors.add();
      continue;
    }
    rx_packets.add();
    received_bytes_ += packet.bytes;
    cpu.charge(cpu::WorkKind::kPacketRx);
    packet.checksum_good = packet.checksum_good && params_.checksum_rx();
    user_->received(packet);
    cpu.pay();
    if (!open_) return done;
  }
  refill(cpu);
  return done;
}

void IntelDriver::refill(Processor& cpu) {
  for (;;) {
    const RxRing::Refilled filled = rx_ring_.refill();
    cpu.execute(filled.buffers * std::uint64_t{setup_.net.allocate_cycles()} +
                filled.descriptors * std::uint64_t{setup_.net.driver_descriptor_cycles()});
    if (filled.failed) rx_no_buffer.add();
    if (!filled.tell) return;
    write(registers_.rdt, rx_ring_.tail());
    if (!open_) return;
  }
}

void IntelDriver::set_link(bool up) {
  if (link_up_ == up) return;
  link_up_ = up;
  user_->link_changed(up);
  if (up && refused_) make_room();
}

void IntelDriver::expired() {
  if (!open_) return;
  Processor& cpu = *Processor::current();
  const bool link = find_link();
  if (!open_) return;  // closed by another processor meanwhile
  set_link(link);
  // Frames in the ring would stay there until the link is up again.
  if (open_ && !link_up_ && tx_ring_.used() != 0) {
    down();
    up();
  }
  if (!open_) return;
  watch();
  write(registers_.ics, registers_.nudge);
  setup_.timers.set(*this, cpu.now_ps() + to_ps(params_.watchdog()));
}

}  // namespace longhaul::host
