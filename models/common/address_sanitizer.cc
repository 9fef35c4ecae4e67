// SPDX-License-Identifier: Apache-2.0
#include "models/common/address_sanitizer.h"

#include <pthread.h>

#include <cstddef>

// Declared by AddressSanitizer's runtime (sanitizer/common_interface_defs.h), if there is one.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
extern "C" {
__attribute__((weak)) void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom,
                                                          std::size_t size);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(void* fake_stack, const void** bottom,
                                                           std::size_t* size);
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

namespace longhaul {

bool under_address_sanitizer() { return &__sanitizer_start_switch_fiber != nullptr; }

void back_on_the_main_stack() {
  pthread_attr_t attributes;
  void* bottom = nullptr;
  std::size_t size = 0;
  if (!under_address_sanitizer() || ::pthread_getattr_np(::pthread_self(), &attributes) != 0)
    return;
  ::pthread_attr_getstack(&attributes, &bottom, &size);
  ::pthread_attr_destroy(&attributes);
  void* fake_stack = nullptr;
  ::__sanitizer_start_switch_fiber(&fake_stack, bottom, size);
  ::__sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}

}  // namespace longhaul
