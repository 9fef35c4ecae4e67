// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace longhaul::cpu {

/// A function of a kernel's text, in the order of linking. Offsets are from the start of the text.
struct TextFunction {
  std::uint32_t place;    ///< where it begins in a text without sites
  std::uint32_t bytes;    ///< its length in that text, without padding
  std::uint32_t blocks;   ///< its number of basic blocks, which are consecutive in the table
  std::uint32_t stretch;  ///< a linker may order functions of one stretch freely
};

/// Alignment of functions by the linker, in bytes (gcc -O2, x86-64: -falign-functions=16).
inline constexpr std::uint32_t kFunctionAlignment = 16;

/// The place of each function in layout `layout` of the text.
///
/// Layout 0 is the order of linking. Any other layout permutes the functions of each stretch. The
/// order depends on the layout's number alone, so it is the same on all machines and hosts.
std::vector<std::uint32_t> places_in_layout(const std::vector<TextFunction>& functions,
                                            std::uint64_t layout);

}  // namespace longhaul::cpu
