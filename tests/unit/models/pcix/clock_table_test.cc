// SPDX-License-Identifier: Apache-2.0
// The table of README.md#clocks: every common transaction in every mode takes the clocks that the
// protocol's phases add up to.
#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

struct Mode {
  const char* name;
  const char* protocol;
  std::uint32_t width_bits;
  std::uint64_t hz;
  std::uint32_t subphases = 1;
};
constexpr Mode kPcix133{"PCI-X 64/133", "pcix", 64, 133'333'333};
constexpr Mode kPcix100{"PCI-X 64/100", "pcix", 64, 100'000'000};
constexpr Mode kPcix66{"PCI-X 64/66", "pcix", 64, 66'666'667};
constexpr Mode kPcix32{"PCI-X 32/66", "pcix", 32, 66'666'667};
constexpr Mode kPcix266{"PCI-X 266", "pcix", 64, 133'333'333, 2};
constexpr Mode kPcix533{"PCI-X 533", "pcix", 64, 133'333'333, 4};
constexpr Mode kPci66{"PCI 64/66", "pci", 64, 66'666'667};
constexpr Mode kPci33{"PCI 32/33", "pci", 32, 33'333'333};

enum class Kind {
  kWrite,
  kRead,
  kRegisterWrite,
  kRegisterRead,
  kConfigRead,
  kConfigWrite,
  kPortRead,
  kPortWrite
};

struct Case {
  Mode mode;
  Kind kind;
  std::uint64_t address;  // of DMA
  std::uint32_t bytes;
  std::uint32_t decode;  // of the target: 1 A (medium), 2 B (slow), 3 C (subtractive)
  std::uint32_t waits;
  bool split;
  std::vector<std::uint32_t> clocks;  // of each tenure, turn-around included
};

