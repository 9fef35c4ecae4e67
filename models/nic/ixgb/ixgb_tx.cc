// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/ixgb_tx.h"

namespace longhaul::nic::ixgb {
namespace {

intel::TxUnitParams tx_unit_params(const IxgbParams& params) {
  return {params.tx_fifo(),
          params.tx_fifo(),
          params.fifo_granule(),
          params.tx_descriptor_cache(),
          params.descriptor_burst(),
          params.engine_clock(),
          intel::tx_speed(params),
          params.tso_cwr_first_only(),
          kMaxFrameBytes};
}

}  // namespace

IxgbTx::IxgbTx(const sc_core::sc_module_name& name, const IxgbParts& parts)
    : TxUnit(name, tx_unit_params(parts.params), parts.dma, parts.mac),
      parts_(parts),
      tidv_timer_("tidv_timer", [this] { ring().flush(); }) {}

void IxgbTx::reset() {
  TxUnit::reset();
  tidv_timer_.cancel();
}

intel::TxCommand IxgbTx::decode(const std::uint8_t* descriptor) const {
  const std::uint32_t word = read_le32(descriptor + 8);
  intel::TxCommand command;
  command.context = (word >> regs::tx::kTypeShift & regs::tx::kTypeMask) == regs::tx::kTypeContext;
  command.address = read_le64(descriptor);
  command.length = word & regs::tx::kLengthMask;
  command.end = (word & regs::tx::kEop) != 0;
  command.segment = (word & regs::tx::kTse) != 0;
  command.insert_tag = (word & regs::tx::kVle) != 0;
  command.tag = read_le16(descriptor + 14);
  command.ip_checksum = (descriptor[13] & regs::tx::kIxsm) != 0;
  command.l4_checksum = (descriptor[13] & regs::tx::kTxsm) != 0;
  return command;
}

void IxgbTx::reported(bool with_delay, bool without) {
  const std::uint32_t delay = tidv_.value() & 0xffff;
  if (with_delay && delay != 0) tidv_timer_.restart(delay_of(parts_.params, delay));
  if (with_delay && delay == 0) ring().flush();
  if (without) parts_.interrupts.post(regs::kCauseFields.txdw);
}

void IxgbTx::frame_sent(const Frame& frame, std::uint32_t given, std::uint32_t wire_bytes) {
  const bool vlan = ethernet::type(frame) == kVlanType;
  if (given < EthMac::kMinFrameBytes) parts_.stats.count(parts_.stats.sent_below_64);
  parts_.stats.sent(frame, wire_bytes, vlan,
                    wire_bytes > kStandardFrameBytes + (vlan ? kVlanTagBytes : 0));
}

std::uint64_t IxgbTx::pace_ps(std::uint32_t frame_bytes) const {
  constexpr std::uint32_t kWan = 0xf;
  constexpr BitRate kWanRate{
      9'294'196'363};  // payload rate of the WIS: 9.58464 Gb/s x 64/66 (IEEE 802.3, clause 50)
  const std::uint32_t pace = parts_.pap.get(regs::kPapFields.txpv);
  if (pace == 0 || (pace > 9 && pace != kWan)) return 0;
  const BitRate rate = pace == kWan ? kWanRate : BitRate{pace * 1'000'000'000ULL};
  return transfer_ps(frame_bytes + ethernet::kPreambleBytes + ethernet::kGapBytes, rate);
}

}  // namespace longhaul::nic::ixgb
