// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/block_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "models/cpu/work.h"

namespace longhaul::guest {
namespace {

/// Number of different stacks that are kept. Later costs in a new stack are counted by kind and
/// state only.
constexpr std::size_t kMostStacks = 2048;
static_assert(cpu::kUnitsPerCycle == LH_UNITS_PER_CYCLE && cpu::kOpClasses == LH_OP_CLASSES);

}  // namespace

BlockProfile::BlockProfile(const cpu::BlockTable& blocks, const cpu::PipelineParams& pipeline)
    : base_(blocks.begin()),
      pipeline_(pipeline),
      table_("longhaul-blocks", sizeof(lh_block_table)) {
  const std::size_t count = blocks.blocks().size();
  if (count > LH_BLOCKS_MOST)
    throw ConfigError(
        fmt::format("the kernel has {} basic blocks; the table holds {}", count, LH_BLOCKS_MOST));
  for (const cpu::BlockTable::Block& block : blocks.blocks())
    append(base_ + block.offset, base_ + block.place, block.ops);
  at_begin_.resize(count);
  at_end_.resize(count);  // in memory before the window, whose edges would have to wait for it
}

void BlockProfile::append(std::uint64_t address, std::uint64_t place, const cpu::OpCounts& ops) {
  const auto units = static_cast<lh_u32>(std::llround(pipeline_.cycles(ops) * cpu::kUnitsPerCycle));
  const auto line = static_cast<lh_u32>(place / pipeline_.icache_line().count);
  // Only the kernel's own blocks are found by their offset.
  reinterpret_cast<lh_block_table*>(table_.data())->block[addresses_.size()] = {
      static_cast<lh_u32>(address - base_), units, line};
  addresses_.push_back(address);
}

std::uint64_t BlockProfile::add_module(const lh_module_block* blocks, std::size_t count) {
  const std::size_t first = addresses_.size();
  if (count > LH_BLOCKS_MOST - first) return LH_NO_ROOM;
  for (std::size_t i = 0; i < count; ++i) {
    cpu::OpCounts ops;
    std::copy(std::begin(blocks[i].ops), std::end(blocks[i].ops), ops.begin());
    append(blocks[i].address, blocks[i].place, ops);
  }
  at_begin_.resize(addresses_.size());
  at_end_.resize(addresses_.size());
  return first;
}

void BlockProfile::count(std::vector<Count>& counts) const {
  const lh_block_table& table = counted();
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = {table.runs[i], table.misses[i]};
}

void BlockProfile::begin_window() {
  count(at_begin_);
  stacks_.clear();
  open_ = true;
}

void BlockProfile::end_window() {
  count(at_end_);
  open_ = false;
}

std::size_t BlockProfile::StackHash::operator()(const Stack& stack) const {
  std::size_t hash = stack.size();
  for (const std::uint64_t word : stack) hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ hash >> 32;
}

void BlockProfile::take_samples(lh_page& page) {
  const std::size_t words = std::min<std::size_t>(page.sample_words, LH_SAMPLE_WORDS);
  page.sample_words = 0;
  if (!open_) return;
  Stack& key = sampled_;
  for (std::size_t at = 0; at < words;) {
    const std::uint64_t head = page.sample[at++];
    const std::size_t depth = std::min<std::size_t>(head >> 16 & 0xffff, words - at);
    key.assign({head & 0xff, head >> 8 & 0xff});
    key.insert(key.end(), page.sample + at, page.sample + at + depth);
    auto found = stacks_.find(key);
    if (found == stacks_.end()) {
      if (stacks_.size() >= kMostStacks) key.resize(2);
      found = stacks_.try_emplace(key).first;
    }
    found->second += head >> 32;
    at += depth;
  }
}

std::string BlockProfile::blocks_text() const {
  std::vector<Count> last = at_end_;
  if (open_) count(last);
  const lh_block* const entry = counted().block;
  std::string text;
  for (std::size_t i = 0; i < addresses_.size(); ++i) {
    const std::uint64_t runs = last[i].runs - at_begin_[i].runs;
    if (runs == 0) continue;
    const double cycles = static_cast<double>(runs * entry[i].cost) / LH_UNITS_PER_CYCLE;
    const double fetching =
        pipeline_.fetch_miss() * static_cast<double>(last[i].misses - at_begin_[i].misses);
    fmt::format_to(std::back_inserter(text), "{:x} {} {:.0f} {:.0f}\n", addresses_[i], runs, cycles,
                   fetching);
  }
  return text;
}

std::string BlockProfile::stacks_text() const {
  const std::map<Stack, std::uint64_t> in_order(stacks_.begin(), stacks_.end());
  std::string text;
  for (const auto& [key, weight] : in_order) {
    fmt::format_to(std::back_inserter(text), "{} {} {}", key[0], key[1], weight);
    for (std::size_t i = 2; i < key.size(); ++i)
      fmt::format_to(std::back_inserter(text), " {:x}", key[i]);
    text += '\n';
  }
  return text;
}

}  // namespace longhaul::guest
