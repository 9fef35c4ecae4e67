// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/support/allocations.h"

#include <cstdlib>
#include <new>

namespace {

std::uint64_t g_allocations = 0;

}  // namespace

// Counts every allocation of this program; the test binary has no other replacement of these.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++g_allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++g_allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace longhaul::test {

std::uint64_t allocations() { return g_allocations; }

}  // namespace longhaul::test
