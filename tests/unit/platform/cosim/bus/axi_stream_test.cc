// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_stream.h"

#include <gmock/gmock.h>

#include "platform/cosim/bus/axi_stream_port.h"
#include "tests/unit/platform/cosim/bus/bus_fixture.h"
#include "tests/unit/platform/cosim/bus/rtl/bus_blocks.h"

namespace longhaul::cosim {
namespace {

using bus_test::run_until;
using longhaul::test::make_frame;
using longhaul::test::station;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Frames final : GmiiSink {
  std::vector<FrameRef> sent;
  std::size_t fragments = 0;
  void frame_sent(const FrameRef& frame) override { sent.push_back(frame); }
  void fragment_sent() override { ++fragments; }
};

/// With the FCS in the stream or not, and random stalls of both sides or none.
struct AxiStreamTest : ::testing::TestWithParam<std::tuple<bool, bool>> {
  bus_test::AxiStreamFifo fifo = bus_test::make_axi_stream_fifo();
  RtlBlock block{"block"};
  bus_test::Violations violations;
  bus_test::At at{"at"};
  Frames frames;
  ClockDomain& clock = make_clock();
  bus_test::ResetDriver reset{clock, fifo.in.reset.pin, 4};
  AxiStreamSource source{block, clock, fifo.in, params("s_", 3), &violations};
  AxiStreamSink sink{block, clock, fifo.out, params("m_", 4), frames, &violations};

