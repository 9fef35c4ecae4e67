// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/mapped_function.h"

#include <cstring>

#include "models/common/param_json.h"
#include "platform/cosim/bus/interrupt_pins.h"
#include "platform/cosim/bus/vector_pins.h"

namespace longhaul::portmap {
namespace {

constexpr std::uint64_t kWrite = 1ULL << 63U;  // in tags of register writes, beside a number
constexpr std::uint32_t kNoBank = 16;          // bytes: the registers are the block's

pcix::TargetParams answering_later(pcix::TargetParams target) {
  target.split_reads.value = true;
  return target;
}

}  // namespace

MappedFunction::MappedFunction(const sc_core::sc_module_name& name, const BlockMap& map,
                               const cosim::RtlObject& object, const FunctionParams& params)
    : PcixDevice(name, kNoBank, map.pci->identity(), params.dma, answering_later(params.target)),
      params_(params),
      block_("block", map, object, params.block),
      port_("mac", block_, map.pci->port) {}

nlohmann::json MappedFunction::describe_params() const {
  return params_.block.describe(describe(params_));
}

void MappedFunction::start_of_simulation() {
  const BlockMap& map = block_.map();
  block_.start(bus() == nullptr ? 0 : bus()->period_ps());
  connect_registers();
  if (!map.pci->memory.empty())
    memory_ = make_memory_side(block_, map.interface(map.pci->memory), params_.stress, *this);
  connect_interrupts();
  port_.connect();
  block_.board().show_bus(block_,
                          bus() == nullptr ? BusMode::named(map.pci->slot) : BusMode::of(*bus()));
  block_.power_up();
}

void MappedFunction::connect_registers() {
  const BlockMap& map = block_.map();
  for (const BarEntry& entry : map.pci->bars) {
    if (registers_.count(entry.registers) != 0) continue;
    registers_[entry.registers] = make_register_side(block_, map.interface(entry.registers), *this);
  }
}

void MappedFunction::connect_interrupts() {
  const BlockMap& map = block_.map();
  if (map.pci->interrupts.empty()) return;
  const InterfaceEntry& interface = map.interface(map.pci->interrupts);
  cosim::InterruptClient& client = *this;
  cosim::ClockDomain& clock = block_.clock(interface.clock);
  const auto pin = [&](const char* signal) { return block_.pin(interface, signal); };
  if (interface.kind == "interrupt") {
    pulses_ = interface.edge;
    interrupts_ = std::make_unique<cosim::InterruptPins>(block_.rtl(), clock, pin("irq"), client);
  } else {
    pulses_ = true;
    interrupts_ = std::make_unique<cosim::VectorPins>(block_.rtl(), clock, pin("vector"),
                                                      pin("valid"), pin("ready"), client);
  }
}

void MappedFunction::interrupts_changed(std::uint64_t levels, std::uint64_t rises) {
  log_.interrupt_set(levels != 0 || rises != 0);
  if (pulses_) log_.interrupt_set(false);
  if (!pulses_) return set_interrupts(levels, rises);
  if (sends_messages()) return set_interrupts(0, rises);
  for (; rises != 0; rises &= rises - 1) interrupts_lost.add();
}

sc_core::sc_time MappedFunction::access_memory_bar(tlm::tlm_generic_payload& payload) {
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const BarEntry& entry = block_.map().pci->bars[accessed_bar()];
  cosim::RegisterPort& port = *registers_.at(entry.registers).port;
  const std::uint64_t address = entry.offset + payload.get_address();
  const std::uint64_t tag = payload.is_write() ? kWrite | ++writes_ : first_read_ + reads_.size();
  if (BusCoverage* const buses = block_.buses())
    buses->register_accessed(entry.registers, address, payload.is_write());
  log_.register_asked(tag, payload.get_address(), payload.get_data_length(), payload.is_write());
  if (payload.is_write()) {
    ++posted_;
    port.write(address, payload.get_data_ptr(), payload.get_data_length(), tag);
    return sc_core::SC_ZERO_TIME;
  }
  reads_.push_back({payload.get_data_ptr(), payload.get_data_length()});
  port.read(address, payload.get_data_length(), tag);
  return later();
}

void MappedFunction::access_done(std::uint64_t tag, cosim::BusStatus status,
                                 const std::uint8_t* data) {
  log_.register_answered(tag);
  if ((tag & kWrite) != 0) {
    --posted_;
    return;
  }
  Read& read = reads_[tag - first_read_];
  std::memcpy(read.data, data, read.bytes);
  read.done = true;
  read.response =
      status == cosim::BusStatus::kOk ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
  while (!reads_.empty() && reads_.front().done) {
    ++first_read_;
    answer_read(reads_.pop_front().response);
  }
}

void MappedFunction::read(std::uint64_t address, std::uint8_t* data, std::uint32_t length,
                          cosim::MemoryClient& client, std::uint64_t tag) {
  const std::uint32_t number = accesses_.open(client, tag);
  log_.memory_asked(number, address, length, false);
  dma().read(address, data, length, this, number);
}

void MappedFunction::write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length,
                           cosim::MemoryClient& client, std::uint64_t tag) {
  const std::uint32_t number = accesses_.open(client, tag);
  log_.memory_asked(number, address, length, true);
  dma().write(address, data, length, this, number);
}

void MappedFunction::dma_done(std::uint64_t tag, pcix::DmaStatus status) {
  const auto number = static_cast<std::uint32_t>(tag);
  const MemoryAccesses::Access access = accesses_.close(number);
  log_.memory_answered(number);
  if (status != pcix::DmaStatus::kOk) dma_failures.add();
  access.client->memory_done(access.tag, status == pcix::DmaStatus::kOk ? cosim::BusStatus::kOk
                                         : status == pcix::DmaStatus::kMasterAbort
                                             ? cosim::BusStatus::kDecodeError
                                             : cosim::BusStatus::kSlaveError);
}

}  // namespace longhaul::portmap
