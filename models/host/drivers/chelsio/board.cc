// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/board.h"

#include "models/nic/terminator/regs_tp.h"

namespace longhaul::host::chelsio {
namespace {

namespace tp_regs = nic::terminator::regs;

constexpr std::uint32_t kSynCookie = 29;  // tp.c

}  // namespace

void Board::configure_tp(std::uint32_t in, std::uint32_t global) {
  constexpr const auto& kIn = tp_regs::kTpInConfigFields;
  constexpr const auto& kOut = tp_regs::kTpOutConfigFields;
  constexpr const auto& kGlobal = tp_regs::kTpGlobalConfigFields;
  registers_.write_register(tp_regs::kTpInConfig,
                            kIn.tp_in_cspi_cpl | kIn.tp_in_cspi_check_ip_csum |
                                kIn.tp_in_cspi_check_tcp_csum | kIn.tp_in_espi_ethernet | in);
  registers_.write_register(tp_regs::kTpOutConfig, kOut.tp_out_cspi_cpl |
                                                       kOut.tp_out_espi_ethernet |
                                                       kOut.tp_out_espi_generate_ip_csum |
                                                       kOut.tp_out_espi_generate_tcp_csum);
  registers_.write_register(tp_regs::kTpGlobalConfig,
                            kGlobal.ip_ttl.put(64) | kGlobal.path_mtu | kGlobal.tcp_csum | global);
}

void Board::reset_tp() {
  registers_.write_register(tp_regs::kTpReset, tp_regs::kTpResetFields.tp_reset);
}

void Board::start_tp() {
  configure_tp(tp_regs::kTpInConfigFields.offload_disable.mask(), 0);
  reset_tp();
}

void Board::start_tp_offload(std::uint32_t mtu) {
  constexpr const auto& kIn = tp_regs::kTpInConfigFields;
  configure_tp(kIn.tp_in_espi_check_ip_csum | kIn.tp_in_espi_check_tcp_csum,
               tp_regs::kTpGlobalConfigFields.syn_cookie_parameter.put(kSynCookie));
  registers_.write_register(tp_regs::kTpIntEnable, 0);
  registers_.write_register(tp_regs::kTpTimerSeparator, clocks_.separator);
  reset_tp();
  registers_.write_register(tp_regs::kTpMtuReg0, mtu);
}

}  // namespace longhaul::host::chelsio
