// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/bmu.h"

#include <algorithm>

#include "models/nic/blocks/little_endian.h"

namespace longhaul::nic::genesis {
namespace {

bool is_known_check(std::uint32_t control) {
  const std::uint32_t check = control >> regs::bmu::kCheckShift & regs::bmu::kCheckMask;
  return check == regs::bmu::kCheckPlain || check == regs::bmu::kCheckTcp ||
         check == regs::bmu::kCheckUdp;
}

constexpr std::uint32_t kAligned = regs::kDescriptorAddressFields.da;

}  // namespace

Bmu::Bmu(const sc_core::sc_module_name& name, const Place& place, RegisterBank& bank,
         pcix::DmaEngine& dma, BmuUser& user, std::function<void()> causes_changed,
         std::function<void(pcix::DmaStatus)> bus_error)
    : sc_module(name),
      place_(place),
      dma_(dma),
      user_(user),
      causes_changed_(std::move(causes_changed)),
      bus_error_(std::move(bus_error)),
      da_l_(bank,
            RegisterSpec{"Q_DA_L", place.block + regs::q::kDaL, regs::kDescriptorAddressFields,
                         Access::kReadWrite, 0, regs::kDescriptorAddressFields.da},
            [this](std::uint32_t) { lowest_ = highest_ = 0; }),
      da_h_(bank, "Q_DA_H", place.block + regs::q::kDaH, 0, Access::kReadWrite, {},
            [this](std::uint32_t) { lowest_ = highest_ = 0; }),
      ac_l_(bank, "Q_AC_L", place.block + regs::q::kAcL, 0, Access::kReadOnly,
            [this] { return static_cast<std::uint32_t>(buffer_now()); }),
      ac_h_(bank, "Q_AC_H", place.block + regs::q::kAcH, 0, Access::kReadOnly,
            [this] { return static_cast<std::uint32_t>(buffer_now() >> 32); }),
      bc_(bank, "Q_BC", place.block + regs::q::kBc, 0, Access::kReadOnly,
          [this] { return descriptor_.bytes() - std::min(moved_, descriptor_.bytes()); }),
      csr_(
          bank, RegisterSpec{"Q_CSR", place.block + regs::q::kCsr, regs::kCsrFields},
          [this] { return csr_now(); }, [this](std::uint32_t v) { command(v); }),
      csr_mirror_(
          bank, RegisterSpec{"B0_CSR", place.csr_mirror, regs::kCsrFields},
          [this] { return csr_now(); }, [this](std::uint32_t v) { command(v); }),
      flag_(bank, RegisterSpec{"Q_F", place.block + regs::q::kF, regs::kFlagFields,
                               Access::kReadWrite, 0, regs::kFlagFields.water_mark}) {
  for (std::uint32_t at = 0; at < regs::bmu::kDescriptorBytes; at += 4) {
    current_.emplace_back(bank, "Q_D", place.block + regs::q::kD + at, 0, Access::kReadOnly,
                          [this, at] { return read_le32(&words_[at]); });
  }
}

std::uint32_t Bmu::csr_now() const { return state_ == State::kIdle ? regs::kCsrFields.sv_idle : 0; }

void Bmu::command(std::uint32_t value) {
  csr_.set(0);  // commands: a bit that is not written has no effect
  csr_mirror_.set(0);
  std::uint32_t cleared = 0;
  if ((value & regs::kCsrFields.irq_cl_b) != 0) cleared |= place_.end_of_buffer;
  if ((value & regs::kCsrFields.irq_cl_f) != 0) cleared |= place_.end_of_frame;
  if ((value & regs::kCsrFields.irq_cl_c) != 0) cleared |= place_.check;
  if ((value & regs::kCsrFields.rst) != 0) cleared = causes_;
  const bool changed = (causes_ & cleared) != 0;
  causes_ &= ~cleared;
  held_ = (held_ & ~((value & regs::kCsrFields.run) >> 1)) | (value & regs::kCsrFields.rst);
  if (held()) {
    if (state_ != State::kIdle) abort("queue reset");
  } else {
    if ((value & regs::kCsrFields.start) != 0) start();
    if ((value & regs::kCsrFields.stop) != 0) stop();
  }
  if (changed) causes_changed_();
}

void Bmu::start() {
  stop_ = false;
  if (state_ == State::kReading)
    again_ = true;  // the present read may have begun before the driver gave the descriptor
  if (state_ == State::kIdle) read_descriptor();
}

void Bmu::stop() {
  if (state_ == State::kLoaded) {
    state_ = State::kIdle;
    user_.bmu_ready();
  }
  stop_ = state_ != State::kIdle;
}

void Bmu::read_descriptor() {
  state_ = State::kReading;
  again_ = false;
  at_ = static_cast<std::uint64_t>(da_h_.value()) << 32 | da_l_.value();
  if (highest_ == 0) lowest_ = at_;
  lowest_ = std::min(lowest_, at_);
  highest_ = std::max(highest_, at_ + regs::bmu::kDescriptorBytes);
  dma_.read(at_, words_.data(), regs::bmu::kDescriptorBytes, this, kDescriptor);
}

void Bmu::descriptor_read() {
  moved_ = 0;
  descriptor_.control = read_le32(&words_[0]);
  descriptor_.next = read_le32(&words_[4]) & kAligned;
  descriptor_.address =
      static_cast<std::uint64_t>(read_le32(&words_[12])) << 32 | read_le32(&words_[8]);
  state_ = State::kIdle;
  if (stop_) {
    stop_ = false;
  } else if ((descriptor_.control & regs::bmu::kOwn) == 0) {
    idle_reads.add();
    if (again_) read_descriptor();
  } else if (!is_known_check(descriptor_.control)) {
    refuse();
  } else {
    state_ = State::kLoaded;
  }
  user_.bmu_ready();
}

void Bmu::fetch(std::uint32_t done, std::uint8_t* data, std::uint32_t length) {
  ++transfers_;
  moved_ = done + length;
  dma_.read(descriptor_.address + done, data, length, this, kData);
}

void Bmu::store(std::uint32_t done, const std::uint8_t* data, std::uint32_t length,
                std::uint32_t stored) {
  ++transfers_;
  moved_ = done + length;
  dma_.write(descriptor_.address + done, data, length, this, kData, stored);
}

void Bmu::finish(std::uint32_t control, const std::optional<Status>& status) {
  state_ = State::kReturning;
  given_back_ = control;
  if (status) {
    write_le32(&status_out_[0], status->status);
    write_le32(&status_out_[4], status->timestamp);
    write_le32(&status_out_[8], status->sums);
    dma_.write(at_ + regs::bmu::kStatusOffset, status_out_.data(), regs::bmu::kStatusBytes, this,
               kStatus);
  }
  write_le32(control_out_.data(), control);
  dma_.write(at_, control_out_.data(), sizeof control_out_, this, kControl);
}

void Bmu::returned() {
  descriptors.add();
  da_l_.set(descriptor_.next);
  std::uint32_t causes = 0;
  if ((given_back_ & regs::bmu::kIrqEob) != 0) causes |= place_.end_of_buffer;
  if ((given_back_ & regs::bmu::kIrqEof) != 0 && (given_back_ & regs::bmu::kEof) != 0)
    causes |= place_.end_of_frame;
  state_ = State::kIdle;
  if (!stop_) read_descriptor();
  stop_ = false;
  user_.descriptor_returned();
  add_causes(causes);
}

void Bmu::add_causes(std::uint32_t causes) {
  if ((causes & ~causes_) == 0) return;
  causes_ |= causes;
  causes_changed_();
}

void Bmu::refuse() {
  errors.add();
  state_ = State::kIdle;
  stop_ = again_ = false;
  add_causes(place_.check);
}

void Bmu::abort(const char* why) {
  dma_.abandon(*this);
  state_ = State::kIdle;
  stop_ = again_ = false;
  transfers_ = 0;
  user_.bmu_aborted(why);
}

void Bmu::dma_done(std::uint64_t tag, pcix::DmaStatus status) {
  if (status != pcix::DmaStatus::kOk) {
    errors.add();
    abort("error on the bus");
    add_causes(place_.check);
    if (bus_error_) bus_error_(status);
    return;
  }
  switch (static_cast<Tag>(tag)) {
    case kDescriptor: return descriptor_read();
    case kData: --transfers_; return user_.data_moved();
    case kStatus: return;
    case kControl: return returned();
  }
}

void Bmu::dma_blank(std::uint64_t tag, std::uint8_t* data, std::uint32_t length) {
  if (tag != kData) return pcix::DmaClient::dma_blank(tag, data, length);
  user_.data_blank(data, length);
}

void Bmu::reset() {
  state_ = State::kIdle;
  held_ = regs::kCsrFields.rst;
  stop_ = again_ = false;
  causes_ = 0;
  transfers_ = 0;
  moved_ = 0;
  descriptor_ = {};
  words_.fill(0);
  lowest_ = highest_ = 0;
}

}  // namespace longhaul::nic::genesis
