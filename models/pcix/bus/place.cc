// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bus/place.h"

#include "models/common/payload.h"
#include "models/pcix/address_map.h"

namespace longhaul::pcix {

sc_core::sc_time Place::access(HostRequest& request, tlm::tlm_generic_payload& payload) const {
  const std::uint64_t base = request.is_config() ? function * address_map::kFunctionBytes
                             : request.is_io()   ? config->io_bar()
                                                 : config->memory_bar();
  set_access(payload, request.is_read() ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND,
             request.address - base, request.data.data(), request.length);
  if (request.is_config()) {
    inside->access_config(payload);
  } else if (request.is_io()) {
    inside->access_io(payload);
  } else {
    return inside->access_memory(payload);
  }
  return sc_core::SC_ZERO_TIME;
}

}  // namespace longhaul::pcix
