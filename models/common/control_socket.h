// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm>

#include <systemc>

namespace longhaul {

/// Target socket of a box's or an RTL block's registers. It may stay unbound.
using ControlSocket =
    tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

}  // namespace longhaul
