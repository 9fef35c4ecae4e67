// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>
#include <utility>

#include "models/common/divisor.h"
#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/register_bank.h"
#include "models/nic/terminator/regs_sge.h"
#include "models/pcix/dma_engine.h"

namespace longhaul::nic::terminator {

/// Bits of a response's second word (Linux 6.1 cxgb/sge.c, respQ_e).
namespace response {
constexpr std::uint32_t kBytes = 8;
constexpr RegisterField kGeneration{"GenerationBit", 0, 1};
constexpr RegisterField kSop{"Sop", 1, 1};
constexpr RegisterField kEop{"Eop", 2, 1};
constexpr RegisterField kOffload{"Offload", 3, 1};
constexpr RegisterField kDataValid{"DataValid", 4, 1};
constexpr RegisterField kCreditValid{"CreditValid", 5, 1};
constexpr RegisterField kFreelist{"FreelistQid", 6, 2};
constexpr std::array<RegisterField, 2> kDmaComplete{
    {{"Cmdq0DmaComplete", 8, 5}, {"Cmdq1DmaComplete", 18, 5}}};
constexpr std::array<RegisterField, 2> kCreditReturn{
    {{"Cmdq0CreditReturn", 13, 5}, {"Cmdq1CreditReturn", 23, 5}}};
constexpr RegisterField kSleeping{"Qsleeping", 28, 4};
constexpr std::uint32_t kMostCredits = 31;
}  // namespace response

/// The response queue, by which the chip reports to the driver. An entry says that a received
/// packet is in its buffer, how many descriptors of a command queue are finished, and which queues
/// sleep.
///
/// An entry takes one of the credits that software gives back by SG_RSPQUEUECREDIT. Finished
/// descriptors ride on entries of packets, or make an entry when there are `credit_return` of them.
///
/// Interrupts: an entry in memory asks for one if SG_SLEEPING has been written since the last one.
/// It does not come before SG_INTRTIMER core clocks after that write. Switching the queue on allows
/// an interrupt, too.
class ResponseQueue final : public sc_core::sc_module, private pcix::DmaClient {
 public:
  struct Calls {
    std::function<void()> data_ready;  ///< asks for an interrupt
    std::function<void()> exhausted;   ///< an entry waits for a credit
    std::function<void()> ready;       ///< ready() may have become true
    std::function<void(pcix::DmaStatus)> failed;
  };

  ResponseQueue(const sc_core::sc_module_name& name, RegisterBank& bank, pcix::DmaEngine& dma,
                Frequency core_clock, std::uint32_t credit_return, Calls calls);

  void enable(bool on);
  /// Whether an entry may be written now. Reports `exhausted` if a credit is missing.
  bool ready();
  /// Writes the entry of a received packet; ready() must be true. Its data must have been given to
  /// the DMA engine before.
  void write_packet(std::uint32_t bytes, std::uint32_t free_list, bool offload);
  /// `count` descriptors of a command queue are finished.
  void return_credits(std::uint32_t queue, std::uint32_t count);
  /// Queues that sleep, in the bits of SG_DOORBELL.
  void tell_sleep(std::uint32_t queues);
  void reset();  ///< called after the bank has reset the registers
  std::pair<std::uint64_t, std::uint64_t> memory() const;

  observe::Counter entries{"entries", "1", "responses written"};
  observe::Counter pure{"pure", "1", "of them, without a packet"};
  observe::Counter held_off{"held_off", "1", "interrupts that had to wait for SG_INTRTIMER"};
  observe::Level credits{"credits", "1", "entries that may be written"};

 private:
  /// Entries that wait for the bus.
  static constexpr std::uint32_t kInFlight = 32;
  using Entry = std::array<std::uint8_t, response::kBytes>;

  void dma_done(std::uint64_t tag, pcix::DmaStatus status) override;
  void write(std::uint32_t bytes, std::uint32_t word);
  void flush();
  void start_anew();
  void credits_written(std::uint32_t value);
  void sleeping_written(std::uint32_t value);
  void update();
  std::uint64_t base() const;

  pcix::DmaEngine& dma_;
  const Divisor hz_;
  const std::uint32_t credit_return_;
  const Calls calls_;
  bool enabled_ = false;
  std::uint32_t next_ = 0;  // index of the next entry
  bool generation_ = true;
  std::array<std::uint32_t, 2> finished_{};  // descriptors that no entry has told of
  std::uint32_t sleeping_ = 0;               // queues of which no entry has told
  std::array<Entry, kInFlight> in_flight_{};
  std::uint32_t oldest_ = 0;
  std::uint32_t waiting_ = 0;  // entries in in_flight_

  std::uint32_t in_memory_ = 0;  // index behind the last entry in memory
  std::uint32_t seen_ = 0;       // as software says in SG_SLEEPING
  bool allowed_ = false;         // an interrupt may come
  bool was_held_ = false;
  std::uint64_t hold_until_ps_ = 0;
  Timer hold_over_{[this] { update(); }};

  Reg32 base_low_;
  Reg32 base_high_;
  Reg32 size_;
  Reg32 credit_;
  Reg32 sleep_;
  Reg32 timer_;
};

}  // namespace longhaul::nic::terminator
