// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/cost_book.h"

#include <algorithm>
#include <array>

namespace longhaul::cpu {
namespace {

/// Cycles, or thousandths of a cycle per byte, with their evidence.
struct Cost {
  std::uint32_t value;
  Source source;
};

/// One pipeline's book.
struct CostRow {
  const char* name;
  Cost user_syscall, syscall, byte_copied, byte_checksummed, interrupt, context_switch, clock_read,
      list_step;
};

constexpr Cost assumed(std::uint32_t value, const char* where) {
  return {value, {Evidence::kAssumed, where}};
}
constexpr Cost measured(std::uint32_t value, const char* where) {
  return {value, {Evidence::kMeasured, where}};
}

constexpr const char* kUser = "models/cpu/README.md#user-space";
constexpr const char* kSyscalls = "models/cpu/README.md#system-calls";
constexpr const char* kCopies = "models/cpu/README.md#copies";
constexpr const char* kChecksums = "models/cpu/README.md#checksums";
constexpr const char* kInterrupts = "models/cpu/README.md#interrupts";
constexpr const char* kSwitches = "models/cpu/README.md#context-switches";
constexpr const char* kClock = "models/cpu/README.md#clock-reads";
constexpr const char* kLists = "models/cpu/README.md#lists";

constexpr std::array<CostRow, 3> kBooks{{
    {"k8", assumed(400, kUser), assumed(250, kSyscalls), assumed(500, kCopies),
     assumed(500, kChecksums), assumed(600, kInterrupts), assumed(600, kSwitches),
     assumed(60, kClock), assumed(12, kLists)},
    {"netburst", assumed(1090, kUser),
     measured(
         1500,
         "P. Mau, linux-kernel, 1 Oct 2002: LMbench, 2.4 GHz, Linux 2.4.18, 0.67 us a null call; "
         "models/cpu/README.md#system-calls"),
     measured(
         500,
         "the same LMbench: 2303 MB/s through AF_UNIX, two copies; models/cpu/README.md#copies"),
     measured(
         2190,
         "GMP, mpn/x86/aors_n.asm: 8.75 cycles for a word's adc; models/cpu/README.md#checksums"),
     assumed(2700, kInterrupts), assumed(700, kSwitches), assumed(215, kClock),
     measured(16,
              "AnandTech, article 1621: Cachemem and ScienceMark on a Northwood; "
              "models/cpu/README.md#lists")},
    {"p6", assumed(760, kUser),
     measured(250,
              "T. Eggestad, linux-kernel, 13 Dec 2002: 280 cycles a call; "
              "models/cpu/README.md#system-calls"),
     assumed(500, kCopies),
     measured(
         780,
         "GMP, mpn/x86/aors_n.asm: 3.125 cycles for a word's adc; models/cpu/README.md#checksums"),
     assumed(590, kInterrupts), assumed(260, kSwitches), assumed(125, kClock), assumed(7, kLists)},
}};

}  // namespace

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

std::vector<std::string> cost_book_preset_names() {
  std::vector<std::string> names;
  names.reserve(kBooks.size());
  for (const CostRow& row : kBooks) names.emplace_back(row.name);
  return names;
}

CostBook cost_book_preset(const std::string& name, const std::string& where) {
  const auto* const row =
      std::find_if(kBooks.begin(), kBooks.end(), [&](const CostRow& r) { return name == r.name; });
  if (row == kBooks.end()) fail_unknown_name("cost book", name, cost_book_preset_names(), where);
  CostBook book;
  const auto take = [](Param<std::uint32_t>& param, const Cost& cost) {
    param.value = cost.value;
    param.source = cost.source;
  };
  take(book.user_syscall, row->user_syscall);
  take(book.syscall, row->syscall);
  take(book.byte_copied, row->byte_copied);
  take(book.byte_checksummed, row->byte_checksummed);
  take(book.interrupt, row->interrupt);
  take(book.context_switch, row->context_switch);
  take(book.clock_read, row->clock_read);
  take(book.list_step, row->list_step);
  return book;
}

}  // namespace longhaul::cpu
