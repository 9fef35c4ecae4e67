// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Where Verilator's runtime prints to in an RTL object (VL_PRINTF).
__attribute__((format(printf, 1, 2))) int longhaul_rtl_printf(const char* format, ...);
