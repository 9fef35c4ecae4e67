// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/host/kernel/memory_pool.h"
#include "models/host/kernel/processor.h"
#include "models/host/net/net_device.h"

namespace longhaul::host {

/// Format of an adapter's transmit descriptors: bits of the command word, beside type and length.
struct TxFormat {
  std::uint32_t plain = 0;    ///< in data descriptors of a packet without offloads
  std::uint32_t offload = 0;  ///< in data descriptors of a packet with offloads
  std::uint32_t context = 0;  ///< in context descriptors
  std::uint32_t last = 0;     ///< also in the last descriptor of a packet
  std::uint32_t most_bytes = 4096;
  bool context_reuse = false;  ///< no context descriptor that equals the one before
};

/// A ring of transmit descriptors in Intel's format (models/nic/intel/descriptors.h), with the
/// driver's records of the packets in it. It writes descriptors; the driver writes registers.
class TxRing {
 public:
  TxRing(MemoryPool& memory, std::uint32_t entries);

  /// Takes memory for the ring. Returns false if there is none.
  bool open(std::uint32_t node);
  /// Frees the memory.
  void close();
  std::uint64_t address() const { return address_; }
  std::uint32_t bytes() const { return entries_ * kDescriptorBytes; }
  std::uint32_t tail() const { return next_to_use_; }
  std::uint32_t free() const { return entries_ - 1 - used_; }
  std::uint32_t used() const { return used_; }
  std::uint32_t entries() const { return entries_; }

  /// Number of descriptors of a packet, its context included.
  static std::uint32_t needed(const TxFormat& format, const TxPacket& packet);
  /// Writes a packet's descriptors and returns how many. There must be room for them.
  std::uint32_t put(const TxFormat& format, const TxPacket& packet, Processor& cpu);
  /// Removes the oldest packet if the adapter has reported it as sent. Returns how many descriptors
  /// it had; 0 if it is not done.
  std::uint32_t take_done(Processor& cpu, std::uint64_t& cookie);
  /// Removes the oldest packet, done or not. Returns false if there is none.
  bool abandon(std::uint64_t& cookie);
  /// The adapter has lost its context and starts at the first descriptor. The ring must be empty.
  void restart();

 private:
  static constexpr std::uint32_t kDescriptorBytes = 16;
  /// The record of a packet in its first slot.
  struct Sent {
    std::uint64_t cookie = 0;
    std::uint32_t descriptors = 0;
  };
  using Context = std::array<std::uint64_t, 2>;

  std::uint8_t* slot(std::uint32_t index) { return ring_ + std::size_t{index} * kDescriptorBytes; }
  std::uint32_t after(std::uint32_t index, std::uint32_t by) const {
    return index + by < entries_ ? index + by : index + by - entries_;
  }
  void write(std::uint32_t index, std::uint64_t low, std::uint64_t high);
  static Context context_of(const TxFormat& format, const TxPacket& packet);

  MemoryPool& memory_;
  const std::uint32_t entries_;
  std::vector<Sent> sent_;
  std::uint64_t address_ = 0;
  std::uint8_t* ring_ = nullptr;
  std::uint32_t next_to_use_ = 0;
  std::uint32_t next_to_clean_ = 0;
  std::uint32_t used_ = 0;
  Context last_context_{};
};

}  // namespace longhaul::host
