// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/unit/models/nic/genesis/genesis_rx_fixture.h"

namespace longhaul::nic::genesis {
namespace {

using longhaul::testing::ByteVector;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(GenesisRxTest, FrameThenStatusThenControlThenCause) {
  up();
  const std::size_t before = bus.seen.size();
  const std::uint64_t start = now_ps();
  receive(packet(60));
  // Eight quadwords and the status take nine clocks into the RAM. Then come 500 ns, eight clocks
  // for the frame, four for the descriptor, nine clocks out of the RAM, and three requests of 40
  // ns.
  constexpr std::uint64_t kCausePs = 169'412 + 500'000 + 150'588 + 75'294 + 169'412 + 120'000;
  run_ps(kCausePs - 1);
  EXPECT_EQ(rx.causes(), 0U);
  EXPECT_EQ(word(rx_at(0)), kRxControl | 1536);
  run_ps(1);
  EXPECT_EQ(rx.causes(), regs::kIsrcFields.r1_f);
  EXPECT_THAT(cause_ps, ElementsAre(start + kCausePs));
  EXPECT_EQ(word(rx_at(0)), (kRxControl & ~(1U << 31)) | 1U << 29 | 1U << 25 | 60);
  EXPECT_EQ(word(rx_at(0) + 4), rx_at(1));
  EXPECT_EQ(word(rx_at(0) + 8), kRxData);
  EXPECT_EQ(word(rx_at(0) + 16) >> 18, 60U);
  EXPECT_EQ(word(rx_at(0) + 16) & 2U, 0U);
  EXPECT_EQ(word(rx_at(0) + 20), 0U);
  EXPECT_EQ(word(rx_at(0) + 28), 0x5a5a'5a5aU);
  EXPECT_EQ(buffer(0, 60), packet(60));
  run_us(10);
  EXPECT_THAT(seen(before), ElementsAre("w 400002 60", "w 20010 12", "w 20000 4", "r 20020 32"));
  EXPECT_EQ(rx.frames.value(), 1U);
  EXPECT_EQ(rx.ram().fill.value(), 0U);
  write8(0x434, 2);
  EXPECT_EQ(rx.causes(), 0U);
}

TEST_F(GenesisRxTest, FramesWaitInTheRamForADescriptor) {
  up({.rx_given = 0});
  flood(3, 1000);
  run_us(20);
  EXPECT_EQ(read(0x820), 3U);
  EXPECT_EQ(read(0x824), 3U * 126);
  EXPECT_EQ(rx.engine().state.state(), Engine::kBlockedState);
  for (std::uint32_t i = 0; i < 3; ++i) give(i);
  write8(0x434, 0x10);
  run_us(20);
  EXPECT_EQ(rx.frames.value(), 3U);
  EXPECT_EQ(rx.engine().state.state(), Engine::kIdleState);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(buffer(i, 1000), packet(1000, i));
  EXPECT_EQ(read(0x820), 0U);
  EXPECT_EQ(read(0x824), 0U);
}

TEST_F(GenesisRxTest, FullRamBacksUpIntoTheXmacWhichThenDrops) {
  // 1000 bytes are 126 quadwords: eight frames in 1024 of them; 1004 bytes each in the XMAC's 8 KB:
  // eight more.
  up({.rx_quadwords = 1024, .rx_given = 0});
  flood(20, 1000);
  EXPECT_EQ(read(0x820), 8U);
  EXPECT_EQ(xmac.overflows.value(), 4U);
  for (std::uint32_t i = 0; i < 16; ++i) give(i);
  write8(0x434, 0x10);
  run_us(200);
  EXPECT_EQ(rx.frames.value(), 16U);
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(buffer(i, 1000), packet(1000, i)) << i;
  EXPECT_EQ(xmac.overflows.value(), 4U);
  EXPECT_FALSE(xmac.rx_waits());
}

TEST_F(GenesisRxTest, FrameOfSeveralBuffers) {
  up({.rx_buffer = 512});
  for (std::uint32_t i = 0; i < 3; ++i) put(rx_at(i), kRxControl | 1U << 28 | 512);
  // The first descriptor has been read before that.
  receive(packet(1200));
  run_us(20);
  constexpr std::uint32_t kRest = kRxControl & ~(3U << 30);
  EXPECT_EQ(word(rx_at(0)), kRest | 1U << 30 | 512);
  EXPECT_EQ(word(rx_at(0) + 16), 0x5a5a'5a5aU);
  EXPECT_EQ(word(rx_at(1)), kRest | 1U << 28 | 512);
  EXPECT_EQ(word(rx_at(2)), kRest | 1U << 29 | 1U << 28 | 1U << 25 | 176);
  EXPECT_EQ(word(rx_at(2) + 16) >> 18, 1200U);
  const ByteVector sent = packet(1200);
  EXPECT_EQ(buffer(0, 512), ByteVector(sent.begin(), sent.begin() + 512));
  EXPECT_EQ(buffer(1, 512), ByteVector(sent.begin() + 512, sent.begin() + 1024));
  EXPECT_EQ(buffer(2, 176), ByteVector(sent.begin() + 1024, sent.end()));
  EXPECT_EQ(rx.causes(), regs::kIsrcFields.r1_f | regs::kIsrcFields.r1_b);
  EXPECT_EQ(rx.frames.value(), 1U);
  EXPECT_EQ(rx.ram().fill.value(), 0U);
}

TEST_F(GenesisRxTest, BuffersOfNoBytesArePassedBy) {
  up({.rx_buffer = 0});
  give(0);
  for (std::uint32_t i = 2; i < 4; ++i) put(rx_at(i), kRxControl | 100);
  receive(packet(60));
  run_us(20);
  EXPECT_EQ(word(rx_at(1)) & 0xe000'ffff, 1U << 30);
  EXPECT_EQ(word(rx_at(2)) & 0xe000'ffff, 1U << 30 | 1U << 29 | 60);  // none of it was elsewhere
  EXPECT_EQ(buffer(2, 60), packet(60));
}

TEST_F(GenesisRxTest, LongFramesGoInPortionsOfTheWatermark) {
  up({.rx_buffer = 9014});
  const std::size_t before = bus.seen.size();
  const std::uint64_t start = now_ps();
  receive(packet(9014));
  run_us(100);
  EXPECT_THAT(seen(before), ElementsAre("w 400002 1536", "w 400602 1536", "w 400c02 1536",
                                        "w 401202 1536", "w 401802 1536", "w 401e02 1334",
                                        "w 20010 12", "w 20000 4", "r 20020 32"));
  EXPECT_EQ(buffer(0, 9014), packet(9014));
  // 1127 quadwords and the status in; the portions, 192 clocks each, follow each other without a
  // gap; the last one is 168.
  constexpr std::uint64_t kIn = 21'232'941 + 500'000 + 150'588 + 75'294;
  constexpr std::uint64_t kOut = 5 * 3'614'118 + 3'162'353;
  EXPECT_THAT(cause_ps, ElementsAre(start + kIn + kOut + 120'000));
}

TEST_F(GenesisRxTest, NoMoreThanTwoPortionsAreUnderWay) {
  up({.rx_buffer = 9014, .watermark = 512});
  bus.request_delay = sc_core::sc_time(5, sc_core::SC_US);
  const std::uint64_t start = now_ps();
  receive(packet(2000));
  // 251 clocks in. The bus takes 5 us a portion, the RAM 64 clocks: the bus is never without one.
  constexpr std::uint64_t kFirst =
      251 * 18'823'529ULL / 1000 + 500'000 + 150'588 + 75'294 + 1'204'706;
  run_ps(kFirst + 4'900'000);
  EXPECT_EQ(port.moved.value(), 8U * 251 + 2 * 512);
  run_us(100);
  ASSERT_EQ(cause_ps.size(), 1U);
  EXPECT_NEAR(static_cast<double>(cause_ps[0]), static_cast<double>(start + kFirst + 6 * 5'000'000),
              2.0);  // rounding
}

TEST_F(GenesisRxTest, LineRateLosesNothing) {
  up();
  for (std::uint32_t i = 0; i < 640; ++i) {
    receive(packet(1514, i % 64));
    run_ps(kFramePs);
    give(i % 64);  // as fast as the chip gives them back
    write8(0x434, 0x10);
  }
  run_us(30);
  EXPECT_EQ(rx.frames.value(), 640U);
  EXPECT_EQ(xmac.overflows.value(), 0U);
  EXPECT_LE(rx.ram().fill.highest(), 2U * 191);
}

TEST_F(GenesisRxTest, PauseRequestFollowsTheThresholdsIfTheMacFifoLetsIt) {
  up({.rx_given = 0});
  write(0x810, 500);
  write(0x814, 200);
  xm32(xm::kMode, 0x4f80 | xm::kModeHighFields.spoe_e << 16U);
  xm16(xm::kMacPtime, 0xffff);
  flood(4, 1000);  // 126 quadwords each
  run_us(10);
  EXPECT_EQ(mac.tx_xoff.value(), 0U);
  write16(0xc18, 0x80);
  run_us(10);
  EXPECT_EQ(mac.tx_xoff.value(), 1U);
  for (std::uint32_t i = 0; i < 4; ++i) give(i);
  write8(0x434, 0x10);
  run_us(20);
  EXPECT_EQ(mac.tx_xon.value(), 1U);
  EXPECT_EQ(mac.tx_xoff.value(), 1U);
}

TEST_F(GenesisRxTest, ZerosAtTheEndOfAFrameAreNotStored) {
  up();
  ByteVector bytes = packet(1514);
  std::fill(bytes.begin() + 300, bytes.end(), std::uint8_t{0});
  FrameRef frame = Frame::allocate(1514);
  std::fill_n(frame.writable().data(), 1514, std::uint8_t{0xdd});
  std::copy_n(bytes.begin(), 300, frame.writable().data());
  frame.writable().leave_blank(300);
  std::fill_n(bus.memory.begin() + kRxData, 1514, std::uint8_t{0xee});
  receive(frame);
  run_us(20);
  EXPECT_EQ(frame->stored(), 300U);
  EXPECT_EQ(buffer(0, 1514), bytes);
}

struct Tapped final : observe::FrameListener {
  std::vector<std::pair<std::uint64_t, observe::FrameFate>> seen;
  void on_frame(const sc_core::sc_time& at, const FrameRef&, observe::FrameFate fate,
                const char*) override {
    seen.emplace_back(to_ps(at), fate);
  }
};

TEST_F(GenesisRxTest, TapTellsWhenTheFirstBitWasOnTheWire) {
  up({.rx_quadwords = 256, .rx_given = 0});
  run_us(10);
  Tapped tapped;
  rx.taps.listen(&tapped);
  std::vector<std::pair<std::uint64_t, observe::FrameFate>> wanted;
  for (int i = 0; i < 3; ++i) {  // the third one waits in the XMAC's FIFO
    receive(packet(1000));
    wanted.emplace_back(now_ps() - (1000 + 4 + 8) * 8'000, observe::FrameFate::kReceived);
    run_ps((1000 + 24) * 8'000);
  }
  EXPECT_EQ(tapped.seen.size(), 2U);
  for (std::uint32_t i = 0; i < 3; ++i) give(i);
  write8(0x434, 0x10);
  run_us(50);
  EXPECT_EQ(tapped.seen, wanted);
}

TEST_F(GenesisRxTest, BuffersMayLieAboveFourGigabytes) {
  up({.rx_given = 0});
  bus.hole_response = tlm::TLM_OK_RESPONSE;
  put(rx_at(0) + 12, 0x3);
  give(0);
  write8(0x434, 0x10);
  receive(packet(500));
  run_us(20);
  EXPECT_EQ(bus.seen[bus.seen.size() - 4].address, 0x3'0040'0002ULL);
  EXPECT_EQ(rx.causes(), regs::kIsrcFields.r1_f);
}

TEST_F(GenesisRxTest, ChipResetForgetsEverything) {
  up();
  flood(2, 1500);
  receive(packet(1500));
  run_us(1);
  dma.abandon_all();
  bank.reset();
  rx.reset();
  tx.reset();
  cause_ps.clear();
  const std::size_t before = bus.seen.size();
  run_us(100);
  EXPECT_THAT(seen(before), IsEmpty());
  EXPECT_THAT(cause_ps, IsEmpty());
  EXPECT_FALSE(wire.lit);
  up();
  receive(packet(300));
  run_us(20);
  EXPECT_EQ(buffer(0, 300), packet(300));
  EXPECT_EQ(rx.ram().fill.value(), 0U);
}

}  // namespace
}  // namespace longhaul::nic::genesis
