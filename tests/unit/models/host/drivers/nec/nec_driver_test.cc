// SPDX-License-Identifier: Apache-2.0
// Hosts with NEC-TOE's adapters: the board's driver, and sockets whose TCP is in the adapter.
#include "models/common/param_json.h"
#include "models/host/drivers/nec/nec_params.h"
#include "models/host/profiles/os_profile.h"
#include "tests/unit/models/host/drivers/chelsio/offload_rig.h"

namespace longhaul::host::offload_testing {
namespace {

constexpr const char* kParallel = "nec-parallel";
constexpr const char* kPipeline = "nec-pipeline";
constexpr const char* kAlone = "nec-alone";  // parallel, and the host keeps no errors

HostOptions nec_host(const std::string& type, bool offload = true) {
  HostOptions options = linux_host(offload);
  options.nic_type = type;
  if (type == kAlone) {
    options.nic_type = kParallel;
    options.driver["host_keeps_errors"] = false;
  }
  options.time_wait_ps = 61'000 * kMs;  // the engines' is 60 s
  return options;
}

class NecOffload : public ToeTest, public ::testing::WithParamInterface<const char*> {
 public:
  HostOptions host(bool offload = true) const { return nec_host(GetParam(), offload); }
  bool host_opens() const { return a->driver().toe()->host_opens(); }
};
INSTANTIATE_TEST_SUITE_P(Engine, NecOffload, ::testing::Values(kParallel, kPipeline, kAlone),
                         [](const auto& of) { return std::string(of.param).substr(4); });

TEST_P(NecOffload, EveryByteArrivesBothWaysAndNothingIsLeft) {
  build(host());
  Stream there{2'000'000};
  Stream back{1'000'001, 100'000, 30'000};
  run(client(*a, 2, there, &back), server(*b, there, &back));
  EXPECT_TRUE(there.offloaded);
  EXPECT_EQ(there.received, there.bytes);
  EXPECT_EQ(back.received, back.bytes);
  EXPECT_EQ(there.mismatch, std::nullopt);
  EXPECT_EQ(back.mismatch, std::nullopt);
  EXPECT_EQ(back.error, std::nullopt);
  if (host_opens()) {
    EXPECT_FALSE(back.offloaded) << "a FIN has come: the host closes the connection";
    EXPECT_GT(a->stack.segments_out.value(), 2U) << "the handshake, the FIN, ACKs of the rest";
    EXPECT_LT(a->stack.segments_out.value(), 1'000U) << "2 MB are 1370 segments";
  } else {
    EXPECT_TRUE(back.offloaded);
    EXPECT_EQ(a->stack.segments_out.value(), 0U) << "the host's own TCP sends nothing";
  }
  expect_no_leak();
}

TEST_P(NecOffload, WithoutOffloadTheHostsOwnTcpSends) {
  build(host(false));
  Stream there{500'000};
  Stream back{500'000};
  run(client(*a, 2, there, &back), server(*b, there, &back));
  EXPECT_FALSE(there.offloaded);
  EXPECT_EQ(a->driver().toe(), nullptr);
  EXPECT_EQ(there.received, there.bytes);
  EXPECT_EQ(back.received, back.bytes);
  EXPECT_EQ(there.mismatch, std::nullopt);
  EXPECT_EQ(back.mismatch, std::nullopt);
  expect_no_leak();
}

TEST_P(NecOffload, TheAdaptersReceiveBufferIsTheWindowWhateverTheSocketAsksFor) {
  build(host());
  Stream there{1'000'000};
  there.buffer = 262'144;
  std::uint64_t unread = 0;
  run(client(*a, 2, there), [&](Program& self) {
    const auto listener = make_socket(*b, there.buffer);
    listener->listen(self, kPort, 5);
    const auto socket = listener->accept(self);
    self.sleep_ps(1000 * kMs);
    unread = b->stack.data_bytes_in.value();
    receive_all(self, *b, *socket, there);
    socket->close(self);
    listener->close(self);
  });
  const std::uint64_t window = GetParam() == std::string(kPipeline) ? 18'432 : 65'536;
  constexpr std::uint64_t kMss = 1460;
  EXPECT_LE(unread, window);
  EXPECT_GT(unread, window - 3 * kMss) << "silly windows are not sent into (RFC 9293, 3.8.6.2.1)";
  EXPECT_EQ(there.received, there.bytes);
  EXPECT_EQ(there.mismatch, std::nullopt);
  expect_no_leak();
}

TEST_P(NecOffload, BelowAnMssOf512TheHostsOwnTcpRunsAllConnections) {
  HostOptions options = host();
  options.mtu = 551;
  build(options);
  Stream there{100'000};
  run(client(*a, 2, there), server(*b, there));
  EXPECT_FALSE(there.offloaded);
  EXPECT_EQ(there.received, there.bytes);
  EXPECT_EQ(there.mismatch, std::nullopt);
}

TEST_P(NecOffload, FromAnMssOf512OnTheAdapterRunsThem) {
  HostOptions options = host();
  options.mtu = 552;
  build(options);
  Stream there{1'000'000};
  run(client(*a, 2, there), server(*b, there));
  EXPECT_TRUE(there.offloaded);
  EXPECT_EQ(there.received, there.bytes);
  EXPECT_EQ(there.mismatch, std::nullopt);
}

TEST_P(NecOffload, AnOffloadingHostAndASoftwareHostUnderstandEachOther) {
  build(host(true), host(false));
  Stream there{500'000};
  Stream back{500'000};
  run(client(*a, 2, there, &back), server(*b, there, &back));
  EXPECT_TRUE(there.offloaded);
  EXPECT_FALSE(back.offloaded);
  EXPECT_EQ(there.received, there.bytes);
  EXPECT_EQ(back.received, back.bytes);
  EXPECT_EQ(there.mismatch, std::nullopt);
  EXPECT_EQ(back.mismatch, std::nullopt);
  expect_no_leak();
}

TEST_P(NecOffload, AClosedInterfaceEndsItsConnectionsOnBothSides) {
  build(host());
  Stream there{50'000'000};
  std::optional<SocketError> error;
  std::optional<SocketError> peer;
  bool open = false;
  a->machine.run([&](Program& self) {
    while (!open) self.sleep_ps(kMs);
    self.sleep_ps(20 * kMs);
    a->machine.device().close();
  });
  run(
      [&](Program& self) {
        const auto socket = make_socket(*a, there.buffer);
        ASSERT_TRUE(socket->connect(self, ToeHost::address(2, kPort)));
        open = true;
        send_all(self, *a, *socket, there);
        error = socket->error();
        socket->close(self);
      },
      [&](Program& self) {
        const auto listener = make_socket(*b, there.buffer);
        listener->listen(self, kPort, 5);
        const auto socket = listener->accept(self);
        receive_all(self, *b, *socket, there);
        peer = socket->error();
        socket->close(self);
        listener->close(self);
      });
  EXPECT_NE(error, std::nullopt);
  EXPECT_EQ(peer, SocketError::kReset);
  EXPECT_LT(there.received, there.bytes);
  EXPECT_EQ(there.mismatch, std::nullopt);
}

TEST_F(ToeTest, WindowsNtsSocketsRunTheParallelEngine) {
  HostOptions options = nec_host(kParallel);
  const OsProfile windows = os_profile("windows-nt-4.0", "test");
  options.net = windows.net;
  options.tcp = windows.tcp;
  build(options);
  Stream there{1'000'000};
  Stream back{1'000'000};
  run(client(*a, 2, there, &back), server(*b, there, &back));
  EXPECT_TRUE(there.offloaded);
  EXPECT_EQ(there.received, there.bytes);
  EXPECT_EQ(back.received, back.bytes);
  EXPECT_EQ(there.mismatch, std::nullopt);
  EXPECT_EQ(back.mismatch, std::nullopt);
}

// The driver alone.

using driver_testing::Bytes8;
using driver_testing::Rig;
using driver_testing::RigOptions;

RigOptions rig_options(const char* type) {
  RigOptions options;
  options.nic = type;
  return options;
}

class NecDriver : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Engine, NecDriver, ::testing::Values(kParallel, kPipeline),
                         [](const auto& of) { return std::string(of.param).substr(4); });

TEST_P(NecDriver, FramesOfEverySizeArriveAsTheyWere) {
  Rig rig(rig_options(GetParam()));
  std::vector<Bytes8> sent;
  rig.when_up([&](Program& program) {
    for (std::uint32_t bytes = 60; bytes <= 1514; bytes += bytes < 260 ? 1 : 211) {
      sent.push_back(
          driver_testing::plain_frame(rig.b.device().mac(), rig.a.device().mac(), bytes, bytes));
      while (!rig.a.device().transmit(rig.a.packet(sent.back()))) program.sleep_ps(kMs);
    }
    for (int i = 0; i < 200 && rig.b.user().received_frames < sent.size(); ++i)
      program.sleep_ps(kMs);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rig.b.user().frames, sent);
  EXPECT_EQ(rig.a.device().mac(), (MacAddress{0x00, 0x00, 0x4c, 0x00, 0x00, 0x01})) << "the VPD's";
}

TEST_P(NecDriver, TheLinkGoesAndComesByInterrupt) {
  Rig rig(rig_options(GetParam()));
  rig.when_up([&](Program& program) {
    program.sleep_ps(kMs);
    rig.link.set_up(false);
    program.sleep_ps(20 * kMs);  // the watchdog looks every 250 ms
    EXPECT_FALSE(rig.a.device().link_up());
    rig.link.set_up(true);
    program.sleep_ps(20 * kMs);
    EXPECT_TRUE(rig.a.device().link_up());
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rig.a.user().links, (std::vector<bool>{true, false, true}));
}

TEST(NecDriverParams, EveryNumberHasASourceThatIsNotChelsios) {
  for (const nec::NecDriverParams& params : {nec::parallel_driver(), nec::pipeline_driver()}) {
    nec::NecDriverParams own = params;
    for (const nlohmann::json& param : describe(own)) {
      const auto source = param["source"].get<std::string>();
      EXPECT_EQ(source.find("sge.c"), std::string::npos) << param["name"];
      EXPECT_FALSE(source.empty()) << param["name"];
    }
  }
}

TEST(NecDriverParams, TheParallelEngineLeavesErrorsToItsHost) {
  EXPECT_TRUE(nec::parallel_driver().keeps_errors());
  EXPECT_FALSE(nec::pipeline_driver().keeps_errors());
}

TEST(NecDriverParams, OffloadUnderFreeBsdIsRefused) {
  const NetParams net = os_profile("freebsd-4.5", "test").net;
  try {
    nec::nec_driver_params(nec::parallel_driver(), {{"offload", true}}, net, "host.eth0");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "host.eth0.offload: FreeBSD's socket calls have no form for connections of an "
                 "adapter; wants false");
  }
  EXPECT_NO_THROW(
      nec::nec_driver_params(nec::parallel_driver(), {{"offload", false}}, net, "host.eth0"));
}

}  // namespace
}  // namespace longhaul::host::offload_testing
