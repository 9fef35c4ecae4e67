// SPDX-License-Identifier: Apache-2.0
// NEC-TOE's parallel engine, whose host opens and closes connections and handles losses.
#include "models/host/profiles/os_profile.h"
#include "models/wan/delay_box/delay_box.h"
#include "tests/unit/models/host/drivers/chelsio/offload_rig.h"

namespace longhaul::host::offload_testing {
namespace {

HostOptions parallel_host() {
  HostOptions options = linux_host(true);
  options.nic_type = "nec-parallel";
  options.time_wait_ps = 61'000 * kMs;
  return options;
}

HostOptions windows_host() {
  HostOptions options = parallel_host();
  const OsProfile windows = os_profile("windows-nt-4.0", "test");
  options.net = windows.net;
  options.tcp = windows.tcp;
  return options;
}

/// Two hosts with a delay box between them.
struct NecHandover : ToeTest {
  std::unique_ptr<DelayBox> box;
  std::unique_ptr<Link> far;

  void build_path(const HostOptions& for_a, const HostOptions& for_b, double loss,
                  std::uint64_t seed = 1) {
    a = std::make_unique<ToeHost>("a", for_a, 1);
    b = std::make_unique<ToeHost>("b", for_b, 2);
    DelayBoxParams params;
    params.seed.value = seed;
    for (DelayPathParams* const side : {&params.west, &params.east}) {
      side->delay.value = sc_core::sc_time(1, sc_core::SC_MS);
      side->loss.value = Probability{loss};
    }
    box = std::make_unique<DelayBox>("box", params);
    driver_testing::RigOptions cable;
    cable.nic = for_a.nic_type;
    const LinkParams wire = driver_testing::Rig::link_params(cable);
    link = std::make_unique<Link>("link", wire);
    link->connect(a->machine.port(), box->west());
    far = std::make_unique<Link>("far", wire);
    far->connect(box->east(), b->machine.port());
  }
  const chelsio::ToeOffload::Moves& moves(ToeHost& host) { return *host.driver().toe()->moves(); }
  void expect_all(const Stream& stream) {
    EXPECT_EQ(stream.received, stream.bytes);
    EXPECT_EQ(stream.mismatch, std::nullopt);
    EXPECT_EQ(stream.error, std::nullopt);
  }
};

TEST_F(NecHandover, TheHostOpensAndClosesAndTheEngineDoesTheRest) {
  build_path(parallel_host(), parallel_host(), 0);
  Stream there{2'000'000};
  run(client(*a, 2, there), server(*b, there));
  expect_all(there);
  for (ToeHost* const host : {a.get(), b.get()}) {
    EXPECT_LE(host->stack.segments_out.value(), 30U) << "of more than 1400";
    EXPECT_EQ(host->stack.retransmits.value(), 0U);
    EXPECT_GE(moves(*host).given.value(), 1U);
    EXPECT_EQ(moves(*host).given.value(), moves(*host).returned.value());
    EXPECT_LE(moves(*host).returned.value(), 3U);
    EXPECT_EQ(moves(*host).timed_out.value(), 0U);
    EXPECT_EQ(host->stack.resets_out.value(), 0U);
  }
  expect_no_leak();
}

TEST_F(NecHandover, EveryByteArrivesOnceAndInOrderThroughLosses) {
  build_path(parallel_host(), parallel_host(), 0.01);
  Stream there{3'000'000};
  Stream back{2'000'001, 100'000, 30'000};
  run(client(*a, 2, there, &back), server(*b, there, &back), 2'000'000 * kMs);
  expect_all(there);
  expect_all(back);
  for (ToeHost* const host : {a.get(), b.get()}) {
    EXPECT_GT(moves(*host).returned.value(), 5U) << "losses send the connection back";
    EXPECT_EQ(moves(*host).given.value(), moves(*host).returned.value());
    EXPECT_GT(host->stack.retransmits.value(), 0U) << "the host sends again";
    EXPECT_EQ(host->stack.resets_out.value(), 0U);
  }
  expect_no_leak();
}

TEST_F(NecHandover, BothSidesAtOnceUnderWindowsThroughLosses) {
  build_path(windows_host(), windows_host(), 0.005, 2);
  Stream there{2'000'000};
  Stream back{2'000'000};
  there.buffer = 65'536;
  run(client(*a, 2, there, &back), server(*b, there, &back), 2'000'000 * kMs);
  expect_all(there);
  expect_all(back);
  EXPECT_GT(moves(*a).returned.value(), 2U);
}

TEST_F(NecHandover, ASoftwareHostNoticesNothing) {
  HostOptions software = parallel_host();
  software.offload = false;
  build_path(parallel_host(), software, 0.01, 3);
  Stream there{2'000'000};
  Stream back{2'000'000};
  run(client(*a, 2, there, &back), server(*b, there, &back), 2'000'000 * kMs);
  expect_all(there);
  expect_all(back);
  EXPECT_EQ(b->stack.resets_out.value(), 0U);
  EXPECT_GT(moves(*a).returned.value(), 2U);
  expect_no_leak();
}

TEST_F(NecHandover, APathThatIsCutComesBackAsATimeOut) {
  build_path(parallel_host(), parallel_host(), 0);
  Stream there{30'000'000};
  bool cut = false;
  a->machine.run([&](Program& self) {
    while (moves(*a).given.value() == 0) self.sleep_ps(kMs);
    self.sleep_ps(50 * kMs);
    box->change("loss_west", 1.0, "test");
    self.sleep_ps(3000 * kMs);
    cut = moves(*a).timed_out.value() > 0;
    box->change("loss_west", 0.0, "test");
  });
  run(client(*a, 2, there), server(*b, there), 2'000'000 * kMs);
  EXPECT_TRUE(cut);
  expect_all(there);
  expect_no_leak();
}

TEST_F(NecHandover, AResetReachesTheProgramThroughTheHost) {
  build_path(parallel_host(), parallel_host(), 0);
  Stream there{10'000'000};
  std::optional<SocketError> error;
  run(client_until_error(*a, 2, there, error), [&](Program& self) {
    const auto listener = make_socket(*b, there.buffer);
    listener->listen(self, kPort, 5);
    {
      const auto socket = listener->accept(self);
      self.sleep_ps(20 * kMs);
      socket->close(self);  // with unread data: a reset
    }
    listener->close(self);
  });
  EXPECT_EQ(error, SocketError::kReset);
  expect_no_leak();
}

}  // namespace
}  // namespace longhaul::host::offload_testing
