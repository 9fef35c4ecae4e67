// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ostream>

#include "models/nic/ixgb/ixgb_eeprom.h"
#include "platform/portmap/board_params.h"
#include "platform/portmap/mapped_function.h"
#include "tests/unit/models/pcix/pc_fixture.h"
#include "tests/unit/platform/portmap/copying_block.h"

namespace longhaul::portmap {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kBoardBar = 0xf020'0000;
constexpr std::uint32_t kModeRegister = 20;

Json interface_named(const std::string& name, const std::string& kind) {
  return {{"name", name},          {"kind", kind},       {"role", ""},
          {"clock", ""},           {"tx_clock", ""},     {"rx_clock", ""},
          {"checker", true},       {"pipelined", false}, {"word_addresses", false},
          {"outstanding", 8},      {"patience", 0},      {"trigger", "level"},
          {"pins", Json::object()}};
}

/// An EEPROM with the words of rtl/nic/ixgb.toml, and optics.
Json board_map() {
  Json map = Json::parse(testing::copying_map());
  Json eeprom = interface_named("eeprom", "microwire");
  std::vector<std::uint16_t> words(64, 0);
  const std::uint16_t board[] = {0x5137, 0x00a8, 0x4000, 0xa01f, 0x8086, 0x1a48, 0x8086};
  std::copy(std::begin(board), std::end(board), words.begin() + 8);
  eeprom["eeprom"] = {{"words", words},
                      {"mac_word", 0},
                      {"mac_maker", {0x00, 0x07, 0xe9}},
                      {"checksum_word", 63},
                      {"checksum", 0xbaba}};
  Json bus = interface_named("management", "mdio");
  bus["devices"] = {{{"name", "optics"},
                     {"type", "xpak"},
                     {"address", 0},
                     {"port", "wire"},
                     {"params", {{"vendor", "FINISAR"}}},
                     {"registers", Json::object()}}};
  map["interfaces"].push_back(eeprom);
  map["interfaces"].push_back(bus);
  return map;
}

struct BoardParamsTest : ::testing::Test {
  BlockMap map = BlockMap::parse(board_map().dump().c_str(), "test");
  BoardParams params{map};
  const EepromEntry& eeprom() { return *map.interface("eeprom").eeprom; }
  static nic::ixgb::EepromContent like_ixgb(const MacAddress& mac) {
    nic::ixgb::EepromContent content;
    content.mac = mac;
    content.pba = 0x00a85137;
    content.device_id = 0x1a48;
    content.subsystem_id = 0xa01f;
    return content;
  }
};

TEST_F(BoardParamsTest, AnEepromHasTheWordsOfTheTlmModel) {
  params.take(Json::object(), "own.eth0", 2);
  EXPECT_EQ(params.content(eeprom()),
            nic::ixgb::eeprom_image(like_ixgb({0x00, 0x07, 0xe9, 0, 0, 3})));
  params.take({{"mac", "00:07:e9:12:34:56"}}, "own.eth0", 2);
  EXPECT_EQ(params.content(eeprom()),
            nic::ixgb::eeprom_image(like_ixgb({0x00, 0x07, 0xe9, 0x12, 0x34, 0x56})));
}

TEST_F(BoardParamsTest, ParametersOfThePartsAreTakenAndTheOthersLeft) {
  const Json left = params.take(
      {{"rules", "count"}, {"eeprom_write_cycle", "2ms"}, {"optics_reach", "lr"}}, "own.eth0", 0);
  EXPECT_EQ(left, Json({{"rules", "count"}}));
  EXPECT_EQ(params.eeprom("eeprom").write_cycle(), sc_core::sc_time(2, sc_core::SC_MS));
  EXPECT_EQ(params.device(map.interface("management").devices[0]),
            Json({{"vendor", "FINISAR"}, {"reach", "lr"}}));
}

TEST_F(BoardParamsTest, AllAreDescribedWithWhoSetThem) {
  params.take({{"optics_reach", "lr"}, {"mac", "00:07:e9:12:34:56"}}, "own.eth0", 0);
  std::map<std::string, Json> told;
  for (const Json& each : params.describe(Json::array())) told[each.at("name")] = each;
  EXPECT_EQ(told.at("mac").at("value"), "00:07:e9:12:34:56");
  EXPECT_EQ(told.at("optics_reach").at("value"), "lr");
  EXPECT_EQ(told.at("optics_reach").at("set"), true);
  EXPECT_EQ(told.at("optics_vendor").at("value"), "FINISAR");
  EXPECT_EQ(told.at("optics_vendor").at("set"), false);
  EXPECT_EQ(told.at("optics_vendor").at("source"), "its port map");
  EXPECT_EQ(told.count("eeprom_write_cycle"), 1U);
  EXPECT_EQ(told.count("bus"), 0U) << "there is no interface of the bus's mode";
}

TEST_F(BoardParamsTest, WrongValuesAreRefusedWithTheirPlace) {
  const auto told = [this](const Json& given) -> std::string {
    try {
      params.take(given, "own.eth0", 0);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_NE(told({{"eeprom_write_cycle", "5"}}).find("own.eth0.eeprom"), std::string::npos);
  EXPECT_NE(told({{"eeprom_write_time", "5ms"}}).find("write_cycle"), std::string::npos)
      << "the nearest name";
  EXPECT_NE(told({{"mac", "00:07:e9:12:34"}}).find("own.eth0.mac: "), std::string::npos);
}

cosim::RtlInstance* make_board(const char*, cosim::TraceSink*, cosim::RtlListener*) {
  return new testing::CopyingBlock;
}

/// The bus, the parameter `bus`, and the pins: PCI-X speed, PCI-X, 64 bit, 66 MHz.
struct Mode {
  const char* name;
  const char* protocol;
  std::uint64_t hertz;
  const char* parameter;
  std::uint32_t pins;
};

void PrintTo(const Mode& mode, std::ostream* out) { *out << mode.name; }

class BusModeTest : public pcix::testing::PcTest, public ::testing::WithParamInterface<Mode> {};

TEST_P(BusModeTest, TheBlockSeesInWhichModeItsBusIs) {
  const Mode& mode = GetParam();
  Json json = Json::parse(testing::copying_map());
  Json slot = interface_named("slot", "bus-mode");
  slot["pins"] = {{"pci66", {"mode", 0, 1}},
                  {"bus64", {"mode", 1, 1}},
                  {"pcix", {"mode", 2, 1}},
                  {"pcix_speed", {"mode", 3, 2}}};
  json["interfaces"].push_back(slot);
  const std::string text = json.dump();
  const BlockMap map = BlockMap::parse(text.c_str(), "test");
  const cosim::RtlObject object{text.c_str(), false, false, make_board};
  bus_params.protocol.value = mode.protocol;
  bus_params.clock.value = {mode.hertz};
  build();
  FunctionParams params;
  params.block = BlockParams(map);
  params.block.take({{"bus", mode.parameter}}, "own.eth0", 0);
  MappedFunction function("block", map, object, params);
  bus->slot(1, 1).bind(function.bus_socket);
  function.config().write(0x10, 4, kBoardBar);
  function.config().write(0x04, 2, 0x0006);
  std::uint32_t seen = 0;
  at(0, [&] {
    seen = core->read32(kBoardBar + kModeRegister);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(seen, mode.pins);
}

INSTANTIATE_TEST_SUITE_P(
    Buses, BusModeTest,
    ::testing::Values(Mode{"PciX133", "pcix", 133'333'333, "slot", 0b10110},
                      Mode{"PciX100", "pcix", 100'000'000, "slot", 0b01110},
                      Mode{"PciX66", "pcix", 66'666'667, "slot", 0b00110},
                      Mode{"Pci66", "pci", 66'666'667, "slot", 0b00011},
                      Mode{"Pci33", "pci", 33'333'333, "slot", 0b00010},
                      Mode{"PciToldAsPciX", "pci", 33'333'333, "pcix-100", 0b01110},
                      Mode{"PciXToldAsPci", "pcix", 133'333'333, "pci-66", 0b00011}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace longhaul::portmap
