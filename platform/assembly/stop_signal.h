// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longhaul::assembly {

/// Makes SIGINT and SIGTERM stop the run instead of ending the process.
void catch_stop_signals();
/// The signal that came, or zero.
int stop_signal();

}  // namespace longhaul::assembly
