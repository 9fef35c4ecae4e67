// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/pcix/config_bytes.h"
#include "models/pcix/config_identity.h"

namespace longhaul::pcix {

/// The capabilities for interrupt messages in a function's configuration space: MSI (PCI 2.3, 6.8)
/// and MSI-X (PCI 3.0, 6.8.2). `bytes` and `identity` must outlive this object.
class MessageCapabilities {
 public:
  MessageCapabilities(ConfigBytes& bytes, const ConfigIdentity& identity)
      : bytes_(bytes), identity_(identity) {}

  /// Puts the capabilities of the identity into configuration space as a chain. Returns the offset
  /// of the first one; 0 if there are none. Throws std::logic_error if an offset or a number of
  /// vectors is illegal.
  std::uint8_t put();

  bool msi_enabled() const;
  std::uint64_t msi_address() const;
  std::uint16_t msi_data() const;
  /// Vectors that software has granted the function, a power of two.
  std::uint32_t msi_vectors() const;
  bool msix_enabled() const;
  bool msix_masked() const;  ///< mask of the whole function

 private:
  void put_msi(std::uint8_t next);
  void put_msix(std::uint8_t next);

  ConfigBytes& bytes_;
  const ConfigIdentity& identity_;
};

}  // namespace longhaul::pcix
