// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/watcher.h"

#include <algorithm>

namespace longhaul::cosim {
namespace {

constexpr std::uintptr_t kWordBytes = sizeof(std::uint64_t);
/// Bytes this close together are in one object. A word between them is read, too.
constexpr std::uintptr_t kNearBytes = 16;

std::uintptr_t address(const Watcher::Bits& bits) {
  return reinterpret_cast<std::uintptr_t>(bits.byte);
}

}  // namespace

/// Bits wake their watcher by words from now on.
void Watcher::combine() {
  changed_ = true;
  words_.clear();
  bytes_.clear();
  for (const Bits& bits : bits_) {
    if (bits.word == nullptr) {
      bytes_.push_back(bits);
      continue;
    }
    const auto shift = static_cast<std::uint32_t>(8 * (bits.byte - bits.word));
    const Word word{bits.word, std::uint64_t{bits.mask} << shift,
                    std::uint64_t{bits.quiet} << shift};
    if (words_.empty() || !words_.back().add(word)) words_.push_back(word);
  }
}

Watcher& WatcherList::add(Transactor& transactor, bool samples) {
  changed_ = true;
  return *all_.emplace_back(std::make_unique<Watcher>(transactor, samples, changed_));
}

/// Chooses the words that cover the watched bytes. No word begins before, or ends behind, all
/// watched bytes of its neighbourhood. A byte in a neighbourhood of less than a word has none.
void WatcherList::place() {
  std::vector<Watcher::Bits*> all;
  for (const auto& watcher : all_)
    for (Watcher::Bits& bits : watcher->bits()) all.push_back(&bits);
  placed_ = all.size();
  std::sort(all.begin(), all.end(), [](const Watcher::Bits* a, const Watcher::Bits* b) {
    return address(*a) < address(*b);
  });
  for (auto bits = all.begin(); bits != all.end();) {
    auto end = bits + 1;
    while (end != all.end() && address(**end) - address(*end[-1]) <= kNearBytes) ++end;
    const bool covered = address(*end[-1]) - address(**bits) >= kWordBytes - 1;
    const std::uint8_t* const last = end[-1]->byte - (kWordBytes - 1);  // of the words
    const std::uint8_t* word = nullptr;
    for (; bits != end; ++bits) {
      if (covered && (word == nullptr || (*bits)->byte >= word + kWordBytes))
        word = std::min((*bits)->byte, last);
      (*bits)->word = word;
    }
  }
  for (const auto& watcher : all_) watcher->combine();
}

void WatcherList::sort() {
  std::size_t count = 0;
  for (const auto& watcher : all_) count += watcher->bits().size();
  if (count != placed_) place();
  changed_ = false;
  words_.clear();
  bytes_.clear();
  std::size_t words_before = 0;
  for (const bool samplers : {true, false}) {
    const std::size_t first_word = words_.size();
    for (const auto& watcher : all_) {
      if (!watcher->asleep() || watcher->samples() != samplers) continue;
      bytes_.insert(bytes_.end(), watcher->bytes().begin(), watcher->bytes().end());
      for (const Watcher::Word& word : watcher->words()) {
        const auto at = std::find_if(words_.begin() + static_cast<std::ptrdiff_t>(first_word),
                                     words_.end(), [&](auto& one) { return one.add(word); });
        if (at == words_.end()) words_.push_back(word);
      }
    }
    if (!samplers) continue;
    bytes_middle_ = bytes_.size();
    words_before = words_.size();
  }
  words_middle_ = words_.data() + words_before;
  has_bytes_ = !bytes_.empty();
  sampling_ = false;
  awake_.clear();
  for (const auto& watcher : all_) {
    if (watcher->asleep()) continue;
    awake_.push_back({&watcher->transactor(), watcher->samples()});
    sampling_ |= watcher->samples();
  }
}

bool WatcherList::bytes_changed(bool samplers) const {
  const auto middle = bytes_.begin() + static_cast<std::ptrdiff_t>(bytes_middle_);
  return std::any_of(samplers ? bytes_.begin() : middle, samplers ? middle : bytes_.end(),
                     [](const Watcher::Bits& bits) { return bits.changed() != 0; });
}

void WatcherList::wake_changed(bool samplers) {
  for (const auto& watcher : all_) {
    if (watcher->samples() == samplers && watcher->asleep() && watcher->pins_changed())
      watcher->wake();
  }
  sort();
}

}  // namespace longhaul::cosim
