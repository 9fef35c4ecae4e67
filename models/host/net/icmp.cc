// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/icmp.h"

#include <algorithm>

#include "models/common/big_endian.h"
#include "models/host/net/stack.h"
#include "models/net/frame/checksum.h"

namespace longhaul::host {
namespace icmp {
namespace {

void add_pseudo_header(OnesSum& sum, const std::uint8_t* frame, std::uint32_t bytes) {
  sum.add(frame + ethernet::kHeaderBytes + 8, 32);  // both addresses
  sum.add_value(bytes);
  sum.add_value(ip_protocol::kIcmp6);
}

}  // namespace

void finish(std::uint8_t* frame, bool ipv6, const HostBytes& source, const HostBytes& destination,
            std::uint32_t bytes, std::uint8_t hop_limit, std::uint16_t identification) {
  std::uint8_t* const ip = frame + ethernet::kHeaderBytes;
  std::uint8_t* const message = frame + (ipv6 ? kIpv6Begin : kIpv4Begin);
  write_be16(frame + 12, ipv6 ? ethernet::kTypeIpv6 : ethernet::kTypeIpv4);
  std::fill(ip, message, std::uint8_t{0});
  if (ipv6) {
    ip[0] = 0x60;
    write_be16(ip + 4, bytes);
    ip[6] = ip_protocol::kIcmp6;
    ip[7] = hop_limit;
    std::copy_n(source.begin(), 16, ip + 8);
    std::copy_n(destination.begin(), 16, ip + 24);
  } else {
    ip[0] = 0x45;
    write_be16(ip + 2, 20 + bytes);
    write_be16(ip + 4, identification);
    ip[8] = hop_limit;
    ip[9] = ip_protocol::kIcmp;
    std::copy_n(source.begin(), 4, ip + 12);
    std::copy_n(destination.begin(), 4, ip + 16);
    OnesSum header;
    header.add(ip, 20);
    write_be16(ip + 10, header.checksum());
  }
  write_be16(message + 2, 0);
  OnesSum sum;
  if (ipv6) add_pseudo_header(sum, frame, bytes);
  sum.add(message, bytes);
  write_be16(message + 2, sum.checksum());
}

bool intact_header(const std::uint8_t* frame) {
  OnesSum sum;
  sum.add(frame + ethernet::kHeaderBytes, 20);
  return sum.intact();
}

bool intact(const std::uint8_t* frame, bool ipv6, const std::uint8_t* message,
            std::uint32_t bytes) {
  OnesSum sum;
  if (ipv6) add_pseudo_header(sum, frame, bytes);
  sum.add(message, bytes);
  return sum.intact();
}

}  // namespace icmp

void Stack::input_icmp(Interface& interface, const RxPacket& packet, bool ipv6) {
  const std::uint8_t* const frame = pool_.at(packet.address);
  const std::uint32_t at = ipv6 ? icmp::kIpv6Begin : icmp::kIpv4Begin;
  const std::uint32_t total = ipv6 ? 40U + read_be16(frame + ethernet::kHeaderBytes + 4)
                                   : read_be16(frame + ethernet::kHeaderBytes + 2);
  if (ethernet::kHeaderBytes + total > packet.bytes ||
      ethernet::kHeaderBytes + total < at + icmp::kEchoBytes ||
      (!ipv6 && frame[ethernet::kHeaderBytes] != 0x45)) {
    return drop_malformed.add();
  }
  if (!ipv6 && !icmp::intact_header(frame)) return drop_checksum.add();
  HostBytes to{};
  std::copy_n(frame + ethernet::kHeaderBytes + (ipv6 ? 24 : 16), ipv6 ? 16 : 4, to.begin());
  if (!interface.takes(ipv6, to)) return drop_address.add();
  const std::uint8_t* const message = frame + at;
  const std::uint32_t bytes = ethernet::kHeaderBytes + total - at;
  Processor& processor = *Processor::current();
  processor.sum(packet.address + at, bytes);
  if (!icmp::intact(frame, ipv6, message, bytes)) return drop_checksum.add();
  const std::uint8_t type = message[0];
  if (type == (ipv6 ? icmp::kEchoRequest6 : icmp::kEchoRequest4)) {
    answer_echo(interface, packet, ipv6, at, bytes);
  } else if (type == (ipv6 ? icmp::kEchoReply6 : icmp::kEchoReply4)) {
    const auto echo = echoes_.find(read_be16(message + 4));
    if (echo != echoes_.end()) echo->second->replied(read_be16(message + 6));
  } else if (ipv6 && (type == icmp::kSolicitation || type == icmp::kAdvertisement)) {
    interface.neighbours().on_discovery(frame, message, bytes);
  }
}

void Stack::answer_echo(Interface& interface, const RxPacket& packet, bool ipv6, std::uint32_t at,
                        std::uint32_t bytes) {
  Processor& processor = *Processor::current();
  processor.execute(params_.ip_send_cycles() + params_.allocate_cycles());
  TxSlot* const slot = interface.take_frame(at + bytes);
  if (slot == nullptr) return drop_no_memory.add();
  const std::uint8_t* const frame = pool_.at(packet.address);
  std::uint8_t* const answer = pool_.to_write(slot->header, at + bytes);
  const std::uint8_t* const ip = frame + ethernet::kHeaderBytes;
  Address asker;
  asker.ipv6 = ipv6;
  std::copy_n(ip + (ipv6 ? 8 : 12), ipv6 ? 16 : 4, asker.host.begin());
  const MacAddress own = interface.device().mac();
  std::copy(own.begin(), own.end(), answer + 6);
  processor.copy(packet.address + at, slot->header + at, bytes);
  processor.charge(cpu::WorkKind::kByteChecksummed, bytes);
  std::copy_n(frame + at, bytes, answer + at);
  answer[at] = ipv6 ? icmp::kEchoReply6 : icmp::kEchoReply4;
  icmp::finish(answer, ipv6, (ipv6 ? interface.addresses().ipv6 : interface.addresses().ipv4)->host,
               asker.host, bytes, 64, next_identification());
  echo_requests.add();
  interface.send(*slot, interface.neighbour(asker));
}

Echo::Echo(Stack& stack, std::uint16_t id) : stack_(stack), id_(id) { stack_.add_echo(id, *this); }

Echo::~Echo() { stack_.remove_echo(id_); }

bool Echo::send(Process& process, const Address& to, std::uint16_t sequence, std::uint32_t bytes) {
  const Process::Syscall call(process);
  sent_at_ = now_ps();
  awaited_ = sequence;
  Processor& processor = process.processor();
  const NetParams& params = stack_.params();
  processor.execute(params.socket_call_cycles() + params.ip_send_cycles() +
                    params.allocate_cycles());
  Interface* const interface = stack_.route(to);
  if (interface == nullptr) return false;
  const std::uint32_t at = to.ipv6 ? icmp::kIpv6Begin : icmp::kIpv4Begin;
  const std::uint32_t message_bytes = icmp::kEchoBytes + bytes;
  TxSlot* const slot = interface->take_frame(at + message_bytes);
  if (slot == nullptr) return false;
  std::uint8_t* const frame = stack_.pool().to_write(slot->header, at + message_bytes);
  const MacAddress own = interface->device().mac();
  std::copy(own.begin(), own.end(), frame + 6);
  std::uint8_t* const message = frame + at;
  std::fill_n(message, icmp::kEchoBytes, std::uint8_t{0});
  message[0] = to.ipv6 ? icmp::kEchoRequest6 : icmp::kEchoRequest4;
  write_be16(message + 4, id_);
  write_be16(message + 6, sequence);
  for (std::uint32_t i = 0; i < bytes; ++i)
    message[icmp::kEchoBytes + i] = static_cast<std::uint8_t>(i);
  processor.charge(cpu::WorkKind::kByteCopied, bytes);
  processor.charge(cpu::WorkKind::kByteChecksummed, message_bytes);
  icmp::finish(frame, to.ipv6,
               (to.ipv6 ? interface->addresses().ipv6 : interface->addresses().ipv4)->host, to.host,
               message_bytes, 64, stack_.next_identification());
  return interface->send(*slot, interface->neighbour(to));
}

std::optional<std::uint64_t> Echo::wait(Process& process, std::uint16_t sequence,
                                        std::uint64_t timeout_ps) {
  const Process::Syscall call(process);
  process.processor().execute(stack_.params().socket_call_cycles());
  const std::uint64_t until = now_ps() + timeout_ps;
  while (awaited_ == sequence && now_ps() < until) process.wait(waiting_, until - now_ps());
  process.processor().pay();
  if (awaited_ == sequence) return std::nullopt;
  return now_ps() - sent_at_;
}

void Echo::replied(std::uint16_t sequence) {
  if (sequence != awaited_) return;  // late, or twice
  awaited_ = kNone;
  waiting_.wake_all();
}

}  // namespace longhaul::host