  ClockDomain& make_clock() {
    block.set_model(*fifo.model);
    return block.add_clock(fifo.clock, {{100'000'000}});
  }
  static AxiStreamParams params(const char* prefix, std::uint64_t seed) {
    AxiStreamParams params;
    params.prefix = prefix;
    params.with_fcs = std::get<0>(GetParam());
    if (std::get<1>(GetParam())) params.stalls = Stalls(seed, 80);
    return params;
  }
};

TEST_P(AxiStreamTest, FramesComeOutAsTheyWentIn) {
  std::vector<FrameRef> in;
  at(1'000'000, [&] {
    for (std::uint32_t octets = 64; octets < 100; ++octets) {
      in.push_back(make_frame(octets, station(1), station(2), octets));
      source.send(in.back());
    }
    in.push_back(make_frame(9018, station(1), station(2)));
    in.back().writable().flip_bit(77);
    source.send(in.back());
  });
  run_until(100'000'000);
  ASSERT_EQ(frames.sent.size(), in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    ASSERT_EQ(frames.sent[i]->size(), in[i]->size());
    EXPECT_EQ(std::memcmp(frames.sent[i]->data(), in[i]->data(), in[i]->size()), 0);
    EXPECT_EQ(frames.sent[i]->fcs_matches(), in[i]->fcs_matches());
  }
  EXPECT_EQ(source.waiting(), 0U);
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_P(AxiStreamTest, NothingIsTakenWhileTheSinkDoesNotAccept) {
  at(1'000'000, [&] {
    sink.accept(false);
    source.send(make_frame(200, station(1), station(2)));
  });
  at(5'000'000, [&] {
    EXPECT_TRUE(frames.sent.empty());
    sink.accept(true);
  });
  run_until(20'000'000);
  EXPECT_EQ(frames.sent.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(FcsAndStalls, AxiStreamTest,
                         ::testing::Combine(::testing::Bool(), ::testing::Bool()));

TEST(AxiStreamPort, FramesGoThroughTheBlockAtTheWiresRate) {
  bus_test::AxiStreamFifo fifo = bus_test::make_axi_stream_fifo();
  RtlBlock block("block");
  block.set_model(*fifo.model);
  ClockDomain& clock = block.add_clock(fifo.clock, {{156'250'000}});
  bus_test::ResetDriver reset{clock, fifo.in.reset.pin, 4};
  bus_test::Violations violations;
  AxiStreamPort stream("stream", block);
  AxiStreamParams params;
  stream.connect(clock, fifo.in, params, clock, fifo.out, params, 32 << 10, &violations,
                 &violations);
  longhaul::test::Station host("host");
  Link link("link", longhaul::test::cable_of_no_length());
  link.connect(host.port(), stream.port);
  for (std::uint32_t i = 0; i < 20; ++i)
    host.send(make_frame(1518, station(1), station(2), i), 1'000'000);
  run_until(100'000'000);
  ASSERT_EQ(host.arrivals.size(), 20U);
  for (std::uint32_t i = 0; i < 20; ++i)
    EXPECT_EQ(longhaul::test::number_of(*host.arrivals[i].frame), i);
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST(AxiStreamPort, ABadFrameIsDroppedIfTheBlockCannotTell) {
  bus_test::AxiStreamFifo fifo = bus_test::make_axi_stream_fifo();
  RtlBlock block("block");
  block.set_model(*fifo.model);
  ClockDomain& clock = block.add_clock(fifo.clock, {{156'250'000}});
  bus_test::ResetDriver reset{clock, fifo.in.reset.pin, 4};
  AxiStreamPort stream("stream", block);
  AxiStreamPins in = fifo.in;
  in.tuser = {};
  const AxiStreamParams params;
  stream.connect(clock, in, params, clock, fifo.out, params, 32 << 10, nullptr, nullptr);
  longhaul::test::Station host("host");
  Link link("link", longhaul::test::cable_of_no_length());
  link.connect(host.port(), stream.port);
  for (std::uint32_t i = 0; i < 3; ++i) {
    FrameRef frame = make_frame(100, station(1), station(2), i);
    if (i == 1) frame.writable().flip_bit(300);
    host.send(frame, 1'000'000);
  }
  run_until(100'000'000);
  EXPECT_EQ(stream.rx_frames.value(), 3U);
  ASSERT_EQ(host.arrivals.size(), 2U);
  EXPECT_EQ(longhaul::test::number_of(*host.arrivals[1].frame), 2U);
}

struct AxiStreamCheckerTest : ::testing::Test {
  std::uint64_t storage = 0;
  bus_test::Violations violations;
  AxiStreamSample s;
  std::uint64_t ps = 0;
  AxiStreamChecker checker{pins(), "t_", violations};

  AxiStreamPins pins() {
    AxiStreamPins pins;
    pins.tdata = Pin(&storage, 0, 64);
    return pins;
  }
  AxiStreamCheckerTest() { s.data.fill(0); }
  void edge(bool valid, bool ready, bool last = true, std::uint64_t keep = 0xff) {
    s.valid = valid;
    s.ready = ready;
    s.last = last;
    s.keep = keep;
    checker.check(s, ps += 10'000);
  }
};

TEST_F(AxiStreamCheckerTest, RightTrafficBreaksNoRule) {
  edge(false, true);
  edge(true, false, false);
  edge(true, true, false);
  edge(true, true, true, 0x1f);
  s.reset = true;
  edge(true, true);  // a synchronous reset has not acted yet
  edge(false, true);
  s.reset = false;
  edge(false, true);
  edge(true, true);
  EXPECT_THAT(violations.told, IsEmpty());
  EXPECT_EQ(checker.unchecked().size(), 4U);
}

TEST_F(AxiStreamCheckerTest, ValidThatFallsAndPayloadThatChanges) {
  edge(true, false);
  edge(false, false);
  EXPECT_THAT(violations.told, ElementsAre("axi_stream.valid_stable t_tvalid"));
  violations.told.clear();
  edge(true, false);
  s.data[7] = 1;
  edge(true, true);
  EXPECT_THAT(violations.told, ElementsAre("axi_stream.payload_stable t_tdata"));
}

TEST_F(AxiStreamCheckerTest, ValidInResetAndAfterIt) {
  s.reset = true;
  edge(false, false);
  edge(true, false);
  s.reset = false;
  edge(true, true);
  EXPECT_THAT(violations.told,
              ElementsAre("axi_stream.reset t_tvalid", "axi_stream.reset t_tvalid"));
}

TEST_F(AxiStreamCheckerTest, KeepWithGaps) {
  edge(true, true, false, 0x7f);
  edge(true, true, true, 0x6f);
  edge(true, true, true, 0);
  EXPECT_THAT(violations.told, ElementsAre("axi_stream.keep t_tkeep", "axi_stream.keep t_tkeep",
                                           "axi_stream.keep t_tkeep"));
}

}  // namespace
}  // namespace longhaul::cosim
