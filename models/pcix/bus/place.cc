// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bus/place.h"

#include "models/common/payload.h"
#include "models/pcix/address_map.h"

namespace longhaul::pcix {

sc_core::sc_time Place::access(HostRequest& request, tlm::tlm_generic_payload& payload) const {
  const bool is_memory = !request.is_config() && !request.is_io();
  const std::size_t bar = is_memory ? config->claiming_bar(request.address) : 0;
  const std::uint64_t base = request.is_config() ? function * address_map::kFunctionBytes
                             : request.is_io()   ? config->io_bar()
                                                 : config->memory_bar(bar);
  set_access(payload, request.is_read() ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND,
             request.address - base, request.data.data(), request.length);
  if (request.is_config()) return inside->access_config(payload);
  if (!request.is_io()) return inside->access_memory(payload, bar);
  inside->access_io(payload);
  return sc_core::SC_ZERO_TIME;
}

}  // namespace longhaul::pcix
