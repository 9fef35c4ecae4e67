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

/// What a list of descriptors serves.
class ListUser {
 public:
  virtual ~ListUser() = default;
  /// The next descriptor is there; return() it, or rest().
  virtual void descriptor_arrived() = 0;
  /// The status of the one that return() gave back is in memory. True: read the next one.
  virtual bool descriptor_returned() = 0;
  /// The last descriptor has no successor, or reading it failed: the list rests.
  virtual void list_ended() = 0;
  /// A transfer of the list met an abort, or found bus mastering disabled: the list rests.
  virtual void list_failed(pcix::DmaStatus status) = 0;
};

/// A linked list of descriptors in memory, which the transmit and the receive engine follow in the
/// same way.
///
/// start() reads the descriptor at TXDP or RXDP. Is that one finished already, because it had no
/// successor (CRDD), its link is read anew, and the list goes on from there if there is one by now.
/// A finished descriptor's status is written, then the pointer moves along its link. The pointer
/// can be written while the list rests. Addresses have 64 bits with CFG.M64ADDR, else 32; the
/// extended status word is there with CFG.EXTSTS_EN.
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
  /// A descriptor is in hand.
  bool loaded() const { return state_ == State::kLoaded; }
  const Descriptor& descriptor() const { return descriptor_; }
  /// From rest.
  void start();
  /// Puts the descriptor in hand aside: it stays where the pointer is.
  void rest() { state_ = State::kRest; }
  /// Writes the status of the descriptor in hand; `extended` too, if the format has it and it is
  /// asked for.
  void give_back(std::uint32_t command, std::uint32_t extended, bool write_extended);
  void reset();
  /// From the lowest descriptor that it has seen since the pointer was written to the end of the
  /// highest.
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
  bool finished_ = false;  // the descriptor at the pointer, which had no successor
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
