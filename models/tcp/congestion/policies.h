// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "models/tcp/congestion/congestion_control.h"

namespace longhaul::tcp {

// One maker per policy; each policy lives in the file of its name, registry.cc lists them.
std::unique_ptr<CongestionControl> make_bic(const TcpConfig& config);
std::unique_ptr<CongestionControl> make_bic_linux(const TcpConfig& config);
std::unique_ptr<CongestionControl> make_ctcp(const TcpConfig& config);
std::unique_ptr<CongestionControl> make_cubic(const TcpConfig& config);
std::unique_ptr<CongestionControl> make_high_speed(const TcpConfig& config);
std::unique_ptr<CongestionControl> make_h_tcp(const TcpConfig& config);
std::unique_ptr<CongestionControl> make_new_reno(const TcpConfig& config);
std::unique_ptr<CongestionControl> make_new_reno_whole(
    const TcpConfig& config);  ///< new_reno.cc: by whole segments
std::unique_ptr<CongestionControl> make_westwood(const TcpConfig& config);

}  // namespace longhaul::tcp
