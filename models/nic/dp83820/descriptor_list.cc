// SPDX-License-Identifier: Apache-2.0
#include "models/nic/dp83820/descriptor_list.h"

#include <algorithm>

#include "models/nic/blocks/little_endian.h"

namespace longhaul::nic::dp83820 {

DescriptorList::DescriptorList(const sc_core::sc_module_name& name, const RegisterSpec& low,
                               const RegisterSpec& high, RegisterBank& bank, pcix::DmaEngine& dma,
                               ListUser& user)
    : sc_module(name),
      bank_(bank),
      dma_(dma),
      user_(user),
      low_(
          bank, low, [this] { return static_cast<std::uint32_t>(pointer_); },
          [this](std::uint32_t value) {
            point_to((pointer_ >> 32 << 32) | (value & regs::kPointerFields.dp));
          }),
      high_(
          bank, high, [this] { return static_cast<std::uint32_t>(pointer_ >> 32); },
          [this](std::uint32_t value) {
            point_to(std::uint64_t{value} << 32 | (pointer_ & 0xffff'ffff));
          }) {}

void DescriptorList::point_to(std::uint64_t address) {
  if (!rests()) return;
  pointer_ = address;
  finished_ = false;
  lowest_ = highest_ = 0;
}

bool DescriptorList::wide() const {
  return (bank_.peek(regs::kCfg) & regs::kCfgFields.m64addr) != 0;
}
bool DescriptorList::extended() const {
  return (bank_.peek(regs::kCfg) & regs::kCfgFields.extsts_en) != 0;
}

void DescriptorList::start() {
  if (!finished_) {
    read();
    return;
  }
  state_ = State::kRefreshing;
  dma_.read(pointer_, in_.data(), wide() ? 8 : 4, this, 0);
}

void DescriptorList::read() {
  state_ = State::kReading;
  dma_.read(pointer_, in_.data(), bytes(), this, 0);
  lowest_ = highest_ == 0 ? pointer_ : std::min(lowest_, pointer_);
  highest_ = std::max(highest_, pointer_ + bytes());
}

void DescriptorList::arrived() {
  const std::uint8_t* const in = in_.data();
  descriptor_.link = wide() ? read_le64(in) : read_le32(in);
  if (state_ == State::kRefreshing) {
    advance();
    return;
  }
  descriptor_.buffer = wide() ? read_le64(in + 8) : read_le32(in + 4);
  descriptor_.command = read_le32(in + command_offset());
  descriptor_.extended = extended() ? read_le32(in + command_offset() + 4) : 0;
  state_ = State::kLoaded;
  user_.descriptor_arrived();
}

void DescriptorList::advance() {
  if (descriptor_.link == 0) {
    finished_ = true;
    state_ = State::kRest;
    user_.list_ended();
    return;
  }
  finished_ = false;
  pointer_ = descriptor_.link & ~std::uint64_t{7};
  read();
}

void DescriptorList::give_back(std::uint32_t command, std::uint32_t extended, bool write_extended) {
  state_ = State::kReturning;
  write_le32(out_.data(), command);
  write_le32(out_.data() + 4, extended);
  const bool both = write_extended && this->extended();
  dma_.write(pointer_ + command_offset(), out_.data(), both ? 8 : 4, this, 0);
}

void DescriptorList::dma_done(std::uint64_t /*tag*/, pcix::DmaStatus status) {
  if (status != pcix::DmaStatus::kOk) {
    state_ = State::kRest;
    user_.list_failed(status);
    return;
  }
  if (state_ != State::kReturning) {
    arrived();
    return;
  }
  descriptors.add();
  if (user_.descriptor_returned()) {
    advance();
    return;
  }
  state_ = State::kRest;
  finished_ = descriptor_.link == 0;
  if (!finished_) pointer_ = descriptor_.link & ~std::uint64_t{7};
}

void DescriptorList::reset() {
  dma_.abandon(*this);
  state_ = State::kRest;
  point_to(0);
}

}  // namespace longhaul::nic::dp83820
