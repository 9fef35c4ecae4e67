// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/net/frame/ethernet_header.h"
#include "models/nic/genesis/boards.h"
#include "models/nic/genesis/params.h"

namespace longhaul::nic::genesis {

/// The kinds that a configuration names. Throw ConfigError whose message starts with `where` for
/// another name.
const BoardKind& board_kind(const GenesisParams& params, const std::string& where);
const BusKind& bus_kind(const GenesisParams& params, const std::string& where);

/// The address of MAC 1: the configured one, or one made from the adapter's number.
MacAddress first_address(const GenesisParams& params, unsigned index, const std::string& where);
/// The address in MAC register 1, 2 or 3 of a board whose first address is `first`. Addresses count
/// up (Linux 2.6 sk98lin/h/skgehw.h).
MacAddress numbered_address(const MacAddress& first, std::uint32_t number);

/// The code in E_0 for a size of packet memory. Throws ConfigError whose message starts with
/// `where` for a size that no board has.
std::uint32_t memory_code(Bytes ram, const std::string& where);

/// The 256 bytes of vital product data: name, read-only keywords with their sum, the writable area,
/// end (PCI 2.2, appendix I). Keywords are as in Linux 2.6 sk98lin/h/skvpd.h.
std::vector<std::uint8_t> vpd_image(const BoardKind& board, const MacAddress& mac);

}  // namespace longhaul::nic::genesis
