// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/mapped_function.h"

#include <cstring>

#include "models/common/param_json.h"

namespace longhaul::portmap {
namespace {

constexpr std::uint8_t kPcixCapability = 0x50;
constexpr std::uint8_t kMsiCapability = 0x58;
constexpr std::uint64_t kRead = 1;  // tags of register accesses
constexpr std::uint64_t kWrite = 0;

bool is_pcix(const PciEntry& pci) { return pci.slot.rfind("pcix", 0) == 0; }

pcix::ConfigIdentity identity_of(const PciEntry& pci) {
  pcix::ConfigIdentity identity{};
  identity.vendor_id = pci.vendor;
  identity.device_id = pci.device;
  identity.revision = pci.revision;
  identity.class_code = pci.class_code;
  identity.subsystem_vendor_id = pci.subsystem_vendor;
  identity.subsystem_id = pci.subsystem;
  identity.pcix_capability_offset = is_pcix(pci) ? kPcixCapability : 0;
  identity.msi_capability_offset = pci.msi ? kMsiCapability : 0;
  identity.memory_size = pci.bar;
  identity.io_bar = 1;
  identity.interrupt_pin = 1;
  identity.max_read_bytes = pci.max_read;
  return identity;
}

pcix::TargetParams answering_later(pcix::TargetParams target) {
  target.split_reads.value = true;
  return target;
}

}  // namespace

MappedFunction::MappedFunction(const sc_core::sc_module_name& name, const BlockMap& map,
                               const cosim::RtlObject& object, const FunctionParams& params)
    : PcixDevice(name, map.pci->bar, identity_of(*map.pci), params.dma,
                 answering_later(params.target)),
      params_(params),
      block_("block", map, object, params.block),
      port_("mac", block_, map.interface(map.pci->port)) {}

nlohmann::json MappedFunction::describe_params() const { return describe(params_); }

void MappedFunction::start_of_simulation() {
  const BlockMap& map = block_.map();
  block_.start();
  registers_ = make_register_side(block_, map.interface(map.pci->registers), *this);
  if (!map.pci->memory.empty())
    memory_ = make_memory_side(block_, map.interface(map.pci->memory), *this);
  if (!map.pci->interrupts.empty()) {
    const InterfaceEntry& interface = map.interface(map.pci->interrupts);
    cosim::InterruptClient& client = *this;
    interrupts_ = std::make_unique<cosim::InterruptPins>(
        block_.rtl(), block_.clock(interface.clock), block_.pin(interface, "irq"), client);
  }
  port_.connect();
  block_.power_up();
}

sc_core::sc_time MappedFunction::access_memory_bar(tlm::tlm_generic_payload& payload) {
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  log_.register_asked(payload.get_address(), payload.get_data_length(), payload.is_write());
  if (payload.is_write()) {
    registers_.port->write(payload.get_address(), payload.get_data_ptr(), payload.get_data_length(),
                           kWrite);
    return sc_core::SC_ZERO_TIME;
  }
  reads_.push_back({payload.get_data_ptr(), payload.get_data_length()});
  registers_.port->read(payload.get_address(), payload.get_data_length(), kRead);
  return later();
}

void MappedFunction::access_done(std::uint64_t tag, cosim::BusStatus status,
                                 const std::uint8_t* data) {
  log_.register_answered();
  if (tag != kRead) return;  // posted
  const Read read = reads_.pop_front();
  std::memcpy(read.data, data, read.bytes);
  answer_read(status == cosim::BusStatus::kOk ? tlm::TLM_OK_RESPONSE
                                              : tlm::TLM_GENERIC_ERROR_RESPONSE);
}

std::uint64_t MappedFunction::open_access(cosim::MemoryClient& client, std::uint64_t tag) {
  if (free_accesses_.empty()) {
    free_accesses_.push_back(static_cast<std::uint32_t>(accesses_.size()));
    accesses_.emplace_back();
  }
  const std::uint32_t number = free_accesses_.back();
  free_accesses_.pop_back();
  accesses_[number] = {&client, tag};
  return number;
}

void MappedFunction::read(std::uint64_t address, std::uint8_t* data, std::uint32_t length,
                          cosim::MemoryClient& client, std::uint64_t tag) {
  const std::uint64_t number = open_access(client, tag);
  log_.memory_asked(static_cast<std::uint32_t>(number), address, length, false);
  dma().read(address, data, length, this, number);
}

void MappedFunction::write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length,
                           cosim::MemoryClient& client, std::uint64_t tag) {
  const std::uint64_t number = open_access(client, tag);
  log_.memory_asked(static_cast<std::uint32_t>(number), address, length, true);
  dma().write(address, data, length, this, number);
}

void MappedFunction::dma_done(std::uint64_t tag, pcix::DmaStatus status) {
  const DmaAccess access = accesses_[tag];
  free_accesses_.push_back(static_cast<std::uint32_t>(tag));
  log_.memory_answered(static_cast<std::uint32_t>(tag));
  if (status != pcix::DmaStatus::kOk) dma_failures.add();
  access.client->memory_done(access.tag, status == pcix::DmaStatus::kOk ? cosim::BusStatus::kOk
                                         : status == pcix::DmaStatus::kMasterAbort
                                             ? cosim::BusStatus::kDecodeError
                                             : cosim::BusStatus::kSlaveError);
}

}  // namespace longhaul::portmap
