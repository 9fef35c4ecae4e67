// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/xmac_registers.h"

#include <utility>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::nic::genesis {

XmacRegisters::XmacRegisters(RegisterBank& bank, const bool& in_reset, std::uint16_t rx_low_words,
                             std::uint16_t rx_high_words)
    : bank_(bank), in_reset_(in_reset), by_x_(xm::kEnd / 2, nullptr) {
  add_plain(rx_low_words, rx_high_words);
}

void XmacRegisters::add(const RegisterSpec& spec, Then then, Shows shows) {
  const std::uint32_t place = spec.offset / 2;
  RegisterSpec here = spec;
  here.offset = xm::bus_offset(spec.offset);
  here.writable &= 0xffff;
  const auto reset_value = static_cast<std::uint16_t>(spec.reset);
  registers_.emplace_back(bank_, here, std::move(shows),
                          [this, place, reset_value, then = std::move(then)](std::uint32_t value) {
                            if (in_reset_) return by_x_[place]->set(reset_value);
                            if (then) then(value);
                          });
  reset_values_.push_back(reset_value);
  by_x_.at(place) = &registers_.back();
}

void XmacRegisters::add_halves(const char* name, std::uint32_t x, std::uint32_t count,
                               const Then& then) {
  for (std::uint32_t i = 0; i < count; ++i) add({name, x + 2 * i}, then);
}

/// Registers that only store the written value.
void XmacRegisters::add_plain(std::uint16_t rx_low_words, std::uint16_t rx_high_words) {
  add({"XM_TX_CMD", xm::kTxCmd});
  add({"XM_TX_RT_LIM", xm::kTxRtLim, Access::kReadWrite, 0x0f, 0x1f});
  add({"XM_TX_STIME", xm::kTxStime, Access::kReadWrite, 0x7f, 0x7f});
  add({"XM_TX_IPG", xm::kTxIpg, Access::kReadWrite, 0, 0xff});
  add({"XM_RX_CMD", xm::kRxCmd, xm::kRxCmdFields});
  add({"XM_GP_PORT", xm::kGpPort + 2, Access::kReadOnly});
  add({"XM_HW_CFG", xm::kHwCfg});
  add_halves("XM_RX_EV_MSK", xm::kRxEvMsk, 2);
  add_halves("XM_TX_EV_MSK", xm::kTxEvMsk, 2);
  add_halves("XM_POFF", xm::kPoff, 2);
  add_halves("XM_BURST", xm::kBurst, 2);
  add({"XM_1L_VLAN_TAG", xm::k1lVlanTag, Access::kReadWrite, ethernet::kTypeVlan});
  add({"XM_2L_VLAN_TAG", xm::k2lVlanTag, Access::kReadWrite, ethernet::kTypeVlan});
  add_halves("XM_SRC_CHK", xm::kSrcChk, 3);
  add({"XM_TX_LO_WM", xm::kTxLoWm});
  add({"XM_TX_HI_WM", xm::kTxHiWm});
  add({"XM_TX_THR", xm::kTxThr});
  add({"XM_HT_THR", xm::kHtThr});
  add({"XM_RX_LO_WM", xm::kRxLoWm, Access::kReadWrite, rx_low_words});
  add({"XM_RX_HI_WM", xm::kRxHiWm, Access::kReadWrite, rx_high_words});
  add_halves("XM_RX_THR", xm::kRxThr, 2);
  add({"XM_PAUSE_DA", xm::kPauseDa, Access::kReadWrite, 0x8001});
  add({"XM_PAUSE_DA", xm::kPauseDa + 2, Access::kReadWrite, 0x00c2});
  add({"XM_PAUSE_DA", xm::kPauseDa + 4, Access::kReadWrite, 0x0100});
  add_halves("XM_CTL_PARA", xm::kCtlPara, 2);
  add({"XM_MAC_OPCODE", xm::kMacOpcode, Access::kReadWrite, ethernet::kOpcodePause});
  add({"XM_MAC_PTIME", xm::kMacPtime});
}

void XmacRegisters::reset() {
  for (std::size_t i = 0; i < registers_.size(); ++i) registers_[i].set(reset_values_[i]);
}

}  // namespace longhaul::nic::genesis
