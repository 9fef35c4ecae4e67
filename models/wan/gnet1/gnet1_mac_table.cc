// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_mac_table.h"

#include <algorithm>

namespace longhaul::wan {

void Gnet1MacTable::advance(std::uint64_t clock) {
  while (!lessons_.empty() && lessons_.front().clock <= clock) {
    const Lesson lesson = lessons_.pop_front();
    age_until(lesson.clock);
    enter(lesson);
  }
  age_until(clock);
}

void Gnet1MacTable::age_until(std::uint64_t clock) {
  while (period_ != 0) {
    const std::uint64_t due = std::max(age_zero_ + period_ + 1, clock_ + 1);
    if (due > clock) break;
    for (Entry& entry : entries_) {
      if (entry.fixed) continue;
      if (!entry.fresh) entry.valid = false;
      entry.fresh = false;
    }
    age_zero_ = clock_ = due;
  }
  clock_ = std::max(clock_, clock);
}

void Gnet1MacTable::learn(std::uint64_t clock, Address address, std::uint32_t port) {
  if ((address & kGroupBit) != 0) return;
  last_lesson_ = std::max(clock, last_lesson_ + 1);
  lessons_.push_back({last_lesson_, address, port});
}

void Gnet1MacTable::enter(const Lesson& lesson) {
  std::size_t place = victim_;
  bool known = false;
  bool free = false;
  for (std::size_t i = entries_.size(); i-- > 0;) {
    if (!entries_[i].valid) {
      free = true;
      place = i;
    }
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].valid && entries_[i].address == lesson.address) {
      known = true;
      place = i;
    }
  }
  if (!entries_[place].fixed) entries_[place] = {true, false, true, lesson.port, lesson.address};
  if (!known && !free) victim_ = (victim_ + 1) % entries_.size();
}

void Gnet1MacTable::set_static(std::uint64_t clock, std::uint32_t entry, bool valid,
                               std::uint32_t port, Address address) {
  advance(clock);
  entries_[entry] = {valid, valid, false, port, address};
}

void Gnet1MacTable::flush(std::uint64_t clock) {
  advance(clock);
  for (Entry& entry : entries_) {
    if (!entry.fixed) entry.valid = false;
  }
}

void Gnet1MacTable::set_age_period(std::uint64_t clock, std::uint32_t clocks) {
  advance(clock);
  period_ = clocks;
}

std::uint32_t Gnet1MacTable::ports_of(std::uint64_t clock, Address address, std::uint32_t port) {
  advance(clock - 1);
  std::uint32_t ports = 0xf;
  for (const Entry& entry : entries_) {
    if (entry.valid && (address & kGroupBit) == 0 && entry.address == address)
      ports = 1U << entry.port;
  }
  return ports & ~(1U << port);
}

std::uint32_t Gnet1MacTable::valid(std::uint64_t clock) {
  advance(clock);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) bits |= entries_[i].valid ? 1U << i : 0;
  return bits;
}

}  // namespace longhaul::wan
