// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>
#include <utility>

#include "models/common/observe/probe.h"
#include "models/common/register_bank.h"
#include "models/nic/dp83820/regs.h"
#include "models/pcix/dma_engine.h"

namespace longhaul::nic::dp83820 {

/// The unit that a list of descriptors serves.
class ListUser {
 public:
  virtual ~ListUser() = default;
  /// The next descriptor is on chip. Answer it by give_back() or rest().
  virtual void descriptor_arrived() = 0;
  /// The status that give_back() wrote is in memory. Returns true to read the next descriptor.
  virtual bool descriptor_returned() = 0;
  /// The last descriptor has no successor, or it could not be read. The list rests.
  virtual void list_ended() = 0;
  /// A transfer of the list met an abort, or bus mastering is disabled. The list rests.
  virtual void list_failed(pcix::DmaStatus status) = 0;
};

/// A linked list of descriptors in memory. The transmit and the receive engine each have one.
///
/// start() reads the descriptor at TXDP or RXDP. If that descriptor is already finished, because it
/// had no successor (CRDD), its link is read again, and the list continues if there is a successor.
/// When a descriptor is finished, its status is written and the pointer moves along its link.
/// Software can write the pointer while the list rests.
///
/// Addresses have 64 bits with CFG.M64ADDR, else 32. The extended status word exists with
/// CFG.EXTSTS_EN.
class DescriptorList final : public sc_core::sc_module, private pcix::DmaClient {
 public:
  struct Descriptor {
    std::uint64_t link = 0;
    std::uint64_t buffer = 0;
    std::uint32_t command = 0;
    std::uint32_t extended = 0;
    std::uint32_t length() const { return command & regs::cmdsts::kLength; }
    bool has(std::uint32_t bits) const { return (command & bits) != 0; }
  };

  DescriptorList(const sc_core::sc_module_name& name, const RegisterSpec& low,
                 const RegisterSpec& high, RegisterBank& bank, pcix::DmaEngine& dma,
                 ListUser& user);

  bool rests() const { return state_ == State::kRest; }
  /// Whether a descriptor is on chip and not yet given back.
  bool loaded() const { return state_ == State::kLoaded; }
  const Descriptor& descriptor() const { return descriptor_; }
  /// Starts a list that rests.
  void start();
  /// Stops the list without using the present descriptor. The pointer stays at it.
  void rest() { state_ = State::kRest; }
  /// Writes the status of the present descriptor, and `extended` if the format has that word and
  /// `write_extended` is set.
  void give_back(std::uint32_t command, std::uint32_t extended, bool write_extended);
  void reset();
  /// The memory from the lowest to the end of the highest descriptor that was read since the
  /// pointer was written.
  std::pair<std::uint64_t, std::uint64_t> memory() const { return {lowest_, highest_}; }

  observe::Counter descriptors{"descriptors", "1", "descriptors given back"};
  observe::Counter idle_reads{"idle_reads", "1", "descriptors read that were not the chip's"};

 private:
  enum class State { kRest, kRefreshing, kReading, kLoaded, kReturning };

  void dma_done(std::uint64_t tag, pcix::DmaStatus status) override;
  void read();
  void arrived();
  void advance();
  void point_to(std::uint64_t address);
  bool wide() const;
  bool extended() const;
  std::uint32_t command_offset() const { return wide() ? 16 : 8; }
  std::uint32_t bytes() const { return command_offset() + (extended() ? 8U : 4U); }

  RegisterBank& bank_;
  pcix::DmaEngine& dma_;
  ListUser& user_;
  State state_ = State::kRest;
  bool finished_ = false;  // the descriptor at the pointer is finished and had no successor
  std::uint64_t pointer_ = 0;
  std::uint64_t lowest_ = 0;
  std::uint64_t highest_ = 0;
  Descriptor descriptor_;
  std::array<std::uint8_t, 24> in_{};
  std::array<std::uint8_t, 8> out_{};
  Reg32 low_;
  Reg32 high_;
};

}  // namespace longhaul::nic::dp83820
