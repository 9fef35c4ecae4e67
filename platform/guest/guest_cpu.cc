// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_cpu.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "models/common/wide_math.h"
#include "models/hostbus/address_map.h"
#include "models/pcix/address_map.h"
#include "platform/guest/guest_error.h"

namespace longhaul::guest {
namespace {

// The guest's counts and the cost book have the same kinds in the same order.
static_assert(cpu::kWorkKinds == LH_WORKS && cpu::kWorkStates == LH_STATES);
static_assert(static_cast<int>(cpu::WorkKind::kDelayPs) == LH_WORK_DELAY_PS);
static_assert(static_cast<int>(cpu::WorkKind::kExecuted) == LH_WORK_EXECUTED);
static_assert(static_cast<int>(cpu::WorkKind::kByteCopied) == LH_WORK_BYTE_COPIED);
static_assert(static_cast<int>(cpu::WorkKind::kPacketRx) == LH_WORK_PACKET_RX);
static_assert(static_cast<int>(cpu::WorkKind::kClockRead) == LH_WORK_CLOCK_READ);
static_assert(static_cast<int>(cpu::MemoryTouch::Kind::kCopy) == LH_MEMORY_COPY);
static_assert(static_cast<int>(cpu::MemoryTouch::Kind::kPoll) == LH_MEMORY_POLL);
static_assert(static_cast<int>(cpu::CoreState::kUser) == LH_STATE_USER);
static_assert(static_cast<int>(cpu::CoreState::kHardirq) == LH_STATE_HARDIRQ);
// The guest's kernel (C) and the bridge use the same windows.
static_assert(pcix::address_map::kConfigBegin == LH_PCI_CONFIG_BASE);
static_assert(pcix::address_map::kConfigBytes == LH_PCI_CONFIG_BYTES);
static_assert(pcix::address_map::kFunctionBytes == LH_PCI_FUNCTION_BYTES);
static_assert(pcix::address_map::kIoBegin == LH_PCI_IO_BASE);
static_assert(pcix::address_map::kIoBytes == LH_PCI_IO_BYTES);
static_assert(pcix::address_map::kMmioBegin == LH_PCI_MEMORY_BASE);
static_assert(pcix::address_map::kMmioEnd == 0ULL + LH_PCI_MEMORY_BASE + LH_PCI_MEMORY_BYTES);
static_assert(pcix::address_map::kHighMmioBegin == LH_PCI_HIGH_BASE);
static_assert(pcix::address_map::kHighMmioEnd == LH_PCI_HIGH_BASE + LH_PCI_HIGH_BYTES);
static_assert(pcix::address_map::kMsiBegin == LH_MSI_BASE);
// The windows of platform devices end below those of PCI. Their interrupt lines are above those of
// the slots.
static_assert(hostbus::address_map::kWindowsEnd <= LH_PCI_CONFIG_BASE);
static_assert(hostbus::address_map::kFirstLine + hostbus::address_map::kWindows <= LH_PCI_SLOTS);

/// Upper limits of a guest's work between two requests: minutes of simulated time. A quantum is
/// microseconds.
constexpr std::uint64_t kMostUnits = std::uint64_t{1} << 32;
constexpr std::uint64_t kMostTimeUnits = std::uint64_t{1} << 48;
/// Limit on names of functions in modules. The whole kernel has 2 MB of names.
constexpr std::size_t kMostSymbolBytes = std::size_t{16} << 20;

/// Reads a word of the page exactly once. A faulty guest may write to the page at any time, so the
/// checked value must be the value used.
template <typename T>
T once(const T& word) {
  return __atomic_load_n(&word, __ATOMIC_RELAXED);
}

/// Sets the sizes of the guest's instruction cache. Throws ConfigError if the guest cannot model
/// it.
void set_instruction_cache(lh_page& page, const cpu::PipelineParams& pipeline) {
  const std::uint64_t line = pipeline.icache_line().count;
  const std::uint64_t sets = pipeline.icache().count / line / 2;
  if ((line & (line - 1)) != 0 || (sets & (sets - 1)) != 0 || sets > LH_FETCH_SETS) {
    throw ConfigError(fmt::format(
        "icache_size: {} bytes in lines of {} make {} sets of two lines; wants powers of two, {} "
        "sets at most",
        pipeline.icache().count, line, sets, LH_FETCH_SETS));
  }
  page.fetch_sets = static_cast<lh_u32>(sets);
  page.fetch_miss_units = static_cast<lh_u32>(pipeline.fetch_miss() * cpu::kUnitsPerCycle);
}

}  // namespace

GuestCpu::GuestCpu(const sc_core::sc_module_name& name, GuestOptions options, cpu::Core& core,
                   InterruptController& interrupts, GuestListener& listener)
    : sc_module(name),
      process_(std::move(options)),
      core_(core),
      interrupts_(interrupts),
      listener_(listener) {
  lh_page& page = process_.page();
  page.quantum_ps = core_.params().quantum().value();
  for (std::size_t k = 0; k < cpu::kWorkKinds; ++k)
    page.cost_ps[k] = core_.unit_cost_ps(static_cast<cpu::WorkKind>(k));
  page.unit_ps_q24 = times_over(1'000'000'000'000ULL, 1ULL << 24, 0,
                                core_.params().clock().hz * cpu::kUnitsPerCycle);
  page.sample_ps = process_.options().sample_ps;
  set_instruction_cache(page, core_.params().pipeline);
  if (!process_.options().blocks.empty()) {
    const cpu::BlockTable blocks(process_.options().blocks, process_.options().layout);
    profile_ = std::make_unique<BlockProfile>(blocks, core_.params().pipeline);
    page.block_base = profile_->base();
    page.block_count = profile_->count();
    process_.set_block_table(profile_->table());
  }
  if (process_.options().console >= 0) {
    console_ = std::make_unique<ConsolePort>(process_.options().console,
                                             [&listener] { return listener.should_stop(); });
  }
  SC_HAS_PROCESS(GuestCpu);
  SC_THREAD(run_thread);
}

void GuestCpu::run_thread() {
  try {
    const GuestProcess::Turn end = run();
    if (end == GuestProcess::Turn::kPoweredOff)
      listener_.on_power_off(process_.options().name, PowerOff::kOff);
    if (end == GuestProcess::Turn::kRestarted)
      listener_.on_power_off(process_.options().name, PowerOff::kRestart);
  } catch (const GuestError&) {
    listener_.on_failure(process_.options().name, std::current_exception());
  } catch (const std::system_error&) {
    listener_.on_failure(process_.options().name, std::current_exception());
  }
  core_.state.enter(static_cast<std::size_t>(cpu::CoreState::kIdle));
}

GuestProcess::Turn GuestCpu::run() {
  GuestProcess::Turn turn = process_.start();
  while (turn == GuestProcess::Turn::kRequest && !listener_.should_stop()) {
    exchanges.add();
    pay();
    if (watcher_ != nullptr) watcher_->on_step();
    const std::uint64_t asked_ps = now_ps();
    serve();
    answer();
    if (exchange_listener_ != nullptr) exchange_listener_->on_exchange(asked_ps, process_.page());
    turn = process_.resume();
  }
  return turn;
}

void GuestCpu::take_touches() {
  lh_page& page = process_.page();
  touches_.clear();
  const std::uint32_t ops = once(page.memory_ops);
  if (ops > LH_MEMORY_OPS) process_.fail("tells of more touched memory than the page has room for");
  std::uint64_t touched = 0;
  for (std::uint32_t i = 0; i < ops; ++i) {
    const lh_memory_op& op = page.memory_op[i];
    const std::uint32_t kind_and_state = once(op.kind_and_state);
    const std::uint32_t kind = kind_and_state & 0xff;
    const std::uint32_t state = kind_and_state >> 8;
    if (kind < LH_MEMORY_COPY || kind > LH_MEMORY_POLL || state >= LH_STATES)
      process_.fail(fmt::format(
          "tells of memory touched in way {} and state {}, which do not exist", kind, state));
    const std::uint32_t bytes = once(op.bytes);
    touched += bytes;
    if (touched > process_.ram().size())
      process_.fail(fmt::format(
          "tells of {} bytes touched since its last request, more than its RAM has", touched));
    const std::uint64_t source = once(op.source);
    const std::uint64_t target = once(op.target);
    constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
    if (source > kLast - bytes || target > kLast - bytes)
      process_.fail(
          fmt::format("tells of {} bytes touched beyond the last address there is", bytes));
    touches_.push_back({static_cast<cpu::MemoryTouch::Kind>(kind),
                        static_cast<cpu::CoreState>(state), source, target, bytes});
  }
  page.memory_ops = 0;
}

void GuestCpu::pay() {
  lh_page& page = process_.page();
  take_touches();
  if (profile_) profile_->take_samples(page);
  cpu::WorkBatch work;
  for (std::size_t s = 0; s < cpu::kWorkStates; ++s) {
    for (std::size_t k = 0; k < cpu::kWorkKinds; ++k) {
      const std::uint64_t told = once(page.work[s][k]);
      if (told == paid_[s][k]) continue;
      const std::uint64_t units = told - paid_[s][k];
      const bool is_time = k == LH_WORK_DELAY_PS || k == LH_WORK_EXECUTED;
      if (units > (is_time ? kMostTimeUnits : kMostUnits))
        process_.fail(
            fmt::format("counts {} units of work of kind {} since its last request", units, k));
      work.add(static_cast<cpu::CoreState>(s), static_cast<cpu::WorkKind>(k), units);
      paid_[s][k] = told;
    }
  }
  if (exchange_listener_ != nullptr) exchange_listener_->on_work(work, touches_);
  page.waited_ps = core_.spend(work, touches_);
}

void GuestCpu::serve() {
  lh_page& page = process_.page();
  const std::uint32_t op = once(page.op);
  const std::uint32_t size = once(page.size);
  switch (op) {
    case LH_OP_ATTACH:
    case LH_OP_SYNC: break;
    case LH_OP_ELAPSE:
      if (size >= LH_STATES)
        process_.fail(fmt::format("elapses time in state {}, which does not exist", size));
      stay(static_cast<cpu::CoreState>(size), page.deadline_ps,
           (page.flags & LH_FLAG_INTERRUPTIBLE) != 0);
      break;
    case LH_OP_IDLE: stay(cpu::CoreState::kIdle, page.timer_ps, true); break;
    case LH_OP_READ:
    case LH_OP_WRITE: serve_bus(op, size); break;
    case LH_OP_MEMORY: serve_memory(); break;
    case LH_OP_MESSAGE: serve_message(size); break;
    case LH_OP_BLOCKS: serve_blocks(size); break;
    default: process_.fail(fmt::format("makes request {}, which does not exist", op));
  }
}

void GuestCpu::serve_bus(std::uint32_t op, std::uint32_t size) {
  lh_page& page = process_.page();
  if (size != 1 && size != 2 && size != 4 && size != 8)
    process_.fail(fmt::format("makes a bus access of {} bytes", size));
  const std::uint64_t address = once(page.address);
  if (console_ && ConsolePort::covers(address)) {
    if (op == LH_OP_READ) {
      page.data = console_->read(address);
    } else {
      console_->write(address, static_cast<std::uint32_t>(page.data));
    }
  } else if (op == LH_OP_READ) {
    page.data = core_.read(address, size);
  } else {
    core_.write(address, size, page.data);
  }
}

void GuestCpu::stay(cpu::CoreState state, std::uint64_t deadline_ps, bool interruptible) {
  while (!(interruptible && interrupts_.pending(process_.page().intx_unmasked))) {
    const std::uint64_t now = now_ps();
    if (deadline_ps <= now) return;
    // sc_wait has no infinite time. A deadline beyond the longest simulation stands for it.
    const std::uint64_t limit =
        deadline_ps == LH_NO_DEADLINE ? (std::uint64_t{1} << 62) : deadline_ps - now;
    core_.stay(state, from_ps(limit), interruptible ? interrupts_.pending_event() : never_event_);
  }
}

void GuestCpu::serve_memory() {
  const std::uint64_t begin = once(process_.page().ram_begin);
  const std::uint64_t size = process_.ram().size();
  if (begin >= size)
    process_.fail(
        fmt::format("says that its RAM begins at {:#x}, but it ends at {:#x}", begin, size));
  ram_begin.set(begin);
  on_ram_begin_(begin);
}

void GuestCpu::serve_message(std::uint32_t bytes) {
  const lh_page& page = process_.page();
  if (bytes > LH_MESSAGE_BYTES) process_.fail("sends a message longer than the page has room for");
  std::string text(page.message, bytes);
  const std::string& name = process_.options().name;
  const std::uint32_t kind = once(page.flags);
  switch (kind) {
    case LH_MESSAGE_PHASE: {
      while (!text.empty() && text.back() == '\n') text.pop_back();
      listener_.on_phase(name, text);
      break;
    }
    case LH_MESSAGE_REPORT: {
      const std::size_t end = text.find('\n');
      if (text.empty() || text[0] != '@' || end == std::string::npos || end < 2 ||
          text.find('/') < end) {
        process_.fail("sends a report that does not begin with '@NAME' and a newline");
      }
      listener_.on_report(name, text.substr(1, end - 1), text.substr(end + 1));
      break;
    }
    case LH_MESSAGE_SYMBOLS: {
      if (!profile_) break;
      if (profile_->symbols_text().size() + text.size() > kMostSymbolBytes)
        process_.fail(
            fmt::format("names more than {} MiB of modules' functions", kMostSymbolBytes >> 20));
      profile_->add_symbols(text);
      break;
    }
    case LH_MESSAGE_PANIC: process_.fail("panicked (" + text + ")");
    default: process_.fail(fmt::format("sends a message of kind {}, which does not exist", kind));
  }
}

void GuestCpu::serve_blocks(std::uint32_t count) {
  lh_page& page = process_.page();
  if (!profile_) process_.fail("tells of a module's blocks, but none are counted");
  if (count > LH_MESSAGE_BYTES / sizeof(lh_module_block))
    process_.fail("tells of more blocks than the page has room for");
  std::array<lh_module_block, LH_MESSAGE_BYTES / sizeof(lh_module_block)> blocks;
  std::memcpy(blocks.data(), page.message, count * sizeof(lh_module_block));
  page.data = profile_->add_module(blocks.data(), count);
}

void GuestCpu::answer() {
  lh_page& page = process_.page();
  page.now_ps = now_ps();
  page.intx_level = interrupts_.intx_level();
  page.msi_pending |= interrupts_.take_msi();
}

}  // namespace longhaul::guest
