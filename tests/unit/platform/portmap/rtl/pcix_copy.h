// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "platform/cosim/object/rtl_object.h"

namespace longhaul::portmap::testing {

/// Makes pcix_copy (pcix_copy.sv).
cosim::RtlInstance* make_pcix_copy(const char* name, cosim::TraceSink* sink,
                                   cosim::RtlListener* listener);

/// Its map, as longhaul.portmap writes one.
std::string pcix_copy_map();

}  // namespace longhaul::portmap::testing
