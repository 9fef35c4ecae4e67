// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::pcix {

/// Classes of transactions that travel through a bridge in one direction.
enum class OrderClass : std::uint8_t {
  kPostedWrite,
  kReadRequest,
  kWriteRequest,  ///< non-posted: configuration
  kReadCompletion,
  kWriteCompletion,
};

/// Whether a later transaction may pass an earlier one. kMust: it must be able to pass, or bridges
/// could deadlock.
enum class Passing : std::uint8_t { kMustNot, kMay, kMust };

/// The ordering table of a PCI-X bridge (PCI-X 1.0b, 8.4.4). `relaxed`: the later transaction
/// carries the Relaxed Ordering attribute.
Passing passing(OrderClass later, OrderClass earlier, bool relaxed);

}  // namespace longhaul::pcix
