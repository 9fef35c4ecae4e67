// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace longhaul::pcix {

/// MSI-X's table and pending bits (PCI 3.0, 6.8.2), as they lie in a BAR of their own: the table
/// from its begin on, 16 bytes a vector, the pending bits from kPendingOffset on.
///
/// A vector that is raised while it, or the function, is masked is pending; its message is sent
/// when the mask goes. While MSI-X is off nothing is raised.
class MsixTable {
 public:
  static constexpr std::uint32_t kBarBytes = 4096;
  static constexpr std::uint32_t kPendingOffset = 2048;
  static constexpr std::uint32_t kMostVectors = 64;
  using Send = std::function<void(std::uint64_t address, std::uint32_t data)>;

  /// `vectors`: 1 to kMostVectors. `send` writes a message.
  MsixTable(std::uint32_t vectors, Send send);

  // Bytes at an offset in the BAR; beyond table and pending bits they read as zero. Pending bits
  // cannot be written.
  void read(std::uint32_t offset, std::uint8_t* data, std::uint32_t bytes) const;
  void write(std::uint32_t offset, const std::uint8_t* data, std::uint32_t bytes);
  /// The capability's control bits.
  void set_control(bool enabled, bool function_masked);
  /// Sends the vector's message, or keeps it pending; numbers beyond the table begin anew.
  void raise(std::uint32_t vector);

 private:
  struct Entry {
    std::uint32_t words[4] = {0, 0, 0, 1};  // address, upper address, data, control: masked
  };
  std::uint8_t byte_at(std::uint32_t offset) const;
  void send_pending();

  std::vector<Entry> entries_;
  const Send send_;
  std::uint64_t pending_ = 0;
  bool enabled_ = false;
  bool function_masked_ = false;
};

}  // namespace longhaul::pcix