std::vector<Case> cases() {
  const std::uint64_t high = 0x1'0000'0000;
  return {
      // Posted write: address 1 (2), attribute 1, response 1-3, data, turn-around 1; release 1
      // after a single data phase.
      {kPcix133, Kind::kWrite, 0x1000, 8, 1, 0, false, {1 + 1 + 1 + 1 + 1 + 1}},
      {kPcix133, Kind::kWrite, 0x1000, 16, 1, 0, false, {1 + 1 + 1 + 2 + 1}},
      {kPcix133, Kind::kWrite, 0x1000, 64, 1, 0, false, {1 + 1 + 1 + 8 + 1}},
      {kPcix133, Kind::kWrite, 0x1000, 512, 1, 0, false, {1 + 1 + 1 + 64 + 1}},
      {kPcix133, Kind::kWrite, 0x1000, 512, 2, 0, false, {1 + 1 + 2 + 64 + 1}},
      {kPcix133, Kind::kWrite, 0x1000, 512, 3, 0, false, {1 + 1 + 3 + 64 + 1}},
      {kPcix133, Kind::kWrite, high, 512, 1, 0, false, {2 + 1 + 1 + 64 + 1}},
      {kPcix133, Kind::kWrite, 0x1007, 2, 1, 0, false, {1 + 1 + 1 + 2 + 1}},
      {kPcix133, Kind::kWrite, 0x1001, 1514, 1, 0, false, {1 + 1 + 1 + 190 + 1}},
      {kPcix133, Kind::kWrite, 0x1000, 4096, 1, 0, false, {1 + 1 + 1 + 512 + 1}},
      {kPcix100, Kind::kWrite, 0x1000, 512, 1, 0, false, {68}},
      {kPcix66, Kind::kWrite, 0x1000, 512, 1, 0, false, {68}},
      {kPcix32, Kind::kWrite, 0x1000, 512, 1, 0, false, {1 + 1 + 1 + 128 + 1}},
      // Split read: request (termination 1, release 1), then the completion, never with a second
      // address clock.
      {kPcix133,
       Kind::kRead,
       0x1000,
       512,
       1,
       0,
       false,
       {1 + 1 + 1 + 1 + 1 + 1, 1 + 1 + 1 + 64 + 1}},
      {kPcix133, Kind::kRead, high, 512, 1, 0, false, {2 + 1 + 1 + 1 + 1 + 1, 1 + 1 + 1 + 64 + 1}},
      {kPcix133, Kind::kRead, 0x1004, 16, 1, 0, false, {6, 1 + 1 + 1 + 3 + 1}},
      {kPcix133, Kind::kRead, 0x1000, 4, 1, 0, false, {6, 1 + 1 + 1 + 1 + 1 + 1}},
      {kPcix133,
       Kind::kRead,
       0x1000,
       512,
       2,
       0,
       false,
       {1 + 1 + 2 + 1 + 1 + 1, 1 + 1 + 2 + 64 + 1}},
      {kPcix32, Kind::kRead, 0x1000, 512, 1, 0, false, {6, 1 + 1 + 1 + 128 + 1}},
      // PCI-X 2.0: two or four words a data phase of what is written and completed, everything else
      // by the common clock.
      {kPcix266, Kind::kWrite, 0x1000, 512, 1, 0, false, {1 + 1 + 1 + 32 + 1}},
      {kPcix533, Kind::kWrite, 0x1000, 512, 1, 0, false, {1 + 1 + 1 + 16 + 1}},
      {kPcix533, Kind::kWrite, 0x1000, 32, 1, 0, false, {1 + 1 + 1 + 1 + 1 + 1}},
      {kPcix533, Kind::kWrite, 0x101f, 2, 1, 0, false, {1 + 1 + 1 + 2 + 1}},
      {kPcix266, Kind::kRead, 0x1000, 512, 1, 0, false, {6, 1 + 1 + 1 + 32 + 1}},
      {kPcix533, Kind::kRead, 0x1008, 512, 1, 0, false, {6, 1 + 1 + 1 + 17 + 1}},
      {kPcix533, Kind::kRegisterRead, 0, 4, 1, 6, false, {1 + 1 + 1 + 6 + 1 + 1 + 1}},
      {kPcix533, Kind::kConfigWrite, 0, 4, 1, 0, false, {4 + 1 + 1 + 1 + 1 + 1 + 1}},
      // Registers: a DWORD is one data phase on any bus.
      {kPcix133, Kind::kRegisterWrite, 0, 4, 1, 0, false, {1 + 1 + 1 + 1 + 1 + 1}},
      {kPcix133, Kind::kRegisterWrite, 0, 4, 3, 0, false, {1 + 1 + 3 + 1 + 1 + 1}},
      {kPcix133, Kind::kRegisterRead, 0, 4, 1, 0, false, {1 + 1 + 1 + 0 + 1 + 1 + 1}},
      {kPcix133, Kind::kRegisterRead, 0, 4, 1, 6, false, {1 + 1 + 1 + 6 + 1 + 1 + 1}},
      {kPcix133,
       Kind::kRegisterRead,
       0,
       4,
       1,
       6,
       true,
       {1 + 1 + 1 + 1 + 1 + 1, 1 + 1 + 1 + 1 + 1 + 1}},
      {kPcix133, Kind::kConfigRead, 0, 4, 1, 6, false, {4 + 1 + 1 + 1 + 6 + 1 + 1 + 1}},
      {kPcix133, Kind::kConfigWrite, 0, 4, 1, 0, false, {4 + 1 + 1 + 1 + 1 + 1 + 1}},
      // Ports: as a register of one DWORD; a write is not posted, but takes the bus no longer for
      // that.
      {kPcix133, Kind::kPortWrite, 0, 4, 1, 6, false, {1 + 1 + 1 + 1 + 1 + 1}},
      {kPcix133, Kind::kPortRead, 0, 4, 1, 6, false, {1 + 1 + 1 + 6 + 1 + 1 + 1}},
      {kPcix133, Kind::kPortRead, 0, 4, 1, 6, true, {1 + 1 + 1 + 1 + 1 + 1, 1 + 1 + 1 + 1 + 1 + 1}},
      {kPci66, Kind::kPortWrite, 0, 4, 1, 6, false, {1 + 1 + 1 + 1}},
      {kPci66, Kind::kPortWrite, 0, 4, 2, 6, false, {1 + 2 + 1 + 1}},
      {kPci33, Kind::kPortRead, 0, 4, 1, 6, false, {1 + 1 + 6 + 1 + 1}},
      // Conventional PCI: no attribute phase, nothing registered. A delayed read is refused first:
      // address 1, response 1,
      // STOP# 1, FRAME# back 1, turn-around 1.
      {kPci66, Kind::kWrite, 0x1000, 8, 1, 0, false, {1 + 1 + 1 + 1}},
      {kPci66, Kind::kWrite, 0x1000, 48, 1, 0, false, {1 + 1 + 6 + 1}},
      {kPci66, Kind::kWrite, 0x1000, 512, 1, 0, false, {1 + 1 + 64 + 1}},
      {kPci66, Kind::kWrite, 0x1000, 512, 2, 0, false, {1 + 2 + 64 + 1}},
      {kPci66, Kind::kWrite, high, 512, 1, 0, false, {2 + 1 + 64 + 1}},
      {kPci33, Kind::kWrite, 0x1000, 512, 1, 0, false, {1 + 1 + 128 + 1}},
      {kPci33, Kind::kRegisterWrite, 0, 4, 1, 0, false, {1 + 1 + 1 + 1}},
      {kPci33, Kind::kRegisterRead, 0, 4, 1, 6, false, {1 + 1 + 6 + 1 + 1}},
      {kPci66, Kind::kConfigWrite, 0, 4, 1, 0, false, {1 + 1 + 1 + 1}},
      {kPci66, Kind::kRead, 0x1000, 512, 1, 0, false, {1 + 1 + 1 + 1 + 1, 1 + 1 + 64 + 1}},
      {kPci66, Kind::kRead, 0x1000, 512, 1, 3, false, {1 + 1 + 1 + 1 + 1, 1 + 1 + 3 + 64 + 1}},
      {kPci33, Kind::kRead, 0x1000, 512, 1, 0, false, {5, 1 + 1 + 128 + 1}},
      {kPci66, Kind::kRead, 0x1000, 4, 1, 0, false, {1 + 1 + 1 + 1, 1 + 1 + 1 + 1}},
  };
}

