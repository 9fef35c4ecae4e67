// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

#include "models/common/register_bank.h"
#include "models/pcix/dma_engine.h"
#include "mynic_regs.h"

namespace mynic {

/// What the units share with the device.
struct Parts {
  longhaul::RegisterBank& bank;
  longhaul::pcix::DmaEngine& dma;
  std::function<void(std::uint32_t causes)> post;
  std::function<void(regs::Count)> count;
  std::function<bool()> may_start;  ///< neither stopped by a fault nor in a reset
  std::function<void()> fault;      ///< the bus answered with an error, or a descriptor is wrong
};

/// A descriptor of a ring: `word` is its third DWORD.
struct Descriptor {
  std::uint64_t address;
  std::uint32_t word;
  std::uint16_t index;
};

/// Reads a ring's descriptors ahead of their use (rtl/mynic_ring.sv): up to four a read, up to 16
/// here.
class Ring final : private longhaul::pcix::DmaClient {
 public:
  /// `base` is the offset of its registers; `arrived` is called when there are descriptors.
  Ring(const Parts& parts, std::uint32_t base, std::function<void()> arrived);

  bool empty() const { return here_.empty(); }
  Descriptor take();
  void enable(bool on);
  /// Reads what the host has given, if there is room.
  void fetch();
  /// Gives a descriptor back: writes its status, and tells `client`.
  void write_back(std::uint16_t index, std::uint32_t status, DmaClient& client);
  void reset();
  std::pair<std::uint64_t, std::uint64_t> memory() const;

 private:
  static constexpr std::uint32_t kGroup = 4;
  static constexpr std::size_t kDepth = 16;

  void dma_done(std::uint64_t tag, longhaul::pcix::DmaStatus status) override;
  std::uint64_t base() const;
  std::uint64_t place(std::uint16_t index) const;

  const Parts& parts_;
  std::function<void()> arrived_;
  bool enabled_ = false;
  bool reading_ = false;
  std::uint16_t fetched_ = 0;
  std::uint16_t head_ = 0;
  std::deque<Descriptor> here_;
  std::array<std::uint8_t, kGroup * regs::descriptor::kBytes> in_{};
  std::array<std::uint8_t, 4> out_{};
  longhaul::Reg32 base_low_;
  longhaul::Reg32 base_high_;
  longhaul::Reg32 size_log2_;
  longhaul::Reg32 tail_;
  longhaul::Reg32 head_now_;
};

}  // namespace mynic
