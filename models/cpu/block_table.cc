// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/block_table.h"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <iterator>

namespace longhaul::cpu {
namespace {

constexpr char kMagic[] = "LHBLOCK4";
constexpr std::size_t kHeaderBytes = 36;
constexpr std::size_t kBlockBytes = 8 + kOpClasses;
constexpr std::size_t kFunctionBytes = 16;

template <class T>
T little(const std::vector<char>& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Reads the functions at `at`. Throws ConfigError unless they follow one another and contain all
/// `blocks`.
std::vector<TextFunction> read_functions(const std::vector<char>& bytes, std::size_t at,
                                         std::size_t count, std::size_t blocks,
                                         const std::string& path) {
  std::vector<TextFunction> functions(count);
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < count; ++i, at += kFunctionBytes) {
    functions[i] = {little<std::uint32_t>(bytes, at), little<std::uint32_t>(bytes, at + 4),
                    little<std::uint32_t>(bytes, at + 8), little<std::uint32_t>(bytes, at + 12)};
    if (functions[i].place < end)
      throw ConfigError(fmt::format("{}: function {} overlaps the one before", path, i));
    end = std::uint64_t{functions[i].place} + functions[i].bytes;
    if (functions[i].blocks > blocks)
      throw ConfigError(fmt::format("{}: function {} has more blocks than there are", path, i));
    blocks -= functions[i].blocks;
  }
  if (blocks != 0)
    throw ConfigError(fmt::format("{}: {} blocks belong to no function", path, blocks));
  return functions;
}

}  // namespace

BlockTable::BlockTable(const std::string& path, std::uint64_t layout) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw ConfigError(fmt::format(
        "{}: cannot be read; wants the blocks.bin that was made with the kernel", path));
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic, sizeof kMagic - 1) != 0)
    throw ConfigError(
        fmt::format("{}: is no table of basic blocks (begins with {})", path, kMagic));
  begin_ = little<std::uint64_t>(bytes, 8);
  end_ = little<std::uint64_t>(bytes, 16);
  const auto count = little<std::uint32_t>(bytes, 24);
  const auto classes = little<std::uint32_t>(bytes, 28);
  const auto functions = little<std::uint32_t>(bytes, 32);
  const std::size_t blocks_end = kHeaderBytes + std::size_t{count} * kBlockBytes;
  if (classes != kOpClasses || begin_ >= end_ ||
      bytes.size() != blocks_end + std::size_t{functions} * kFunctionBytes) {
    throw ConfigError(fmt::format(
        "{}: is cut short or of another version: {} bytes for {} blocks of {} classes in {} "
        "functions",
        path, bytes.size(), count, classes, functions));
  }
  blocks_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = kHeaderBytes + i * kBlockBytes;
    blocks_[i].offset = little<std::uint32_t>(bytes, at);
    blocks_[i].place = little<std::uint32_t>(bytes, at + 4);
    std::memcpy(blocks_[i].ops.data(), bytes.data() + at + 8, kOpClasses);
    if (blocks_[i].offset >= end_ - begin_)
      throw ConfigError(fmt::format("{}: block {} lies outside the text", path, i));
  }
  move_to(layout, read_functions(bytes, blocks_end, functions, count, path));
}

void BlockTable::move_to(std::uint64_t layout, const std::vector<TextFunction>& functions) {
  const std::vector<std::uint32_t> places = places_in_layout(functions, layout);
  auto block = blocks_.begin();
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const auto end = block + functions[i].blocks;
    for (; block != end; ++block) block->place += places[i] - functions[i].place;
  }
}

}  // namespace longhaul::cpu
