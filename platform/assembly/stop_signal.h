// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longhaul::assembly {

/// From now on SIGINT and SIGTERM ask the run to stop instead of ending the process.
void catch_stop_signals();
/// The signal that asked, or zero.
int stop_signal();

}  // namespace longhaul::assembly
