// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/tcp/context.h"

/// The state of a connection in messages of NEC-TOE's parallel engine. No public source has its
/// messages: these are of our own.
namespace longhaul::nic::terminator::cpl {

constexpr std::uint32_t kContextWords = 11;
using ContextWords = std::array<std::uint32_t, kContextWords>;

/// The part of a context that changes.
ContextWords to_words(const tcp::Context& context);
/// Reads that part into `context`, which has iss and irs, and `una` and `received` near the new
/// ones: words have the low 32 bits only.
void from_words(const ContextWords& words, tcp::Context& context);

}  // namespace longhaul::nic::terminator::cpl
