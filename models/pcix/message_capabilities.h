// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/pcix/config_bytes.h"
#include "models/pcix/config_identity.h"

namespace longhaul::pcix {

/// The capabilities of interrupt messages in a function's configuration space: MSI (PCI 2.3, 6.8)
/// and MSI-X (PCI 3.0, 6.8.2). `bytes` and `identity` outlive this.
class MessageCapabilities {
 public:
  MessageCapabilities(ConfigBytes& bytes, const ConfigIdentity& identity)
      : bytes_(bytes), identity_(identity) {}

  /// Puts those that the identity has, chained; returns the first one's offset, 0 for none. Throws
  /// std::logic_error if they cannot be.
  std::uint8_t put();

  bool msi_enabled() const;
  std::uint64_t msi_address() const;
  std::uint16_t msi_data() const;
  /// Vectors that software has given the function: a power of two; it may raise that many.
  std::uint32_t msi_vectors() const;
  bool msix_enabled() const;
  bool msix_masked() const;  ///< the whole function

 private:
  void put_msi(std::uint8_t next);
  void put_msix(std::uint8_t next);

  ConfigBytes& bytes_;
  const ConfigIdentity& identity_;
};

}  // namespace longhaul::pcix
