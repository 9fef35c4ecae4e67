// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/tcam.h"

namespace longhaul::nic::terminator {

Tcam::Tcam(RegisterBank& bank)
    : bank_(bank),
      config_(
          bank, regs::kMc5Config,
          [this] { return config_.value() | (ready_ ? regs::kMc5ConfigFields.tcam_ready : 0U); },
          [this](std::uint32_t value) { config_written(value); }),
      request_(bank, regs::kMc5DbgiReqCmd, this, &Tcam::command),
      status_(bank, regs::kMc5DbgiRspStatus,
              [this] { return valid_ ? regs::kMc5DbgiRspStatusFields.dbgi_rsp_valid : 0U; }),
      data0_(bank, regs::kMc5DbgiRspData0, [this] { return response_[0]; }),
      data1_(bank, regs::kMc5DbgiRspData1, [this] { return response_[1]; }),
      data2_(bank, regs::kMc5DbgiRspData2, [this] { return response_[2]; }) {}

void Tcam::reset() {
  ready_ = valid_ = false;
  response_ = {};
  words_.clear();
}

void Tcam::config_written(std::uint32_t value) {
  if ((value & regs::kMc5ConfigFields.tcam_reset) == 0) return;
  config_.clear_bits(regs::kMc5ConfigFields.tcam_reset);
  words_.clear();
  ready_ = true;
}

void Tcam::command(std::uint32_t value) {
  if (!config_.has(regs::kMc5ConfigFields.dbgi_enable)) return;
  const std::uint32_t address = bank_.peek(regs::kMc5DbgiReqAddr0);
  valid_ = true;
  if ((value & kCommand) == kWrite) {
    const Word word{bank_.peek(regs::kMc5DbgiReqData0), bank_.peek(regs::kMc5DbgiReqData1),
                    bank_.peek(regs::kMc5DbgiReqData2)};
    if (word == Word{}) {
      words_.erase(address);
    } else {
      words_[address] = word;
    }
  } else if ((value & kCommand) == kRead) {
    const auto at = words_.find(address);
    response_ = at == words_.end() ? Word{} : at->second;
  }
}

}  // namespace longhaul::nic::terminator
