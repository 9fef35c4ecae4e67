// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longhaul {

/// Whether AddressSanitizer is compiled into the library. Tests cannot tell at compile time: they
/// are compiled alike in all builds, and only the program that they are linked to differs.
bool under_address_sanitizer();

/// Tells AddressSanitizer that the main stack is in use. Does nothing in builds without the
/// sanitizer.
///
/// SystemC 2.3.4 announces the stack of a coroutine when it enters one, but not the return to the
/// main stack. LeakSanitizer then dies on the coroutine's guard page, and an exception outside of
/// coroutines looks like a damaged stack. Code that throws after a run calls this function first.
void back_on_the_main_stack();

}  // namespace longhaul
