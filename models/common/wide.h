// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Before a function whose loop gains from wide vectors: it is compiled for AVX2, too, and the
/// machine chooses when it starts. Not under a sanitizer, whose start-up is not done by then.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define LONGHAUL_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define LONGHAUL_WIDE
#endif
