// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/transaction.h"

#include "models/common/payload.h"

namespace longhaul::pcix {

tlm::tlm_generic_payload& TransactionPool::take(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                                                std::uint32_t length, std::uint8_t tag) {
  if (free_.empty()) {
    owned_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
    owned_.back()->set_extension(new Attributes);  // the payload deletes it
    free_.reserve(owned_.size());
    free_.push_back(owned_.back().get());
  }
  tlm::tlm_generic_payload& payload = *free_.back();
  free_.pop_back();
  payload.acquire();
  set_access(payload, command, address, data, length);
  payload.set_dmi_allowed(false);
  Attributes& attributes = *attributes_of(payload);
  attributes.tag = tag;
  attributes.slot = 0;
  attributes.function = 0;
  attributes.relaxed_ordering = false;
  attributes.takes_blank = false;
  attributes.stored = ~0U;
  return payload;
}

}  // namespace longhaul::pcix
