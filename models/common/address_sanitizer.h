// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longhaul {

/// Whether the library is watched by AddressSanitizer. Tests are compiled alike in all builds: only
/// the program that they are linked to knows.
bool under_address_sanitizer();

/// Tells AddressSanitizer that the main stack is the one in use; nothing in other builds.
/// SystemC 2.3.4 tells it when it enters a coroutine's stack but not when it is back on the main
/// one. LeakSanitizer then dies on the coroutine's guard page, and an exception that is thrown
/// outside of coroutines looks like a damaged stack: whoever throws after a run says this first.
void back_on_the_main_stack();

}  // namespace longhaul
