// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/pm3393_flx.h"

#include <algorithm>
#include <utility>

namespace longhaul::nic::terminator {
namespace {

using pm::kFlxThresholdFields;

constexpr std::uint32_t kRead = 1U << 14;      // of the channel address; bit 15, busy, is 0
constexpr std::uint32_t kBlocksOfALimit = 16;  // README.md#fifo-units

}  // namespace

Pm3393Flx::Pm3393Flx(RegisterBank& bank, const pm::FlxSpecs& specs, const pm::Spec& channel_address,
                     Bytes largest, std::uint32_t block, Owner owner)
    : largest_(largest),
      block_(block),
      owner_(std::move(owner)),
      config_(bank, specs.config, [this] { owner_.changed(); }),
      provision_(bank, specs.provision, [this] { owner_.changed(); }),
      address_(bank, channel_address, [this](std::uint32_t value) { address_written(value); }),
      low_limit_(bank, specs.low_limit),
      high_limit_(bank, specs.high_limit),
      almost_full_(bank, specs.almost_full, [this] { return full_now(); }),
      almost_empty_(bank, specs.almost_empty, [this] { return empty_now(); }) {}

bool Pm3393Flx::operates() const {
  return config_.has(pm::kFlxConfigFields.enable) && provision_.has(pm::kProvisionFields.provision);
}

Bytes Pm3393Flx::capacity() const {
  const std::uint32_t limits = active_.high_limit - std::min(active_.low_limit, active_.high_limit);
  return std::min(Bytes{bytes_of(limits * kBlocksOfALimit)}, largest_);
}

void Pm3393Flx::address_written(std::uint32_t value) {
  address_.set(value & kRead);
  if ((value & kRead) != 0) {
    low_limit_.set(active_.low_limit);
    high_limit_.set(active_.high_limit);
    almost_full_.set(active_.almost_full);
    almost_empty_.set(active_.almost_empty);
    return;
  }
  active_ = {low_limit_.get(pm::kFlxLimitFields.limit), high_limit_.get(pm::kFlxLimitFields.limit),
             almost_full_.get(kFlxThresholdFields.threshold),
             almost_empty_.get(kFlxThresholdFields.threshold)};
  owner_.changed();
}

std::uint32_t Pm3393Flx::full_now() const {
  const std::uint64_t fill = owner_.fill();
  return (almost_full_.value() & kFlxThresholdFields.threshold) |
         (fill + block_ > capacity().count ? kFlxThresholdFields.reached.mask() : 0U) |
         (fill >= almost_full() ? kFlxThresholdFields.almost.mask() : 0U);
}

std::uint32_t Pm3393Flx::empty_now() const {
  const std::uint64_t fill = owner_.fill();
  return (almost_empty_.value() & kFlxThresholdFields.threshold) |
         (fill == 0 ? kFlxThresholdFields.reached.mask() : 0U) |
         (fill <= almost_empty() ? kFlxThresholdFields.almost.mask() : 0U);
}

}  // namespace longhaul::nic::terminator
