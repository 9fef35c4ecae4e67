// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <utility>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/common/register_bank.h"
#include "models/common/ring_buffer.h"
#include "models/pcix/dma_engine.h"

namespace longhaul::nic::terminator {

class DescriptorQueue;

/// The unit that uses the descriptors of a queue.
class QueueUser {
 public:
  virtual ~QueueUser() = default;
  /// Descriptors have come on chip.
  virtual void descriptors_arrived() = 0;
  /// The queue has no valid descriptor and sleeps. Its doorbell wakes it.
  virtual void queue_slept(DescriptorQueue& queue) = 0;
  /// A read met an abort, or bus mastering is disabled. The queue sleeps.
  virtual void queue_failed(pcix::DmaStatus status) = 0;
};

/// A queue of descriptors in host memory: a command queue or a free list.
///
/// A descriptor has 16 B: length with a generation bit, low and high half of an address, and flags
/// with the generation bit once more. It is valid if both generation bits are the queue's; the
/// queue's bit changes at the end of its memory (Linux 6.1 cxgb/sge.c, cmdQ_e and freelQ_e).
///
/// While the queue is awake it keeps up to `ahead` descriptors on chip: it reads when half of them
/// are used. A read that finds an invalid one is repeated when the descriptors before it are used.
/// If then none is valid the queue sleeps.
class DescriptorQueue final : public sc_core::sc_module, private pcix::DmaClient {
 public:
  struct Descriptor {
    std::uint64_t address = 0;
    std::uint32_t length = 0;
    std::uint32_t flags = 0;
  };
  struct Registers {
    const RegisterSpec& base_low;
    const RegisterSpec& base_high;
    const RegisterSpec& size;
    const RegisterSpec& pointer;
  };
  static constexpr std::uint32_t kBytes = 16;  ///< of a descriptor

  DescriptorQueue(const sc_core::sc_module_name& name, const Registers& registers,
                  RegisterBank& bank, pcix::DmaEngine& dma, std::uint32_t ahead, QueueUser& user);

  /// The queue's bit in SG_CONTROL. A disabled queue keeps its state.
  void enable(bool on);
  /// The queue's doorbell.
  void wake();
  bool available() const { return enabled_ && !stock_.empty(); }
  bool asleep() const { return !awake_; }
  const Descriptor& front() const { return stock_.front(); }
  void pop();
  void reset();  ///< called after the bank has reset the registers
  std::pair<std::uint64_t, std::uint64_t> memory() const;

  observe::Counter descriptors{"descriptors", "1", "valid descriptors read"};
  observe::Counter reads{"reads", "1", "reads of descriptors"};
  observe::Counter sleeps{"sleeps", "1", "times that no descriptor was valid, and the queue slept"};

 private:
  static constexpr std::uint32_t kGeneration1 = 1U << 31;  // of the length
  static constexpr std::uint32_t kGeneration2 = 1U << 0;   // of the flags

  void dma_done(std::uint64_t tag, pcix::DmaStatus status) override;
  void start_anew();
  void fetch();
  bool take(const std::uint8_t* bytes);
  std::uint64_t base() const;
  std::uint32_t pointer_now() const;
  struct Place {
    std::uint32_t index = 0;
    bool generation = true;
    void advance(std::uint32_t size) {
      if (++index < size) return;
      index = 0;
      generation = !generation;
    }
  };

  pcix::DmaEngine& dma_;
  const std::uint32_t ahead_;
  QueueUser& user_;
  bool enabled_ = false;
  bool awake_ = false;
  bool reading_ = false;
  bool rung_ = false;  // the doorbell came while a read was in progress
  bool dry_ = false;   // the last read found an invalid descriptor
  Place next_read_;
  Place next_use_;
  RingBuffer<Descriptor> stock_;
  std::uint32_t asked_ = 0;
  std::vector<std::uint8_t> in_;
  Reg32 base_low_;
  Reg32 base_high_;
  Reg32 size_;
  Reg32 pointer_;
};

}  // namespace longhaul::nic::terminator
