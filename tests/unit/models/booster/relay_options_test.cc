// SPDX-License-Identifier: Apache-2.0
// Relays between ends that agreed on other options, and over paths that lose frames.
#include <random>

#include "models/common/split_mix.h"

#include "tests/unit/models/booster/relays_fixture.h"

namespace longhaul::booster {
namespace {

using testing::RigParams;

struct RelayOptions : Relays, ::testing::WithParamInterface<int> {};

TEST_P(RelayOptions, EachEndHasWhatItAgreedOn) {
  RigParams plain = params;
  if ((GetParam() & 1) != 0) plain.tcp.window_scaling.value = false;
  if ((GetParam() & 2) != 0) plain.tcp.timestamps.value = false;
  if ((GetParam() & 4) != 0) plain.tcp.sack.value = false;
  const bool at_a = (GetParam() & 8) != 0;
  build_relays(at_a ? plain : params, at_a ? params : plain);
  std::mt19937_64 random(7);
  for (FakeDevice* const device : devices()) {
    device->fate = [&random](std::uint64_t, FakeDevice::Bytes&) -> std::vector<std::uint64_t> {
      if (random() % 100 == 0) return {};
      return {0};
    };
  }
  Transfer plan;
  plan.receive_buffer = 300'000;
  plan.send_buffer = 300'000;
  transfer(plan, 400'000, 10'000, 8192);
  run_until(100'000 * kMs);
  expect_all(plan, 400'000);
}

INSTANTIATE_TEST_SUITE_P(All, RelayOptions, ::testing::Range(0, 16));

struct LossyRelays : Relays, ::testing::WithParamInterface<std::uint64_t> {};

TEST_P(LossyRelays, EveryByteArrivesOnceAndInOrder) {
  std::mt19937_64 random(split_mix(GetParam()));
  options["connections"] = 1 + GetParam() % 3;
  build_relays();
  const double loss = GetParam() % 2 == 0 ? 0.01 : 0.05;
  for (FakeDevice* const device : devices()) {
    device->fate = [&random, loss](std::uint64_t,
                                   FakeDevice::Bytes& frame) -> std::vector<std::uint64_t> {
      const double dice = static_cast<double>(random() >> 11U) * 0x1p-53;
      if (!is_tcp(frame)) return {0};  // address resolution has no second try here
      if (dice < loss) return {};
      if (dice < 2 * loss) return {0, 3 * kMs};
      if (dice < 3 * loss) return {2 * kMs};
      return {0};
    };
  }
  std::vector<Transfer> plans(3);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    plans[i].port = static_cast<std::uint16_t>(5001 + i);
    plans[i].pause_ps = i * kMs;
    transfer(plans[i], 100'000 + 50'000 * i, 7'000, 4'096);
  }
  const auto done = [&] {
    return std::all_of(plans.begin(), plans.end(),
                       [](const Transfer& p) { return p.receiver_done && p.sender_done; });
  };
  for (int step = 0; step < 3000 && !done(); ++step) run_until(now_ps() + 200 * kMs);
  for (std::size_t i = 0; i < plans.size(); ++i) expect_all(plans[i], 100'000 + 50'000 * i);
  for (FakeDevice* const device : devices()) device->fate = nullptr;
  run_until(now_ps() + 300'000 * kMs);
  expect_nothing_left();
}

INSTANTIATE_TEST_SUITE_P(Seeds, LossyRelays, ::testing::Range<std::uint64_t>(0, 8));

}  // namespace
}  // namespace longhaul::booster
