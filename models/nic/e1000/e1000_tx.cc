// SPDX-License-Identifier: Apache-2.0
#include "models/nic/e1000/e1000_tx.h"

namespace longhaul::nic::e1000 {
namespace {

intel::TxUnitParams tx_unit_params(const E1000Params& params) {
  const Bytes tx_fifo{params.packet_buffer().count - units::KiB(params.rx_buffer_kib()).count};
  return {tx_fifo,
          params.packet_buffer(),
          params.fifo_granule(),
          params.descriptor_cache(),
          params.descriptor_burst(),
          params.engine_clock(),
          intel::tx_speed(params),
          params.tso_cwr_first_only(),
          kMaxFrameBytes};
}

}  // namespace

E1000Tx::E1000Tx(const sc_core::sc_module_name& name, const E1000Parts& parts)
    : TxUnit(name, tx_unit_params(parts.params), parts.dma, parts.mac),
      parts_(parts),
      packet_timer_("packet_timer", [this] { delay_over(); }),
      absolute_timer_("absolute_timer", [this] { delay_over(); }) {}

void E1000Tx::reset() {
  TxUnit::reset();
  packet_timer_.cancel();
  absolute_timer_.cancel();
}

intel::TxCommand E1000Tx::decode(const std::uint8_t* descriptor) const {
  const std::uint32_t word = read_le32(descriptor + 8);
  intel::TxCommand command;
  command.address = read_le64(descriptor);
  command.end = (word & regs::tx::kEop) != 0;
  command.insert_tag = (word & regs::tx::kVle) != 0;
  command.tag = read_le16(descriptor + 14);
  if ((word & regs::tx::kExtended) == 0) {
    command.length = word & regs::tx::kLegacyLengthMask;
    command.own_checksum = (word & regs::tx::kLegacyChecksum) != 0;
    command.span = {descriptor[13], static_cast<std::uint8_t>(word >> regs::tx::kLegacyOffsetShift),
                    0};
    return command;
  }
  command.context = (word >> regs::tx::kTypeShift & regs::tx::kTypeMask) == regs::tx::kTypeContext;
  command.length = word & regs::tx::kLengthMask;
  command.segment = (word & regs::tx::kTse) != 0;
  command.ip_checksum = (descriptor[13] & regs::tx::kIxsm) != 0;
  command.l4_checksum = (descriptor[13] & regs::tx::kTxsm) != 0;
  return command;
}

void E1000Tx::reported(bool with_delay, bool without) {
  const bool delayed = with_delay && tidv_.value() != 0;
  if (delayed) {
    packet_timer_.restart(delay_of(parts_.params, tidv_.value()));
    if (tadv_.value() != 0) absolute_timer_.start_if_idle(delay_of(parts_.params, tadv_.value()));
  }
  if (without || (with_delay && !delayed)) delay_over();
}

void E1000Tx::delay_over() {
  packet_timer_.cancel();
  absolute_timer_.cancel();
  ring().flush();
}

void E1000Tx::tctl_written(std::uint32_t value) { enable((value & regs::kTctlFields.en) != 0); }

void E1000Tx::txdctl_written(std::uint32_t value) {
  // In cache lines of 32 bytes a threshold counts two descriptors (8254x SDM 13.4.43; CLS is 8
  // double words here).
  const std::uint32_t each = (value & regs::kDescriptorControlFields.gran) != 0 ? 1 : 2;
  ring().set_thresholds({regs::kDescriptorControlFields.pthresh.get(value) * each,
                         regs::kDescriptorControlFields.hthresh.get(value) * each,
                         regs::kDescriptorControlFields.wthresh.get(value) * each});
}

}  // namespace longhaul::nic::e1000
