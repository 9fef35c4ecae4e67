// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/nec/nec_params.h"

#include "models/common/param_json.h"
#include "models/common/param_set.h"

namespace longhaul::host::nec {
namespace {

constexpr std::uint32_t kIpAndTcpBytes = 40;
constexpr Source kAsT110{Evidence::kAssumed,
                         "models/host/drivers/README.md#nec: as Chelsio's driver of the same core"};
constexpr Source kSmaller{Evidence::kAssumed,
                          "models/host/drivers/README.md#nec: a gigabit adapter, a host of 128 MB"};

}  // namespace

NecDriverParams::NecDriverParams() {
  // Every value is assumed here, whatever it is in Chelsio's driver.
  std::apply([](auto&... each) { ((each.source = kAsT110), ...); },
             chelsio::ToeDriverParams::fields());
  mtu.source = {Evidence::kStandard, "IEEE 802.3: 1500 B"};
  offload.source = {Evidence::kChosen, "the user's: the host's own TCP is there to compare"};
  set(tx_descriptors, 256, kSmaller);
  set(rx_buffers, 512, kSmaller);
  set(rx_jumbo_buffers, 128, kSmaller);
}

bool NecDriverParams::offloads() const {
  return offload() && mtu() >= least_mss() + kIpAndTcpBytes;
}

NecDriverParams pipeline_driver() {
  NecDriverParams params;
  set(params.connection_buffer, units::KiB(18), {Evidence::kMeasured, "NEC-TOE: pipeline 18 KB"});
  set(params.keeps_errors, false,
      {Evidence::kAssumed, "the slides do not say; the engine runs all of TCP"});
  return params;
}

NecDriverParams nec_driver_params(NecDriverParams params, const nlohmann::json& json,
                                  const NetParams& net, const std::string& where) {
  configure(params, json, where);
  chelsio::check_rings(params, where);
  if (params.offload() && net.walks_chains())
    throw ConfigError(where +
                      ".offload: FreeBSD's socket calls have no form for connections of an "
                      "adapter; wants false");
  params.receive_buffer = params.connection_buffer().count;
  params.host_opens = params.keeps_errors();
  params.window_moves = params.handover_window();
  params.move_cycles = params.handover_cycles();
  params.credits_wait_for_data = params.credits_wait();
  return params;
}

}  // namespace longhaul::host::nec
