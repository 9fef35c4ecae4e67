// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/pcapng_comments.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "platform/observe/output_file.h"
#include "platform/observe/pcapng_block.h"
#include "platform/observe/sink_error.h"

namespace longhaul::observe {
namespace {

constexpr std::uint32_t kHeadBytes = 8;  // a block's type and length
constexpr std::uint32_t kTailBytes = 8;  // the end of its options, and the length again

std::uint32_t u32_at(const std::vector<std::uint8_t>& block, std::size_t at) {
  std::uint32_t value = 0;
  if (at + sizeof value <= block.size()) std::memcpy(&value, block.data() + at, sizeof value);
  return value;
}

struct PacketOptions {
  std::uint64_t id = 0;
  bool passed = false;  // sent or received, not dropped
};

PacketOptions packet_of(const std::vector<std::uint8_t>& block) {
  constexpr std::size_t kCapturedAt = 20, kDataAt = 28;
  PacketOptions packet;
  std::size_t at = kDataAt + (std::size_t{u32_at(block, kCapturedAt)} + 3) / 4 * 4;
  while (at + kTailBytes < block.size()) {
    const std::uint32_t code = u32_at(block, at) & 0xffffU;
    const std::uint32_t size = u32_at(block, at) >> 16;
    if (code == pcapng::kPacketFlags)
      packet.passed = (u32_at(block, at + 4) & pcapng::kFlagDirection) != 0;
    if (code == pcapng::kPacketId)
      packet.id = u32_at(block, at + 4) | std::uint64_t{u32_at(block, at + 8)} << 32;
    at += 4 + (size + 3) / 4 * 4;
  }
  return packet;
}

}  // namespace

void add_comments(
    const std::string& path,
    const std::function<std::vector<std::string>(std::uint64_t packet_id)>& comments) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(path.c_str(), "rb"),
                                                           &std::fclose);
  if (in == nullptr)
    throw SinkError(path + ": cannot be read again for its comments: " + std::strerror(errno));
  const std::string with_comments = path + ".comments";
  OutputFile out(with_comments);
  std::vector<std::uint8_t> block;
  std::vector<std::uint8_t> longer;
  for (;;) {
    block.resize(kHeadBytes);
    if (std::fread(block.data(), 1, kHeadBytes, in.get()) != kHeadBytes) break;
    const std::uint32_t size = u32_at(block, 4);
    block.resize(size);
    if (size < kHeadBytes + 4 ||
        std::fread(&block[kHeadBytes], 1, size - kHeadBytes, in.get()) != size - kHeadBytes)
      throw SinkError(path + ": is cut short");
    std::vector<std::string> texts;
    if (u32_at(block, 0) == pcapng::kEnhancedPacket) {
      const PacketOptions packet = packet_of(block);
      if (packet.passed) texts = comments(packet.id);
    }
    if (texts.empty()) {
      out.write(block.data(), block.size());
      continue;
    }
    longer.clear();
    PcapngBlock changed(longer, pcapng::kEnhancedPacket);
    changed.bytes(&block[kHeadBytes], size - kHeadBytes - kTailBytes);
    for (const std::string& text : texts) changed.option(pcapng::kComment, {text});
    changed.finish();
    out.write(longer.data(), longer.size());
  }
  if (std::ferror(in.get()) != 0) throw SinkError(path + ": cannot be read again for its comments");
  out.close();
  // Until the rename, the capture stays whole, but without comments.
  if (std::rename(with_comments.c_str(), path.c_str()) != 0)
    throw SinkError(path + ": " + std::strerror(errno));
}

}  // namespace longhaul::observe
