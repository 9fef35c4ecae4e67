// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/block_table.h"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <iterator>

namespace longhaul::cpu {
namespace {

constexpr char kMagic[] = "LHBLOCK3";
constexpr std::size_t kHeaderBytes = 32;

template <class T>
T little(const std::vector<char>& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace

BlockTable::BlockTable(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw ConfigError(fmt::format("{}: cannot be read; wants the blocks.bin that was made with the kernel", path));
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic, sizeof kMagic - 1) != 0)
    throw ConfigError(fmt::format("{}: is no table of basic blocks (begins with {})", path, kMagic));
  begin_ = little<std::uint64_t>(bytes, 8);
  end_ = little<std::uint64_t>(bytes, 16);
  const auto count = little<std::uint32_t>(bytes, 24);
  const auto classes = little<std::uint32_t>(bytes, 28);
  constexpr std::size_t kRecordBytes = 8 + kOpClasses;
  if (classes != kOpClasses || begin_ >= end_ || bytes.size() != kHeaderBytes + std::size_t{count} * kRecordBytes) {
    throw ConfigError(fmt::format("{}: is cut short or of another version: {} bytes for {} blocks of {} classes", path,
                                  bytes.size(), count, classes));
  }
  blocks_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = kHeaderBytes + i * kRecordBytes;
    blocks_[i].offset = little<std::uint32_t>(bytes, at);
    blocks_[i].place = little<std::uint32_t>(bytes, at + 4);
    std::memcpy(blocks_[i].ops.data(), bytes.data() + at + 8, kOpClasses);
    if (blocks_[i].offset >= end_ - begin_)
      throw ConfigError(fmt::format("{}: block {} lies outside the text", path, i));
  }
}

}  // namespace longhaul::cpu
