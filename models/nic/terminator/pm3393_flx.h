// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "models/common/register_bank.h"
#include "models/common/units.h"
#include "models/nic/terminator/pm3393_regs.h"

namespace longhaul::nic::terminator {

/// The registers of a FIFO of the PM3393, IFLX or EFLX: enable, provision, limits and thresholds.
///
/// Limits and thresholds are indirect. A write of the channel address with bit 14 clear hands the
/// registers' values to the FIFO. With bit 14 set it copies the FIFO's values to the registers.
/// Limits count 16 blocks, thresholds count blocks.
class Pm3393Flx {
 public:
  struct Owner {
    std::function<void()> changed;        ///< operates(), capacity or thresholds have changed
    std::function<std::uint64_t()> fill;  ///< bytes in the FIFO
  };
  /// `largest` is the memory of the FIFO. `block` is the size of a block in bytes.
  Pm3393Flx(RegisterBank& bank, const pm::FlxSpecs& specs, const pm::Spec& channel_address,
            Bytes largest, std::uint32_t block, Owner owner);

  bool operates() const;
  Bytes capacity() const;
  std::uint64_t almost_full() const { return bytes_of(active_.almost_full); }
  std::uint64_t almost_empty() const { return bytes_of(active_.almost_empty); }
  void reset() { active_ = {}; }

 private:
  struct Settings {
    std::uint32_t low_limit = 0;
    std::uint32_t high_limit = 0;
    std::uint32_t almost_full = 0;
    std::uint32_t almost_empty = 0;
  };
  std::uint64_t bytes_of(std::uint32_t blocks) const { return std::uint64_t{blocks} * block_; }
  void address_written(std::uint32_t value);
  std::uint32_t full_now() const;
  std::uint32_t empty_now() const;

  const Bytes largest_;
  const std::uint32_t block_;
  const Owner owner_;
  Settings active_;
  Reg32 config_;
  Reg32 provision_;
  Reg32 address_;
  Reg32 low_limit_;
  Reg32 high_limit_;
  Reg32 almost_full_;
  Reg32 almost_empty_;
};

}  // namespace longhaul::nic::terminator
