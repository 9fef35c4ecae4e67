// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/cosim/object/trigger_flags.h"

// Included ahead of all that Verilator makes, if its triggers are bytes
// (longhaul.portmap.verilated): generated code that names VlTriggerVec gets TriggerFlags.
#define VlTriggerVec VlTriggerVecOfVerilator
#include <verilated.h>
#undef VlTriggerVec

template <std::size_t Size>
using VlTriggerVec = longhaul::cosim::TriggerFlags<Size>;
