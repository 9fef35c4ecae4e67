// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <list>

#include "models/common/ring_buffer.h"
#include "platform/cosim/bus/bus_status.h"
#include "platform/cosim/bus/pcix_checker.h"
#include "platform/cosim/bus/pcix_initiator.h"
#include "platform/cosim/bus/pcix_memory.h"
#include "platform/cosim/bus/pcix_target.h"
#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim {

constexpr std::uint16_t kPcixBus = 1;  ///< number of the bus, as models/pcix has it
constexpr std::uint16_t kPcixHostId = kPcixBus << 8U;
constexpr std::uint32_t kPcixRetryClocks = 16;  ///< from a Retry to the next attempt

/// An access of the host to the device on its bus.
struct PcixAccess {
  bool config = false;
  bool write = false;
  std::uint64_t address = 0;  ///< on the bus; of configuration space the offset
  std::uint32_t bytes = 0;    ///< 1 to 8; of configuration space 1 to 4 of one DWORD
  std::array<std::uint8_t, 8> data{};
  std::uint64_t tag = 0;
  BusStatus status = BusStatus::kOk;
};

class PcixAccessClient {
 public:
  virtual ~PcixAccessClient() = default;
  /// The access is over, in SystemC's time. Data of a failed read are all ones.
  virtual void pcix_access_done(const PcixAccess& access) = 0;
};

/// The host's accesses to the device: which one is due, its attempts, its answer.
///
/// Accesses begin in order. Only a read that waits after a Retry is passed, by writes and Split
/// Completions. A Split Completion waits for writes that came before it. An answer is reported
/// after the writes that the device has sent before it are in memory.
class PcixAccesses {
 public:
  enum class Due : std::uint8_t { kNothing, kAccess, kCompletion };

  /// `owner` is called at the edge of an answer, to deliver `memory`. A read is answered within
  /// `patience` clocks.
  PcixAccesses(RtlBlock& block, Transactor& owner, PcixAccessClient& client, PcixMemory& memory,
               PcixChecker& checker, std::uint32_t patience, bool wide)
      : block_(block),
        owner_(owner),
        client_(client),
        memory_(memory),
        checker_(checker),
        patience_(patience),
        wide_(wide) {}

  /// Accesses count from `from_ps` on.
  void add(const PcixAccess& access, std::uint64_t from_ps);
  bool empty() const { return jobs_.empty(); }
  /// Counts a clock.
  void tick() { ++clock_; }
  /// The next transaction of the host. `completion` is PcixMemory::due().
  Due due(std::uint64_t completion);
  /// Makes `work` the access that is due.
  void begin(PcixWork& work);
  /// The attempt has ended.
  void ended(const PcixWork& work);
  /// A Split Completion has come for a read, or for a configuration write.
  void complete(const PcixTaken& taken);
  /// Ends accesses that have waited too long. Their place stays taken, as no protocol can withdraw
  /// a read.
  void count_patience();

  bool take_early(PcixAccess& answered);
  void powered_up() { powers_up_ = false; }

 private:
  static constexpr std::uint32_t kTags = 32;

  struct Job {
    PcixAccess access;
    std::uint64_t order = 0;
    std::uint64_t from_ps = 0;
    std::uint64_t since_clock = 0;  // its first attempt; 0: none
    std::uint64_t not_before = 0;   // clock
    std::uint32_t done = 0;         // bytes
    std::uint8_t tag = 0;
    bool split = false;  // it waits for Split Completions
    bool dropped = false;
  };

  void finish(std::list<Job>::iterator job, BusStatus status);
  void report(PcixAccess access, BusStatus status);
  void take_tag(Job& job);

  RtlBlock& block_;
  Transactor& owner_;
  PcixAccessClient& client_;
  PcixMemory& memory_;
  PcixChecker& checker_;
  const std::uint32_t patience_;
  const bool wide_;
  std::list<Job> jobs_;
  Job* due_ = nullptr;
  RingBuffer<PcixAccess> over_;  // to be reported
  bool powers_up_ = true;
  std::uint64_t clock_ = 0;
  std::uint32_t next_tag_ = 0;
};

}  // namespace longhaul::cosim
