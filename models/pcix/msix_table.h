// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace longhaul::pcix {

/// MSI-X's table and pending bits (PCI 3.0, 6.8.2) in a BAR of their own. The table begins at
/// offset 0, with 16 bytes a vector; the pending bits begin at kPendingOffset.
///
/// A vector that is raised while it, or the function, is masked becomes pending. Its message is
/// sent when the mask is cleared. While MSI-X is off, raise() does nothing.
class MsixTable {
 public:
  static constexpr std::uint32_t kBarBytes = 4096;
  static constexpr std::uint32_t kPendingOffset = 2048;
  static constexpr std::uint32_t kMostVectors = 64;
  using Send = std::function<void(std::uint64_t address, std::uint32_t data)>;

  /// `vectors` is 1 to kMostVectors. `send` writes a message to memory.
  MsixTable(std::uint32_t vectors, Send send);

  // Accesses to bytes of the BAR. Bytes beyond table and pending bits read as zero. Pending bits
  // cannot be written.
  void read(std::uint32_t offset, std::uint8_t* data, std::uint32_t bytes) const;
  void write(std::uint32_t offset, const std::uint8_t* data, std::uint32_t bytes);
  /// Sets the control bits of the capability.
  void set_control(bool enabled, bool function_masked);
  /// Sends the vector's message, or keeps it pending. A number beyond the table wraps around.
  void raise(std::uint32_t vector);

 private:
  struct Entry {
    std::uint32_t words[4] = {0, 0, 0, 1};  // address, upper address, data, control; masked at
                                            // reset
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
