// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/wave_log.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <systemc>
#include <utility>

#include "platform/observe/sink_error.h"

namespace longhaul::observe {
namespace {

/// Size at which a chunk is closed. Old changes are discarded by whole chunks.
constexpr std::size_t kChunkBytes = std::size_t{1} << 16;
constexpr unsigned kKindBits = 3;
constexpr unsigned kKindMask = (1U << kKindBits) - 1;

void put(std::vector<std::uint8_t>& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 0x80U));
  bytes.push_back(static_cast<std::uint8_t>(value));
}

std::uint64_t get(const std::vector<std::uint8_t>& bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = bytes[at++];
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
}

}  // namespace

WaveLog::WaveLog(std::string spool_path) : spool_path_(std::move(spool_path)) {
  if (spool_path_.empty()) {
    file_ = std::fopen("/dev/null", "w+b");
    if (file_ == nullptr)
      throw SinkError(std::string("/dev/null: cannot open: ") + std::strerror(errno));
    return;
  }
  std::string made = spool_path_ + "-XXXXXX";
  const int fd = ::mkstemp(made.data());
  if (fd >= 0) {
    ::unlink(made.c_str());
    file_ = ::fdopen(fd, "w+b");
  }
  if (file_ == nullptr) throw SinkError(spool_path_ + ": cannot create: " + std::strerror(errno));
}

WaveLog::~WaveLog() { std::fclose(file_); }

void WaveLog::append(const WaveChange& change) {
  if (!error_.empty()) return;
  if (chunks_.empty() || chunks_.back().bytes.size() >= kChunkBytes) {
    if (keeps_all_ && !chunks_.empty()) {
      spool(chunks_.front());
      chunks_.pop_front();
    }
    chunks_.push_back({change.ps, change.ps, {}});
    chunks_.back().bytes.reserve(kChunkBytes + 256);
  }
  Chunk& chunk = chunks_.back();
  put(chunk.bytes, change.ps - chunk.end_ps);
  put(chunk.bytes, std::uint64_t{change.var} << kKindBits | static_cast<unsigned>(change.kind));
  switch (change.kind) {
    case WaveChange::Kind::kHalves:
      put(chunk.bytes, (change.driven_low ? 1U : 0U) | (change.driven_high ? 2U : 0U));
      put(chunk.bytes, change.value);
      break;
    case WaveChange::Kind::kText:
      put(chunk.bytes, change.text.size());
      chunk.bytes.insert(chunk.bytes.end(), change.text.begin(), change.text.end());
      break;
    case WaveChange::Kind::kBits:
    case WaveChange::Kind::kUndriven:
    case WaveChange::Kind::kEvent: put(chunk.bytes, change.value); break;
  }
  chunk.end_ps = change.ps;
}

void WaveLog::decode(const Chunk& chunk, const std::function<void(const WaveChange&)>& each) const {
  WaveChange change;
  change.ps = chunk.begin_ps;
  for (std::size_t at = 0; at < chunk.bytes.size();) {
    change.ps += get(chunk.bytes, at);
    const std::uint64_t head = get(chunk.bytes, at);
    change.var = static_cast<std::uint32_t>(head >> kKindBits);
    change.kind = static_cast<WaveChange::Kind>(head & kKindMask);
    change.text.clear();
    change.value = 0;
    if (change.kind == WaveChange::Kind::kText) {
      const std::uint64_t size = get(chunk.bytes, at);
      change.text.assign(reinterpret_cast<const char*>(chunk.bytes.data() + at), size);
      at += size;
    } else if (change.kind == WaveChange::Kind::kHalves) {
      const std::uint64_t driven = get(chunk.bytes, at);
      change.driven_low = (driven & 1U) != 0;
      change.driven_high = (driven & 2U) != 0;
      change.value = get(chunk.bytes, at);
    } else {
      change.value = get(chunk.bytes, at);
    }
    each(change);
  }
}

void WaveLog::remember(const WaveChange& change) {
  if (change.kind == WaveChange::Kind::kEvent) return;  // an event leaves no value
  if (change.var >= standing_.size()) {
    standing_.resize(change.var + 1);
    known_.resize(change.var + 1, false);
  }
  standing_[change.var] = change;
  known_[change.var] = true;
}

void WaveLog::forget_before(std::uint64_t ps) {
  if (keeps_all_) return;
  while (!chunks_.empty() && chunks_.front().end_ps < ps) {
    decode(chunks_.front(), [this](const WaveChange& change) { remember(change); });
    chunks_.pop_front();
  }
}

void WaveLog::keep_all() {
  if (keeps_all_) return;
  keeps_all_ = true;
  while (chunks_.size() > 1) {
    spool(chunks_.front());
    chunks_.pop_front();
  }
}

void WaveLog::spool(const Chunk& chunk) {
  if (!error_.empty()) return;
  const std::uint64_t head[] = {chunk.begin_ps, chunk.end_ps, chunk.bytes.size()};
  if (std::fwrite(head, sizeof head, 1, file_) != 1 ||
      std::fwrite(chunk.bytes.data(), 1, chunk.bytes.size(), file_) != chunk.bytes.size()) {
    fail();
  }
}

void WaveLog::replay(std::uint64_t from_ps, std::uint64_t to_ps,
                     const std::function<void(const WaveChange&)>& each) {
  check();
  bool begun = false;
  const auto begin = [&] {
    begun = true;
    for (std::size_t var = 0; var < standing_.size(); ++var) {
      if (!known_[var]) continue;
      standing_[var].ps = from_ps;
      each(standing_[var]);
    }
  };
  const auto take = [&](const WaveChange& change) {
    if (change.ps < from_ps) {
      remember(change);
      return;
    }
    if (!begun) begin();
    if (change.ps < to_ps) each(change);
  };
  std::uint64_t head[3];
  if (std::fflush(file_) != 0) fail();
  check();
  std::rewind(file_);
  while (std::fread(head, sizeof head, 1, file_) == 1) {
    Chunk chunk{head[0], head[1], std::vector<std::uint8_t>(head[2])};
    if (std::fread(chunk.bytes.data(), 1, chunk.bytes.size(), file_) != chunk.bytes.size()) fail();
    check();
    decode(chunk, take);
  }
  for (const Chunk& chunk : chunks_) decode(chunk, take);
  if (!begun) begin();
}

std::size_t WaveLog::memory_bytes() const {
  std::size_t bytes = 0;
  for (const Chunk& chunk : chunks_) bytes += chunk.bytes.size();
  return bytes;
}

void WaveLog::fail() {
  error_ = spool_path_ + ": cannot write: " + std::strerror(errno);
  if (sc_core::sc_is_running()) sc_core::sc_stop();
}

void WaveLog::check() const {
  if (!error_.empty()) throw SinkError(error_);
}

}  // namespace longhaul::observe
