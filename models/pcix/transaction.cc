// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/transaction.h"

#include "models/common/payload.h"

namespace longhaul::pcix {

Transaction& TransactionPool::take(tlm::tlm_command command, std::uint64_t address,
                                   std::uint8_t* data, std::uint32_t length, std::uint8_t tag) {
  if (free_.empty()) {
    owned_.push_back(std::make_unique<Transaction>(this));
    free_.reserve(owned_.size());
    free_.push_back(owned_.back().get());
  }
  Transaction& transaction = *free_.back();
  free_.pop_back();
  transaction.acquire();
  set_access(transaction, command, address, data, length);
  transaction.set_dmi_allowed(false);
  Attributes& attributes = transaction.attributes;
  attributes.tag = tag;
  attributes.slot = 0;
  attributes.function = 0;
  attributes.relaxed_ordering = false;
  attributes.takes_blank = false;
  attributes.stored = ~0U;
  return transaction;
}

}  // namespace longhaul::pcix
