// SPDX-License-Identifier: Apache-2.0
// Offload engines under random users, networks and sizes. With LONGHAUL_DEEP=1 in the environment
// there are 10,000 connections (README.md, Tests).
#include <gtest/gtest.h>

#include "tests/unit/models/toe/random_world.h"
#include "tests/unit/support/depth.h"
#include "tests/unit/times.h"

namespace longhaul::toe::rig {
namespace {

std::uint32_t connections_in_all() { return deep() ? 10000 : 320; }

ToeParams ample() {
  ToeParams params;
  params.pm_size.value = units::MiB(512);
  return params;
}

ToeParams small_tcam() {
  ToeParams params = ample();
  params.tcam_entries.value = 24;
  params.tcam_servers.value = 4;
  params.tcam_routes.value = 4;
  return params;
}

ToeParams small_context_memory() {
  ToeParams params = ample();
  params.cm_size.value = {4096};
  params.cm_cache.value = 2;
  return params;
}

ToeParams small_payload_memory() {
  ToeParams params = ample();
  params.pm_size.value = units::MiB(1);
  params.pm_page.value = units::KiB(4);
  return params;
}

ToeParams few_p_structs() {
  ToeParams params = ample();
  params.p_structs.value = 24;
  params.pm_kept_pages.value = 2;
  return params;
}

ToeParams small_fifos() {
  ToeParams params = ample();
  params.rx_fifo.value = units::KiB(16);
  params.tx_fifo.value = units::KiB(32);
  params.host_messages.value = 2;
  params.reply_messages.value = 2;
  params.arbitration.value = "receive-first";
  return params;
}

ToeParams slow() {
  ToeParams params = ample();
  params.receive_clocks.value = 400;
  params.modulation_clocks.value = 2000;
  params.arbitration.value = "round-robin";
  params.modulation_segments.value = 3;
  return params;
}

ToeParams arranged(const char* arrangement) {
  ToeParams params = ample();
  params.arrangement.value = arrangement;
  params.receive_clocks.value = 400;
  return params;
}

T1Params on_loss(const char* rule) {
  T1Params t1;
  t1.on_loss.value = rule;
  return t1;
}

struct ToeRandom : ::testing::Test {
  std::uint32_t each = (connections_in_all() + 9) / 10;
  T1Params reno;
  T1Params tahoe = on_loss("tahoe");
  World ample_reno{"ample_reno", ample(), reno, 1, each};
  World ample_tahoe{"ample_tahoe", ample(), tahoe, 2, each};
  World tcam{"tcam", small_tcam(), reno, 3, each};
  World contexts{"contexts", small_context_memory(), reno, 4, each};
  World payload{"payload", small_payload_memory(), reno, 5, each};
  World p_structs{"p_structs", few_p_structs(), reno, 6, each};
  World fifos{"fifos", small_fifos(), reno, 7, each};
  World slow_pipeline{"slow", slow(), tahoe, 8, each};
  World parallel{"parallel", arranged("parallel"), reno, 9, each};
  World rows{"rows", arranged("rows"), on_loss("none"), 10, each};
  std::vector<World*> worlds{&ample_reno, &ample_tahoe, &tcam,          &contexts, &payload,
                             &p_structs,  &fifos,       &slow_pipeline, &parallel, &rows};
};

TEST_F(ToeRandom, EveryByteArrivesOnceAndInOrderAndEverythingIsFreeInTheEnd) {
  for (World* const world : worlds) world->start();
  const std::uint64_t limit = each * 20 * kMs + 3000 * kSecond;
  const auto going = [&] {
    for (World* const world : worlds)
      if (!world->done()) return true;
    return false;
  };
  while (going() && now_ps() < limit) sc_core::sc_start(1, sc_core::SC_SEC);
  for (World* const world : worlds) ASSERT_EQ(world->failure(), "") << world->engine.name();
  // TIME-WAIT, answers that are still under way, and hosts that give up.
  sc_core::sc_start(500, sc_core::SC_SEC);
  for (World* const world : worlds) {
    EXPECT_EQ(world->failure(), "") << world->engine.name();
    EXPECT_EQ(world->left(), "") << world->engine.name();
    EXPECT_EQ(world->engine.probes.opened.value(), world->engine.probes.released.value());
  }
  // The worlds were not kind.
  EXPECT_GT(tcam.engine.probes.table_full.value(), 0U);
  EXPECT_GT(contexts.engine.probes.no_memory.value(), 0U);
  const auto first_lane = [](const World& world) -> const Lane& {
    return *world.engine.lanes().front();
  };
  EXPECT_GT(fifos.engine.probes.rx_overflows.value() + first_lane(fifos).reply_stalls.value(), 0U);
  EXPECT_GT(first_lane(ample_reno).modulation_events.value(), 100U);
  EXPECT_GT(first_lane(ample_reno).timer_events.value(), 100U);
  EXPECT_GT(first_lane(parallel).memory_stalls.value(), 0U);
  EXPECT_GT(first_lane(rows).memory_stalls.value(), 0U);
}

}  // namespace
}  // namespace longhaul::toe::rig
