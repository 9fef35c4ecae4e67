// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/eeprom_93c46.h"

#include <gtest/gtest.h>

namespace longhaul::nic {
namespace {

using sc_core::SC_MS;
using sc_core::sc_time;
using sc_core::SC_US;

Eeprom93c46::Words numbered() {
  Eeprom93c46::Words words;
  for (std::uint32_t i = 0; i < words.size(); ++i)
    words[i] = static_cast<std::uint16_t>(0x8001 + 0x111 * i);
  return words;
}

/// Toggles pins as software does.
struct Pins {
  Eeprom93c46 eeprom{numbered()};
  void select() {
    eeprom.drive(false, false, false);
    eeprom.drive(true, false, false);
  }
  void deselect() { eeprom.drive(false, false, false); }
  void clock(bool di) {
    eeprom.drive(true, false, di);
    eeprom.drive(true, true, di);
    eeprom.drive(true, false, di);
  }
  void send(std::uint32_t value, int bits) {
    for (int i = bits - 1; i >= 0; --i) clock((value >> i & 1U) != 0);
  }
  std::uint32_t receive(int bits) {
    std::uint32_t value = 0;
    for (int i = 0; i < bits; ++i) {
      eeprom.drive(true, true, false);
      value = value << 1 | (eeprom.data_out() ? 1U : 0U);
      eeprom.drive(true, false, false);
    }
    return value;
  }
  void command(std::uint32_t start_and_opcode, std::uint32_t address) {
    select();
    send(start_and_opcode, 3);
    send(address, 6);
  }
  void write_enable() {
    command(4, 0x30);
    deselect();
  }
  void write(std::uint32_t address, std::uint32_t value) {
    command(5, address);
    send(value, 16);
    deselect();
  }
  std::uint32_t read(std::uint32_t address) {
    command(6, address);
    return receive(16);
  }
};

TEST(Eeprom93c46, ReadShowsADummyZeroAndThenTheWord) {
  Pins pins;
  pins.command(6, 5);
  EXPECT_FALSE(pins.eeprom.data_out());
  EXPECT_EQ(pins.receive(16), pins.eeprom.word(5));
}

TEST(Eeprom93c46, ReadGoesOnWithTheNextWordAndWraps) {
  Pins pins;
  pins.command(6, 63);
  EXPECT_EQ(pins.receive(16), pins.eeprom.word(63));
  EXPECT_EQ(pins.receive(16), pins.eeprom.word(0));
}

TEST(Eeprom93c46, LeadingZeroesBeforeTheStartBitAreIgnored) {
  Pins pins;
  pins.select();
  pins.send(0, 4);
  pins.send(6, 3);
  pins.send(9, 6);
  EXPECT_EQ(pins.receive(16), pins.eeprom.word(9));
}

TEST(Eeprom93c46, WritingNeedsToBeEnabledAndTakesItsCycle) {
  Pins pins;
  pins.write(7, 0x1234);
  EXPECT_EQ(pins.eeprom.word(7), numbered()[7]);
  pins.write_enable();
  pins.write(7, 0x1234);
  pins.select();
  EXPECT_FALSE(pins.eeprom.data_out()) << "busy";
  sc_core::sc_start(sc_time(4999, SC_US));
  EXPECT_FALSE(pins.eeprom.data_out());
  sc_core::sc_start(sc_time(1, SC_US));
  EXPECT_TRUE(pins.eeprom.data_out()) << "ready";
  EXPECT_EQ(pins.read(7), 0x1234U);
  pins.command(4, 0x00);  // EWDS
  pins.deselect();
  pins.write(7, 0x5678);
  EXPECT_EQ(pins.read(7), 0x1234U);
}

TEST(Eeprom93c46, EraseAndWriteAll) {
  Pins pins;
  pins.write_enable();
  pins.command(7, 3);
  pins.deselect();
  sc_core::sc_start(sc_time(5, SC_MS));
  EXPECT_EQ(pins.read(3), 0xffffU);
  pins.command(4, 0x10);  // WRAL
  pins.send(0x0f0f, 16);
  pins.deselect();
  sc_core::sc_start(sc_time(5, SC_MS));
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(pins.eeprom.word(i), 0x0f0f);
}

TEST(Eeprom93c46, AbandonedCommandsChangeNothing) {
  Pins pins;
  pins.write_enable();
  pins.command(5, 1);
  pins.send(0xaa, 8);
  pins.deselect();
  sc_core::sc_start(sc_time(5, SC_MS));
  EXPECT_EQ(pins.eeprom.words(), numbered());
}

}  // namespace
}  // namespace longhaul::nic
