// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/param.h"
#include "models/common/units.h"

/// Known facts of SysKonnect's SK-9843 SX and of sk98lin, its driver in Linux 2.4, with their
/// sources (README.md#sk98lin). These values are used by the adapter (nic::genesis), by the
/// adapters of NIST Net's PC (wan::SkAdapter), and by the version `sk98lin` of modelled systems'
/// drivers. A parameter that is derived from one has its own source.
namespace longhaul::nic::sk9843 {

/// A number with its source.
template <class T>
struct Fact {
  T value;
  Source source;
};

// The board.
inline constexpr Fact<Frequency> kFastestBus{
    {66'666'667},
    {Evidence::kDatasheet, "Linux 2.6 sk98lin/h/skgehw.h, B0_CTST: slot of 33 or 66 MHz"}};
inline constexpr Fact<Frequency> kChipClock{
    {53'125'000}, {Evidence::kDatasheet, "Linux 6.1 skge.c, hwkhz: 53.125 MHz"}};
inline constexpr Fact<Bytes> kRam{
    units::KiB(1024),
    {Evidence::kDatasheet, "Linux 6.1 skge.c: B2_E_0 of 3 is four chips of 64K x 36"}};
inline constexpr Fact<std::uint32_t> kRamBytesPerClock{
    8,
    {Evidence::kAssumed,
     "models/nic/genesis/README.md#open-numbers: 64 bit of four x36 chips, one access a clock"}};
/// Latency between a MAC and the packet memory, in each direction.
inline constexpr Fact<std::uint32_t> kLatencyNs{
    500, {Evidence::kAssumed, "models/nic/genesis/README.md#open-numbers"}};
inline constexpr Fact<bool> kOffloads{
    false,
    {Evidence::kDatasheet,
     "skge.c: NETIF_F_SG and NETIF_F_IP_CSUM with Yukon chips only, which the SK-9843's is not"}};

// The driver.
/// Packet memory for received and for transmitted frames, out of 512 KiB, which is half of the
/// board's memory.
inline constexpr Fact<Bytes> kReceiveRam{
    {(512 << 10) * 80 / 100},
    {Evidence::kDatasheet,
     "skge.c, SetQueueSizes: 80 % of the adapter's RAM to receive; 512 KiB of RAM: "
     "models/wan/nistnet/README.md#open-numbers"}};
inline constexpr Fact<Bytes> kTransmitRam{
    {(512 << 10) - kReceiveRam.value.count},
    {Evidence::kDatasheet, "skge.c, SetQueueSizes: the other 20 %"}};
inline constexpr Fact<std::uint32_t> kRxRing{
    24 * 1024 / 48, {Evidence::kDatasheet, "skdrv2nd.h: a ring of 24 KiB, 48 B a descriptor"}};
inline constexpr Fact<std::uint32_t> kTxRing{
    8 * 1024 / 48, {Evidence::kDatasheet, "skdrv2nd.h: a ring of 8 KiB, 48 B a descriptor"}};
/// Shorter frames, in bytes, are copied into a buffer of their size.
inline constexpr Fact<std::uint32_t> kCopyBelow{
    200, {Evidence::kDatasheet, "Linux 2.4 drivers/net/sk98lin/skge.c: SK_COPY_THRESHOLD"}};
/// Limit of the rate of interrupts for sent frames. Interrupts for received frames are not limited.
inline constexpr Fact<Frequency> kTxInterrupts{
    {1800}, {Evidence::kDatasheet, "skge.c: INTS_PER_SEC, of transmit-complete interrupts only"}};

}  // namespace longhaul::nic::sk9843
