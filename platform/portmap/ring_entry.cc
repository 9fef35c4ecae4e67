// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/ring_entry.h"

#include <nlohmann/json.hpp>
#include <string>

namespace longhaul::portmap {
namespace {

using Json = nlohmann::json;

BitField field_of(const Json& json) {
  return {json.at(0).get<std::uint16_t>(), json.at(1).get<std::uint8_t>()};
}

std::uint32_t offset_of(const Json& json) {
  return json.is_null() ? RingMap::kNoRegister : json.get<std::uint32_t>();
}

RingLength length_of(const std::string& word) {
  if (word == "log2") return RingLength::kLog2;
  return word == "descriptors" ? RingLength::kDescriptors : RingLength::kBytes;
}

RingRegisters registers_of(const Json& json) {
  RingRegisters registers;
  registers.base_low = json.at("base");
  registers.base_high =
      json.at("base_high").is_null() ? registers.base_low : offset_of(json.at("base_high"));
  registers.length = json.at("length");
  registers.head = offset_of(json.at("head"));
  registers.tail = json.at("tail");
  registers.tail_index = field_of(json.at("tail_bits"));
  registers.descriptor_bytes = json.at("descriptor");
  registers.length_is = length_of(json.at("length_is"));
  registers.tail_counts = json.at("tail_is") == "count";
  return registers;
}

TransmitRing transmit_of(const Json& json) {
  TransmitRing ring;
  ring.registers = registers_of(json);
  ring.address = field_of(json.at("address"));
  ring.length = field_of(json.at("bytes"));
  ring.end = field_of(json.at("end"));
  ring.segment = field_of(json.at("segment"));
  ring.kind = field_of(json.at("kind"));
  ring.context = json.at("context");
  return ring;
}

ReceiveRing receive_of(const Json& json) {
  ReceiveRing ring;
  ring.registers = registers_of(json);
  ring.address = field_of(json.at("address"));
  ring.length = field_of(json.at("bytes"));
  ring.end = field_of(json.at("end"));
  ring.size_register = offset_of(json.at("buffer_register"));
  ring.size_field = field_of(json.at("buffer_bits"));
  ring.size_unit = 1;
  ring.size_counts = true;
  ring.size_reset = json.at("buffer");
  ring.skip_bytes = json.at("skip");
  return ring;
}

}  // namespace

RingMap rings_of(const Json& json) {
  RingMap map;
  map.transmit = transmit_of(json.at("transmit"));
  map.receive = receive_of(json.at("receive"));
  map.reset_register = offset_of(json.at("reset_register"));
  map.reset = field_of(json.at("reset_bits"));
  map.cause_register = offset_of(json.at("cause_register"));
  map.acknowledge = field_of(json.at("acknowledge_bits"));
  return map;
}

}  // namespace longhaul::portmap
