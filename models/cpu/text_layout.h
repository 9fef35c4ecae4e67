// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace longhaul::cpu {

/// A function of a kernel's text, in the linked order. Offsets are from the begin of the text.
struct TextFunction {
  std::uint32_t place;    ///< where it begins in a text that nothing counts
  std::uint32_t bytes;    ///< its length there, without padding
  std::uint32_t blocks;   ///< how many of the table's basic blocks, one after another, are its
  std::uint32_t stretch;  ///< a linker may order functions of one stretch as it likes
};

/// What a linker aligns functions to (gcc -O2, x86-64: -falign-functions=16).
inline constexpr std::uint32_t kFunctionAlignment = 16;

/// Returns the place of each function in layout `layout` of the text.
///
/// Layout 0 is the linked order. Any other puts the functions of each stretch one after another in
/// an order of its own, drawn from the layout's number alone: all machines and hosts get the same.
std::vector<std::uint32_t> places_in_layout(const std::vector<TextFunction>& functions,
                                            std::uint64_t layout);

}  // namespace longhaul::cpu
