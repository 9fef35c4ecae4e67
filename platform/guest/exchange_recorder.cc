// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/exchange_recorder.h"

#include <algorithm>

#include "models/common/event_queue.h"
#include "platform/observe/digest.h"

namespace longhaul::guest {
namespace {

using observe::RecordLine;

constexpr int kPlaceShift = 56;  // of a kWork value: state * kWorkKinds + kind; below it, units

std::uint32_t digest_of(const std::vector<cpu::MemoryTouch>& touches) {
  std::uint64_t all = 0;
  for (const cpu::MemoryTouch& touch : touches) {
    const std::uint64_t how =
        static_cast<std::uint64_t>(touch.kind) | static_cast<std::uint64_t>(touch.state) << 8;
    const std::array<std::uint64_t, 4> fields{how, touch.source, touch.target, touch.bytes};
    all = observe::digest(fields.data(), sizeof fields, all);
  }
  return static_cast<std::uint32_t>(all ^ all >> 32);
}

constexpr std::uint64_t words(std::uint32_t low, std::uint32_t high) {
  return low | std::uint64_t{high} << 32;
}

/// The bytes of an access that are on the bus.
constexpr std::uint64_t lanes(std::uint64_t data, std::uint32_t size) {
  return size < 8 ? data & ((std::uint64_t{1} << size * 8) - 1) : data;
}

}  // namespace

ExchangeRecorder::ExchangeRecorder(observe::RecordFile& file, const std::string& machine)
    : file_(file),
      stream_(file.add_stream("exchanges", machine + ".guest",
                              "the guest's requests, the work before them and the answers")) {}

void ExchangeRecorder::on_work(const cpu::WorkBatch& work,
                               const std::vector<cpu::MemoryTouch>& touches) {
  work_lines_ = 0;
  std::size_t pairs = 0;
  const std::uint64_t now = now_ps();
  work.each([&](std::size_t state, std::size_t kind, std::uint64_t units) {
    if (pairs % kPairs == 0) {
      RecordLine& fresh = lines_.at(work_lines_++);
      fresh = {};
      fresh.time_ps = now;
      fresh.kind = RecordLine::kWork;
    }
    const std::uint64_t place = state * cpu::kWorkKinds + kind;
    RecordLine& line = lines_.at(work_lines_ - 1);
    line.value.at(pairs % kPairs) = units | place << kPlaceShift;
    line.size = static_cast<std::uint32_t>(pairs++ % kPairs + 1);
  });
  touches_ = touches.empty() ? 0 : digest_of(touches);
}

void ExchangeRecorder::on_exchange(std::uint64_t asked_ps, const lh_page& page) {
  RecordLine& line = lines_.at(work_lines_);
  line = {};
  line.time_ps = asked_ps;
  line.kind = RecordLine::kExchange;
  line.code = static_cast<std::uint8_t>(page.op);
  // Fields that a request does not use hold values of earlier requests. They are not recorded.
  switch (page.op) {
    case LH_OP_READ:
    case LH_OP_WRITE:
      line.size = page.size;
      line.value[0] = page.address;
      line.value[1] = lanes(page.data, page.size);
      break;
    case LH_OP_ELAPSE:
      line.size = page.size | (page.flags & LH_FLAG_INTERRUPTIBLE) << 8;
      line.value[3] = page.deadline_ps;
      break;
    case LH_OP_IDLE: line.value[3] = page.timer_ps; break;
    case LH_OP_MEMORY: line.value[0] = page.ram_begin; break;
    case LH_OP_MESSAGE:
      line.size = page.size;
      line.value[0] = page.flags;
      line.value[1] =
          observe::digest(page.message, std::min<std::size_t>(page.size, LH_MESSAGE_BYTES));
      break;
    case LH_OP_BLOCKS:
      line.size = page.size;
      line.value[0] = page.data;
      line.value[1] = observe::digest(
          page.message,
          std::min<std::size_t>(page.size * sizeof(lh_module_block), LH_MESSAGE_BYTES));
      break;
    default: break;
  }
  line.value[2] = page.now_ps;
  line.value[4] = words(page.intx_level, page.msi_pending);
  line.value[5] = words(page.intx_unmasked, touches_);
  file_.put(stream_, lines_.data(), work_lines_ + 1);
}

}  // namespace longhaul::guest
