// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/block_function.h"

#include <cstring>

#include "models/common/param_json.h"

namespace longhaul::portmap {
namespace {

constexpr std::uint64_t kPosted = 1ULL << 63U;  // in tags of posted writes, beside a number
constexpr std::uint32_t kNoBank = 16;           // bytes: the registers are the block's

pcix::TargetParams answering_later(pcix::TargetParams target) {
  target.split_reads.value = true;
  return target;
}

}  // namespace

BlockFunction::BlockFunction(const sc_core::sc_module_name& name, const BlockMap& map,
                             const cosim::RtlObject& object, const FunctionParams& params)
    : PcixDevice(name, kNoBank, map.pci->identity(), params.dma, answering_later(params.target)),
      BlockPart(block_),
      params_(params),
      block_("block", map, object, params.block),
      port_("mac", block_, map.pci->port) {}

nlohmann::json BlockFunction::describe_params() const {
  return params_.block.describe(describe(params_));
}

std::uint64_t BlockFunction::open_access(const tlm::tlm_generic_payload& payload, bool posted) {
  const std::uint64_t tag = posted ? kPosted | ++writes_ : first_open_ + open_.size();
  log_.register_asked(tag, payload.get_address(), payload.get_data_length(), payload.is_write());
  if (posted) {
    ++posted_;
  } else {
    open_.push_back({payload.get_data_ptr(), payload.get_data_length()});
  }
  return tag;
}

void BlockFunction::close_access(std::uint64_t tag, cosim::BusStatus status,
                                 const std::uint8_t* data) {
  log_.register_answered(tag);
  if ((tag & kPosted) != 0) {
    --posted_;
    return;
  }
  Access& access = open_[tag - first_open_];
  if (data != nullptr) std::memcpy(access.data, data, access.bytes);
  access.done = true;
  access.response =
      status == cosim::BusStatus::kOk ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
  while (!open_.empty() && open_.front().done) {
    ++first_open_;
    answer_read(open_.pop_front().response);
  }
}

void BlockFunction::read(std::uint64_t address, std::uint8_t* data, std::uint32_t length,
                         cosim::MemoryClient& client, std::uint64_t tag) {
  const std::uint32_t number = accesses_.open(client, tag);
  log_.memory_asked(number, address, length, false);
  dma().read(address, data, length, this, number);
}

void BlockFunction::write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length,
                          cosim::MemoryClient& client, std::uint64_t tag) {
  const std::uint32_t number = accesses_.open(client, tag);
  log_.memory_asked(number, address, length, true);
  dma().write(address, data, length, this, number);
}

void BlockFunction::dma_done(std::uint64_t tag, pcix::DmaStatus status) {
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
