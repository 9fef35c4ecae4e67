// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "models/common/param.h"
#include "models/nic/blocks/eeprom_93c46.h"
#include "platform/portmap/block_map.h"

namespace longhaul::portmap {

/// Parameters of what lies beside a block on its board. The names of a part's own parameters begin
/// with the part's name: `optics_vendor`, `eeprom_write_cycle`.
class BoardParams {
 public:
  static constexpr const char* kSlot = "slot";  ///< value of `bus`: that of the slot

  BoardParams() = default;
  /// `map` must outlive this object.
  explicit BoardParams(const BlockMap& map);

  /// Takes the board's parameters out of those of a part, and returns the others. `index` is the
  /// adapter's number, which gives the default Ethernet address. Throws ConfigError whose message
  /// starts with `where` for a wrong value.
  nlohmann::json take(nlohmann::json params, const std::string& where, std::uint32_t index);
  /// The parameters in the form of longhaul::describe() and describe_defaults(), appended to
  /// `list`.
  nlohmann::json describe(nlohmann::json list) const;
  nlohmann::json describe_defaults(nlohmann::json list) const;

  const nic::Eeprom93c46Params& eeprom(const std::string& interface) const {
    return eeproms_.at(interface);
  }
  /// The words of an EEPROM, with Ethernet address and checksum.
  nic::Eeprom93c46::Words content(const EepromEntry& entry) const;
  /// The parameters of a device of a management bus: the map's, and the user's over them.
  nlohmann::json device(const MdioDeviceEntry& entry) const;
  /// The bus that the block is told of: kSlot, or a name of BusMode.
  std::string bus() const { return bus_ ? bus_->value : kSlot; }
  /// Begins the messages of errors.
  const std::string& where() const { return where_; }

 private:
  nlohmann::json with_devices(nlohmann::json list, bool defaults) const;

  const BlockMap* map_ = nullptr;
  std::optional<Param<std::string>> mac_;
  std::optional<Param<std::string>> bus_;
  std::map<std::string, nic::Eeprom93c46Params> eeproms_;  // by interface
  std::map<std::string, nlohmann::json> devices_;          // what the user set, by name
  std::string where_;
  std::uint32_t index_ = 0;
};

}  // namespace longhaul::portmap
