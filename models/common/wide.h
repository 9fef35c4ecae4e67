// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Put before a function whose loop gains from wide vectors. The function is also compiled for
/// AVX2, and the host's CPU selects a version when the program starts. Off under a sanitizer: the
/// selection runs before a sanitizer has started.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define LONGHAUL_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define LONGHAUL_WIDE
#endif
