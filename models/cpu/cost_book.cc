// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/cost_book.h"

namespace longhaul::cpu {

std::uint64_t CostBook::millicycles(WorkKind kind) const {
  constexpr std::uint64_t kPerCycle = 1000;
  switch (kind) {
    case WorkKind::kDelayPs:
    case WorkKind::kExecuted:
    case WorkKind::kPacketTx:
    case WorkKind::kPacketRx:
    case WorkKind::kNapiPoll: return 0;
    case WorkKind::kUserSyscall: return kPerCycle * user_syscall();
    case WorkKind::kSyscall: return kPerCycle * syscall();
    case WorkKind::kByteCopied: return byte_copied();
    case WorkKind::kByteChecksummed: return byte_checksummed();
    case WorkKind::kInterrupt: return kPerCycle * interrupt();
    case WorkKind::kContextSwitch: return kPerCycle * context_switch();
    case WorkKind::kClockRead: return kPerCycle * clock_read();
  }
  return 0;
}

}  // namespace longhaul::cpu
