// SPDX-License-Identifier: Apache-2.0
// Responses of the SGE: received frames and returned credits.
#include "models/common/big_endian.h"
#include "models/host/drivers/chelsio/cxgb_driver.h"
#include "models/host/drivers/chelsio/sge_settings.h"
#include "models/host/drivers/frame_copy.h"
#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/ip_protocol.h"

namespace longhaul::host::chelsio {
namespace {

constexpr std::uint32_t kSumRight = 0xffff;                       // of CPL_RX_PKT
constexpr std::uint32_t kCreditBatch = 64;                        // process_responses()
constexpr std::uint64_t kHoldOffWithoutMemoryPs = 1'000'000'000;  // sge.c: SGE_INTRTIMER_NRES

}  // namespace

bool CxgbDriver::interrupt() {
  if (!is_open()) return false;
  Processor& cpu = *Processor::current();
  write(regs::kPlCause, regs::kPlIntrFields.pl_intr_sge_data);
  Response response;
  bool handled = true;
  if (polled()) {
    if (polling_) {
      handled = handle_slow_causes();
    } else if (!responses_.peek(response, cpu)) {
      sleep_until_next();
      handled = handle_slow_causes();
    } else if (response.has_data() || take_pure_responses(cpu)) {
      polling_ = true;
      receive_softirq().schedule(*this);
    } else {
      sleep_until_next();
    }
  } else {
    handled = responses_.peek(response, cpu) ? take_responses(cpu, ~0U) != 0 : handle_slow_causes();
    sleep_until_next();
  }
  if (handled) interrupts.add();
  return handled;
}

PolledDevice::Polled CxgbDriver::poll(std::uint32_t most) {
  if (!is_open()) return {0, false};
  Processor& cpu = *Processor::current();
  polls.add();
  cpu.charge(cpu::WorkKind::kNapiPoll);
  const std::uint32_t taken = take_responses(cpu, most);
  const bool more = taken >= most && is_open();
  if (!more) {
    polling_ = false;
    sleep_until_next();
  }
  return {taken, more};
}

/// Tells the chip which response is read next. The next interrupt comes when the hold-off timer has
/// ended and that response is there.
void CxgbDriver::sleep_until_next() {
  if (is_open()) write(regs::kSgSleeping, responses_.ring().at());
}

void CxgbDriver::count_response() {
  responses_.next();
  if (responses_.credits() <= params_.responses() / 4) return;
  write(regs::kSgRspqueuecredit, responses_.credits());
  responses_.credits_given();
}

std::uint32_t CxgbDriver::take_responses(Processor& cpu, std::uint32_t most) {
  Response response;
  std::uint32_t taken = 0;
  std::uint32_t sleeping = 0;
  std::uint32_t credits = 0;
  while (taken < most && responses_.peek(response, cpu)) {
    ++taken;
    sleeping |= response.sleeping();
    credits += response.credits();
    take_credits(response);
    if ((sleeping & regs::kSgDoorbellFields.cmdq0_enable) != 0 || credits > kCreditBatch) {
      update_tx(sleeping, credits);
      sleeping = credits = 0;
    }
    cpu.execute(setup().net.driver_descriptor_cycles());
    if (response.has_data()) {
      receive(response, cpu);
      if (!is_open()) return taken;
    } else {
      pure_responses.add();
    }
    count_response();
  }
  update_tx(sleeping, credits);
  return taken;
}

/// Takes responses without a frame. Returns true if it has come to one with a frame.
bool CxgbDriver::take_pure_responses(Processor& cpu) {
  Response response;
  std::uint32_t sleeping = 0;
  std::uint32_t credits = 0;
  bool data = false;
  while (responses_.peek(response, cpu)) {
    data = response.has_data();
    if (data) break;
    cpu.execute(setup().net.driver_descriptor_cycles());
    sleeping |= response.sleeping();
    credits += response.credits();
    take_credits(response);
    pure_responses.add();
    count_response();
  }
  update_tx(sleeping, credits);
  return data;
}

void CxgbDriver::receive(const Response& response, Processor& cpu) {
  FreeList& list = lists_[response.free_list() & 1U];
  cpu.execute(setup().net.driver_receive_cycles());
  RxPacket packet;
  if (response.offload() && take_message(response, list, cpu)) {
    if (is_open() && list.ring().entries() - list.credits() > params_.refill_below())
      refill(list, cpu);
    return;
  }
  const bool frame = response.whole() && !response.offload() &&
                     response.bytes >= kHeadBytes + ethernet::kHeaderBytes &&
                     response.bytes <= list.buffer_bytes() - kIpAlign;
  if (!frame) {
    rx_errors.add();
    list.recycle();
  } else if (get_packet(list, response.bytes, packet, cpu)) {
    packet.checksum_good = judged_good(packet);
    deliver(packet, cpu);
    if (!is_open()) return;
  } else {
    rx_dropped.add();
  }
  if (list.ring().entries() - list.credits() > params_.refill_below()) refill(list, cpu);
}

bool CxgbDriver::get_packet(FreeList& list, std::uint32_t bytes, RxPacket& packet, Processor& cpu) {
  const std::uint64_t data = list.oldest();
  cpu.touch_read(data, kHeadBytes + ethernet::kHeaderBytes);
  packet.bytes = bytes - kHeadBytes;
  if (bytes < params_.copybreak()) {
    const bool copied =
        copy_frame(data, bytes, kIpAlign, setup().node, setup().memory, cpu, packet);
    if (copied) {
      packet.address += kHeadBytes;
      cpu.execute(setup().net.allocate_cycles());
    } else {
      rx_no_buffer.add();
    }
    list.recycle();
    return copied;
  }
  if (list.credits() < params_.drop_below()) {
    list.recycle();
    return false;
  }
  list.take(packet);
  packet.address = data + kHeadBytes;
  return true;
}

/// The chip sums what follows the IP header; the driver trusts that for IPv4's TCP and UDP.
bool CxgbDriver::judged_good(const RxPacket& packet) const {
  const std::uint8_t* const frame = setup().memory.at(packet.address);
  const std::uint8_t* const header = setup().memory.at(packet.address - kHeadBytes);
  if (read_be16(header + 2) != kSumRight || read_be16(frame + 12) != ethernet::kTypeIpv4)
    return false;
  const std::uint8_t protocol = frame[ethernet::kHeaderBytes + 9];
  return protocol == ip_protocol::kTcp || protocol == ip_protocol::kUdp;
}

void CxgbDriver::refill(FreeList& list, Processor& cpu) {
  bool failed = false;
  const std::uint32_t buffers = list.refill(failed);
  cpu.execute(buffers * std::uint64_t{setup().net.allocate_cycles() +
                                      setup().net.driver_descriptor_cycles()});
  if (failed) rx_no_buffer.add();
}

/// freelQs_empty(): while a list has few buffers, interrupts are few, and those of empty lists are
/// off. The doorbell lets the chip look at the lists again; it tells when one sleeps.
void CxgbDriver::refill_empty() {
  Processor& cpu = *Processor::current();
  for (FreeList& list : lists_) refill(list, cpu);
  const bool enough = lists_[0].credits() > params_.rx_buffers() / 4 &&
                      lists_[1].credits() > params_.rx_jumbo_buffers() / 4;
  write(regs::kSgIntrtimer,
        board_->hold_off_ticks(enough ? to_ps(params_.rx_coalesce()) : kHoldOffWithoutMemoryPs));
  write(regs::kSgIntEnable, enough ? kSgeErrors : kSgeErrors & ~regs::kSgIntFields.fl_exhausted);
  write(regs::kSgDoorbell, kBothLists);
}

}  // namespace longhaul::host::chelsio
