// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>
#include <tuple>

#include "models/common/param.h"

namespace longhaul::nic {

struct Eeprom93c46Params {
  /// Duration of a self-timed write or erase cycle, during which DO is low.
  Param<sc_core::sc_time> write_cycle{
      "eeprom_write_cycle",
      sc_core::sc_time(5, sc_core::SC_MS),
      "time that the EEPROM takes to write a word",
      {Evidence::kDatasheet, "Atmel AT93C46, AC characteristics: tWP typical"}};
  auto fields() { return std::tie(write_cycle); }
};

/// A Microwire EEPROM of 64 words of 16 bits (93C46 in x16 mode), driven bit by bit through its
/// pins.
///
/// An instruction begins after CS rises: a start bit 1, two bits of opcode, six bits of address,
/// most significant bit first, sampled at rising edges of SK. READ (10) shifts out a dummy 0 and
/// then words from the address on. The others are WRITE (01), ERASE (11), EWEN (00 11xxxx), EWDS
/// (00 00xxxx), ERAL (00 10xxxx) and WRAL (00 01xxxx).
///
/// A write starts when CS falls and takes write_cycle. During it DO reads 0 while CS is high, and
/// afterwards 1.
class Eeprom93c46 {
 public:
  static constexpr std::uint32_t kWords = 64;
  using Words = std::array<std::uint16_t, kWords>;

  explicit Eeprom93c46(const Words& content, const Eeprom93c46Params& params = {})
      : params_(params), words_(content) {}

  /// Drives the three inputs. Edges are the changes since the last call.
  void drive(bool cs, bool sk, bool di);
  /// The present level of the data output.
  bool data_out() const;
  /// The end of the last write cycle; DO may rise then although no pin changes.
  sc_core::sc_time busy_until() const { return busy_until_; }

  std::uint16_t word(std::uint32_t index) const { return words_[index % kWords]; }
  const Words& words() const { return words_; }

 private:
  enum class State { kStandby, kCommand, kReading, kWriteData, kDone };
  void clock_in(bool di);
  void decode();
  void start_write_cycle();

  const Eeprom93c46Params params_;
  Words words_;
  bool cs_ = false;
  bool sk_ = false;
  bool out_ = true;
  bool write_enabled_ = false;
  State state_ = State::kStandby;
  std::uint32_t shift_ = 0;
  std::uint32_t bits_ = 0;
  std::uint32_t opcode_ = 0;
  std::uint32_t address_ = 0;
  bool cycle_pending_ = false;
  sc_core::sc_time busy_until_ = sc_core::SC_ZERO_TIME;
  bool wrote_ = false;  // DO shows ready or busy until the next start bit
};

}  // namespace longhaul::nic
