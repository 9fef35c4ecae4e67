// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/mi1.h"

namespace longhaul::nic::terminator {
namespace {

using mac_regs::kMi1CfgFields;

constexpr std::uint32_t kPreambleBits = 32;  // IEEE 802.3, 22.2.4.5.2
constexpr std::uint32_t kFrameBits = 32;

/// The operation of a code of MI1_OP (Linux 6.1 cxgb/elmer0.h).
MdioOp operation(MdioClause clause, std::uint32_t code) {
  if (clause == MdioClause::k22) return code == 2 ? MdioOp::kRead : MdioOp::kWrite;
  switch (code) {
    case 0: return MdioOp::kAddress;
    case 1: return MdioOp::kWrite;
    case 2: return MdioOp::kReadIncrement;
    default: return MdioOp::kRead;
  }
}

}  // namespace

Mi1::Mi1(MdioDevice& device, Frequency clock, bool mdi_inverted)
    : clock_(clock), mdi_inverted_(mdi_inverted), station_(device, {}) {}

std::uint64_t Mi1::frame_ps() const {
  const std::uint32_t bits = kFrameBits + (cfg_.has(kMi1CfgFields.preamble) ? kPreambleBits : 0);
  const std::uint64_t clocks = std::uint64_t{bits} * 2 * (cfg_.get(kMi1CfgFields.clk_div) + 1);
  return times_over(clocks, 1'000'000'000'000ULL, 0, clock_.hz);
}

std::uint32_t Mi1::op_now() const {
  return op_.value() | (station_.busy() ? mac_regs::kMi1OpFields.busy.mask() : 0U);
}

std::uint32_t Mi1::data_now() const {
  if (!shows_read_) return data_.value();
  const bool inverted = cfg_.has(kMi1CfgFields.mdi_invert) != mdi_inverted_;
  return station_.read_data() ^ (inverted ? 0xffffU : 0U);
}

void Mi1::op_written(std::uint32_t value) {
  if (station_.busy()) return;
  const MdioClause clause = cfg_.get(kMi1CfgFields.sof) == 0 ? MdioClause::k45 : MdioClause::k22;
  const MdioOp op = operation(clause, mac_regs::kMi1OpFields.op.get(value));
  const std::uint32_t reg = addr_.get(mac_regs::kMi1AddrFields.reg);
  const auto data = static_cast<std::uint16_t>(data_.value());
  const bool is_address = op == MdioOp::kAddress;
  const auto number = clause == MdioClause::k22 ? static_cast<std::uint16_t>(reg) : data;
  station_.set_frame_time(from_ps(frame_ps()));
  station_.start(clause, op, addr_.get(mac_regs::kMi1AddrFields.phy), reg, number,
                 is_address ? std::uint16_t{0} : data);
  shows_read_ = op == MdioOp::kRead || op == MdioOp::kReadIncrement;
}

void Mi1::reset() {
  bank_.reset();
  station_.reset();
  shows_read_ = false;
}

}  // namespace longhaul::nic::terminator