class ClockTable : public testing::PcTest, public ::testing::WithParamInterface<int> {};

TEST_P(ClockTable, IsWhatTheBusTakes) {
  const Case one = cases().at(static_cast<std::size_t>(GetParam()));
  SCOPED_TRACE(one.mode.name);
  bus_params.protocol.value = one.mode.protocol;
  bus_params.width_bits.value = one.mode.width_bits;
  bus_params.clock.value = {one.mode.hz};
  bus_params.data_subphases.value = one.mode.subphases;
  bus_params.bridge_decode_clocks.value = one.decode;
  bus_params.bridge_wait_clocks.value = one.waits;
  bus_params.retry_clocks.value = 128;  // a delayed read's data are there at the second attempt
  target_params.decode_clocks.value = one.decode;
  target_params.read_wait_clocks.value = one.waits;
  target_params.split_reads.value = one.split;
  build();
  limit_reads(0, 3, 0);
  at(0, [&] {
    switch (one.kind) {
      case Kind::kWrite:
        device().dma().write(one.address, buffer.data(), one.bytes, &device(), 1);
        break;
      case Kind::kRead:
        device().dma().read(one.address, buffer.data(), one.bytes, &device(), 1);
        break;
      case Kind::kRegisterWrite: core->write32(kBar + 0x10, 1); break;
      case Kind::kRegisterRead: EXPECT_EQ(core->read32(kBar + 0x20), 0x1234'5678U); break;
      case Kind::kConfigRead:
        EXPECT_EQ(core->read32(address_map::kConfigBegin), 0x1a48'8086U);
        break;
      case Kind::kConfigWrite: core->write32(address_map::kConfigBegin + 0x10, 0xf000'0000); break;
      case Kind::kPortRead: EXPECT_EQ(core->read32(port_address(0, 4)), 0xabcd'ef04U); break;
      case Kind::kPortWrite: core->write32(port_address(0, 4), 1); break;
    }
  });
  sc_core::sc_start();
  std::vector<std::uint32_t> clocks;
  for (const auto& span : log.spans)
    clocks.push_back(
        static_cast<std::uint32_t>((span.end_ps - span.start_ps) / bus->timing().period_ps()));
  std::vector<std::uint32_t> wanted = one.clocks;
  // Memory ends at 4 MiB here: data above 4 GiB end in an error message of one data phase, or are
  // refused with an abort.
  const bool beyond = one.address > 0x40'0000;
  if (beyond && one.kind == Kind::kRead) wanted.back() = 6;
  EXPECT_EQ(clocks, wanted);
  if (one.kind == Kind::kRead && !beyond) {
    EXPECT_EQ(std::memcmp(buffer.data(), ram + one.address, one.bytes), 0);
  }
  if (one.kind == Kind::kWrite && !beyond) {
    EXPECT_EQ(std::memcmp(ram + one.address, buffer.data(), one.bytes), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ClockTable, ::testing::Range(0, static_cast<int>(cases().size())));

}  // namespace
}  // namespace longhaul::pcix
