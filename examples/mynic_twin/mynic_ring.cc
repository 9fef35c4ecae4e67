// SPDX-License-Identifier: Apache-2.0
#include "mynic_ring.h"

#include <algorithm>

#include "models/nic/blocks/little_endian.h"

namespace mynic {

using namespace regs;  // NOLINT: names of the registers
using longhaul::nic::read_le32;
using longhaul::nic::read_le64;
using longhaul::pcix::DmaStatus;

Ring::Ring(const Parts& parts, std::uint32_t base, std::function<void()> arrived)
    : parts_(parts),
      arrived_(std::move(arrived)),
      base_low_(parts.bank, {"BASE_LOW", base, Access::kReadWrite, 0, 0xffff'ffc0}),
      base_high_(parts.bank, {"BASE_HIGH", base + 0x4}),
      size_log2_(parts.bank, {"SIZE_LOG2", base + 0x8, Access::kReadWrite, 4, 0xf}),
      tail_(parts.bank, {"TAIL", base + 0xc, Access::kReadWrite, 0, 0xffff}, [this] { fetch(); }),
      head_now_(parts.bank, {"HEAD", base + 0x10, Access::kReadOnly},
                [this]() -> std::uint32_t { return head_; }) {}

std::uint64_t Ring::base() const {
  return base_low_.value() | static_cast<std::uint64_t>(base_high_.value()) << 32U;
}

std::uint64_t Ring::place(std::uint16_t index) const {
  const std::uint32_t in_ring = index & ((1U << size_log2_.value()) - 1);
  return base() + std::uint64_t{in_ring} * descriptor::kBytes;
}

std::pair<std::uint64_t, std::uint64_t> Ring::memory() const {
  return {base(), base() + (std::uint64_t{descriptor::kBytes} << size_log2_.value())};
}

void Ring::enable(bool on) {
  enabled_ = on;
  fetch();
}

void Ring::fetch() {
  const auto ready = static_cast<std::uint16_t>(tail_.value() - fetched_);
  const std::uint32_t count = std::min<std::uint32_t>(ready, kGroup - fetched_ % kGroup);
  if (!enabled_ || reading_ || count == 0 || !parts_.may_start()) return;
  if (here_.size() + count > kDepth) return;
  reading_ = true;
  parts_.dma.read(place(fetched_), in_.data(), count * descriptor::kBytes, this, count);
}

void Ring::dma_done(std::uint64_t tag, DmaStatus status) {
  reading_ = false;
  if (status != DmaStatus::kOk) return parts_.fault();
  for (std::uint32_t i = 0; i < tag; ++i) {
    const std::uint8_t* const from = in_.data() + std::size_t{i} * descriptor::kBytes;
    here_.push_back({read_le64(from), read_le32(from + 8), fetched_++});
  }
  arrived_();
  fetch();
}

Descriptor Ring::take() {
  const Descriptor first = here_.front();
  here_.pop_front();
  ++head_;
  fetch();
  return first;
}

void Ring::write_back(std::uint16_t index, std::uint32_t status, DmaClient& client) {
  longhaul::nic::write_le32(out_.data(), status);
  parts_.dma.write(place(index) + descriptor::kStatusAt, out_.data(), 4, &client, 1);
}

void Ring::reset() {
  enabled_ = reading_ = false;
  fetched_ = head_ = 0;
  here_.clear();
}

}  // namespace mynic
