// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/ring_map.h"
#include "models/nic/terminator/cpl.h"
#include "models/nic/terminator/regs_pl.h"
#include "models/nic/terminator/regs_sge.h"
#include "models/nic/terminator/response_queue.h"

namespace longhaul::nic::terminator {

/// The queues of the SGE: command queue 0 (sge_tx), both free lists (sge_rx), and the response
/// queue. Entries are those of descriptor_queue and response_queue. The message in front of a frame
/// is CPL_TX_PKT or CPL_RX_PKT; all other messages are no frames.
inline RingMap ring_map() {
  constexpr std::uint32_t kDescriptorBytes = 16;
  constexpr BitField kAddress{32, 64};
  constexpr BitField kLength{0, 31};
  constexpr BitField kGeneration1{31, 1};
  constexpr BitField kGeneration2{96, 1};
  constexpr BitField kEop{96 + 3, 1};
  const auto field = [](const RegisterField& of, std::uint32_t word) {
    return BitField{static_cast<std::uint16_t>(32 * word + of.lsb),
                    static_cast<std::uint8_t>(of.width)};
  };
  const auto queue = [&](const RegisterSpec& low, const RegisterSpec& high,
                         const RegisterSpec& size, const RegisterField& wakes) {
    RingRegisters registers;
    registers.base_low = low.offset;
    registers.base_high = high.offset;
    registers.length = size.offset;
    registers.length_is = RingLength::kDescriptors;
    registers.tail = regs::kSgDoorbell.offset;
    registers.tail_index = field(wakes, 0);
    registers.descriptor_bytes = kDescriptorBytes;
    registers.generation = kGeneration1;
    registers.generation2 = kGeneration2;
    return registers;
  };
  const auto list = [&](const RingRegisters& registers) {
    ReceiveRing ring;
    ring.registers = registers;
    ring.address = kAddress;
    ring.buffer_size = kLength;
    ring.head_bytes = cpl::kHeadBytes;
    return ring;
  };
  constexpr const auto& kWakes = regs::kSgDoorbellFields;
  RingMap map;
  map.transmit.registers =
      queue(regs::kSgCmd0baselwr, regs::kSgCmd0baseupr, regs::kSgCmd0size, kWakes.cmdq0_enable);
  map.transmit.address = kAddress;
  map.transmit.length = kLength;
  map.transmit.end = kEop;
  map.transmit.head_bytes = cpl::kHeadBytes;
  map.transmit.head_opcode = cpl::kTxPkt;
  map.receive =
      list(queue(regs::kSgFl0baselwr, regs::kSgFl0baseupr, regs::kSgFl0size, kWakes.fl0_enable));
  map.receive2 =
      list(queue(regs::kSgFl1baselwr, regs::kSgFl1baseupr, regs::kSgFl1size, kWakes.fl1_enable));
  map.completions.registers =
      queue(regs::kSgRspbaselwr, regs::kSgRspbaseupr, regs::kSgRspsize, RegisterField{});
  map.completions.registers.descriptor_bytes = response::kBytes;
  map.completions.registers.generation = field(response::kGeneration, 1);
  map.completions.registers.generation2 = {};
  map.completions.length = {0, 32};
  map.completions.filled = field(response::kDataValid, 1);
  map.completions.list = field(response::kFreelist, 1);
  map.completions.end = field(response::kEop, 1);
  map.completions.message = field(response::kOffload, 1);
  map.completions.sent = field(response::kCreditReturn.front(), 1);
  map.cause_register = regs::kPlCause.offset;
  map.acknowledge = field(regs::kPlIntrFields.pl_intr_sge_data, 0);
  return map;
}

}  // namespace longhaul::nic::terminator
