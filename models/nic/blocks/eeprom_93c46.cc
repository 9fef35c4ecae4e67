// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/eeprom_93c46.h"

namespace longhaul::nic {
namespace {

constexpr std::uint32_t kOpcodeExtended = 0;  // EWDS, WRAL, ERAL, EWEN by the two top address bits
constexpr std::uint32_t kOpcodeWrite = 1;
constexpr std::uint32_t kOpcodeRead = 2;
constexpr std::uint32_t kOpcodeErase = 3;
constexpr std::uint32_t kCommandBits = 9;  // start bit, opcode, address

}  // namespace

void Eeprom93c46::drive(bool cs, bool sk, bool di) {
  const bool select = cs && !cs_;
  const bool deselect = !cs && cs_;
  const bool rise = sk && !sk_ && cs;
  cs_ = cs;
  sk_ = sk;
  if (deselect) {
    if (cycle_pending_) start_write_cycle();
    state_ = State::kStandby;
  }
  if (select) {
    state_ = State::kCommand;
    shift_ = 0;
    bits_ = 0;
    out_ = true;
    return;  // a clock edge together with the select is not an edge yet
  }
  if (rise) clock_in(di);
}

bool Eeprom93c46::data_out() const {
  if (!cs_) return true;  // high impedance, pulled up
  if (state_ == State::kCommand && wrote_) return now() >= busy_until_;
  return out_;
}

void Eeprom93c46::clock_in(bool di) {
  switch (state_) {
    case State::kCommand:
      if (now() < busy_until_) return;
      if (bits_ == 0 && !di) return;  // waits for the start bit
      wrote_ = false;
      shift_ = shift_ << 1 | (di ? 1U : 0U);
      if (++bits_ == kCommandBits) decode();
      return;
    case State::kReading:
      out_ = (words_[address_] >> (15 - bits_) & 1U) != 0;
      if (++bits_ == 16) {
        bits_ = 0;
        address_ = (address_ + 1) % kWords;
      }
      return;
    case State::kWriteData:
      shift_ = shift_ << 1 | (di ? 1U : 0U);
      if (++bits_ == 16) {
        cycle_pending_ = write_enabled_;
        state_ = State::kDone;
      }
      return;
    case State::kStandby:
    case State::kDone: return;
  }
}

void Eeprom93c46::decode() {
  opcode_ = shift_ >> 6 & 3U;
  address_ = shift_ & 63U;
  bits_ = 0;
  shift_ = 0;
  state_ = State::kDone;
  if (opcode_ == kOpcodeRead) {
    state_ = State::kReading;
    out_ = false;
  } else if (opcode_ == kOpcodeWrite) {
    state_ = State::kWriteData;
  } else if (opcode_ == kOpcodeErase) {
    shift_ = 0xffff;
    cycle_pending_ = write_enabled_;
  } else {
    const std::uint32_t extended = address_ >> 4;
    if (extended == 3) write_enabled_ = true;
    if (extended == 0) write_enabled_ = false;
    if (extended == 1) state_ = State::kWriteData;
    if (extended == 2) {
      shift_ = 0xffff;
      cycle_pending_ = write_enabled_;
    }
  }
}

void Eeprom93c46::start_write_cycle() {
  cycle_pending_ = false;
  if (opcode_ == kOpcodeExtended) {
    words_.fill(static_cast<std::uint16_t>(shift_));
  } else {
    words_[address_] = static_cast<std::uint16_t>(shift_);
  }
  busy_until_ = now() + params_.write_cycle();
  wrote_ = true;
}

}  // namespace longhaul::nic
