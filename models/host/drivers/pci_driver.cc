// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/pci_driver.h"

#include <string>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::host {

PciDriver::PciDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
                     std::uint32_t mtu, sc_core::sc_time watchdog, const DeviceFeatures& features)
    : sc_module(name), setup_(setup), mtu_(mtu), watchdog_(watchdog), features_(features) {}

std::uint32_t PciDriver::read(std::uint32_t offset) const {
  return static_cast<std::uint32_t>(Processor::current()->read(base_ + offset));
}

void PciDriver::write(std::uint32_t offset, std::uint32_t value) const {
  Processor::current()->write(base_ + offset, value);
}

void PciDriver::delay(std::uint64_t ps) {
  Processor& cpu = *Processor::current();
  cpu.charge(cpu::WorkKind::kDelayPs, ps);
  cpu.pay();
}

std::uint32_t PciDriver::largest_frame() const {
  return mtu_ + ethernet::kHeaderBytes + Frame::kFcsBytes;
}

NetRx& PciDriver::receive_softirq() const {
  const Processor* const cpu = Processor::current();
  for (NetRx* softirq : setup_.receive_softirqs) {
    if (&softirq->processor() == cpu) return *softirq;
  }
  return *setup_.receive_softirqs.front();
}

void PciDriver::open() {
  if (open_) return;
  setup_.bus.scan();
  const PciFunction& function = setup_.bus.at(setup_.slot, setup_.function);
  base_ = function.bar(0).address;
  if (!handled_) {
    setup_.router.add_handler(function.interrupt_line(), *this);
    handled_ = true;
  }
  reset_adapter();
  mac_ = read_mac();
  up();
  look_at_link();
}

void PciDriver::close() {
  if (!open_) return;
  setup_.timers.cancel(*this);
  down();
  set_link(false);
}

void PciDriver::up() {
  if (!open_rings()) {
    close_rings();
    throw ConfigError(std::string(name()) +
                      ": the machine's memory has no room for its descriptor rings");
  }
  start_adapter();
  open_ = true;
  enable();
}

void PciDriver::down() {
  open_ = false;
  reset_adapter();
  std::uint64_t cookie = 0;
  while (abandon(cookie)) user_->sent(cookie);
  close_rings();
}

bool PciDriver::sendable(const TxPacket& packet) const {
  const bool offload = packet.checksum || packet.mss != 0;
  const std::uint32_t most = packet.mss != 0 ? kMostSuperFrame : largest_frame() - Frame::kFcsBytes;
  return packet.count != 0 && packet.count <= TxPacket::kMostExtents &&
         packet.bytes >= ethernet::kHeaderBytes && packet.bytes <= most &&
         (!offload ||
          (packet.l4_offset > ethernet::kHeaderBytes && packet.l4_offset < packet.bytes)) &&
         (packet.mss == 0 ||
          (features_.tso_bytes != 0 && packet.extents[0].bytes >= packet.header_bytes &&
           packet.header_bytes > packet.l4_offset)) &&
         fits(packet);
}

void PciDriver::drop(const TxPacket& packet) {
  tx_dropped.add();
  user_->sent(packet.cookie);
}

bool PciDriver::transmit(const TxPacket& packet) {
  if (!open_ || !link_up_ || !sendable(packet)) {
    drop(packet);
    return true;
  }
  if (!has_descriptors(packet)) {
    tx_busy.add();
    refused_ = true;
    return false;
  }
  Processor& cpu = *Processor::current();
  const std::uint32_t descriptors = put(packet, cpu);
  tx_packets.add();
  sent_bytes_ += packet.bytes;
  cpu.charge(cpu::WorkKind::kPacketTx);
  cpu.execute(setup_.net.driver_send_cycles() +
              descriptors * setup_.net.driver_descriptor_cycles());
  // Another sender may run during pay(). Ringing the doorbell after it makes sure that the last
  // write has the newest tail.
  cpu.pay();
  if (open_) ring_doorbell();
  return true;
}

void PciDriver::give_back(std::uint64_t cookie, std::uint32_t descriptors, Processor& cpu) {
  cpu.execute(descriptors * std::uint64_t{setup_.net.driver_clean_cycles()});
  user_->sent(cookie);
}

void PciDriver::make_room() {
  refused_ = false;
  user_->has_room();
}

void PciDriver::deliver(const RxPacket& packet, Processor& cpu) {
  rx_packets.add();
  received_bytes_ += packet.bytes;
  cpu.charge(cpu::WorkKind::kPacketRx);
  RxPacket judged = packet;
  judged.checksum_good = packet.checksum_good && features_.checksum_rx;
  user_->received(judged);
  cpu.pay();
}

void PciDriver::look_at_link() { setup_.timers.set(*this, Processor::current()->now_ps()); }

void PciDriver::set_link(bool up) {
  if (link_up_ == up) return;
  link_up_ = up;
  user_->link_changed(up);
  if (up && refused_) make_room();
}

void PciDriver::expired() {
  if (!open_) return;
  Processor& cpu = *Processor::current();
  const bool link = find_link();
  if (!open_) return;  // closed by another processor meanwhile
  set_link(link);
  // Frames in the ring would stay there until the link is up again.
  if (open_ && !link_up_ && holds_packets()) {
    down();
    up();
  }
  if (!open_) return;
  watch();
  nudge();
  setup_.timers.set(*this, cpu.now_ps() + to_ps(watchdog_));
}

}  // namespace longhaul::host
