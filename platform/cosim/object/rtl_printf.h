// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Replaces printf in Verilator's runtime of an RTL object (VL_PRINTF).
__attribute__((format(printf, 1, 2))) int longhaul_rtl_printf(const char* format, ...);
