// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/common/ring_buffer.h"
#include "models/nic/genesis/xmac.h"
#include "tests/unit/support/ethernet.h"
#include "tests/unit/times.h"

namespace longhaul::nic::genesis::testing {

using Words = std::vector<std::uint32_t>;
constexpr std::uint32_t kUnicastBit = 1U << 13;
constexpr std::uint32_t kPauseModes = 0x0206'0000;

/// An XMAC with a queue to send from and a receiver that takes frames or leaves them, and a station
/// at the far end of a fibre of no length.
class XmacFixture final : private FrameSource, private XmacReceiver {
 public:
  static constexpr std::uint64_t kNegotiationPs = 30 * kMs;
  static inline const MacAddress kGroup{0x01, 0x00, 0x5e, 0x00, 0x00, 0x01};
  static inline const MacAddress kMe{0x00, 0x00, 0x5a, 0x12, 0x34, 0x56};
  static inline const MacAddress kFar = test::station(9);
  // What skge sets.
  static constexpr std::uint32_t kMode = 0x4f80;
  static constexpr std::uint16_t kRxCmd = 0x0110;

  explicit XmacFixture(LinkPartner partner = LinkPartner::kAlike)
      : xmac("xmac", bank, mac, {units::KiB(8), 512, 1024, from_ps(kNegotiationPs), partner},
             [this] { ++changes; }) {
    link.connect(mac.port, far.port());
    far.mac.set_flow_control(true, true);
    xmac.attach(*this, *this, [this] { ++transmit_flushes; });
    run(kNs);
  }

  RegisterBank bank{0x4000};
  EthMac mac{"mac"};
  Xmac xmac;
  test::Station far{"far"};
  Link link{"link", test::cable_of_no_length("1000base-x")};
  int changes = 0;  ///< of the interrupt
  int transmit_flushes = 0;
  int receive_flushes = 0;
  bool takes = true;  ///< the receiver takes frames at once
  std::vector<Xmac::Received> received;

  static void run(std::uint64_t ps) { sc_core::sc_start(from_ps(ps)); }

  // ---- registers, as the driver reaches them
  void write(std::uint32_t x, std::uint32_t value) { bank.write(0x2000 + 2 * x, value, 0xffff); }
  std::uint32_t read(std::uint32_t x) { return bank.read(0x2000 + 2 * x); }
  void write32(std::uint32_t x, std::uint32_t value) {
    write(x, value & 0xffff);
    write(x + 2, value >> 16);
  }
  std::uint32_t read32(std::uint32_t x) { return read(x) | read(x + 2) << 16; }
  void write_address(std::uint32_t x, const MacAddress& address) {
    for (std::uint32_t i = 0; i < 3; ++i)
      write(x + 2 * i, address[2 * i] | address[2 * i + 1] << 8U);
  }
  std::uint16_t phy_read(std::uint32_t address) {
    write(xm::kPhyAddr, address);
    read(xm::kPhyData);
    return static_cast<std::uint16_t>(read(xm::kPhyData));
  }
  void phy_write(std::uint32_t address, std::uint32_t value) {
    write(xm::kPhyAddr, address);
    write(xm::kPhyData, value);
  }
  /// A counter, after a snapshot of all.
  std::uint32_t counter(std::uint32_t x) {
    write(xm::kStatCmd, 0x30);
    return read32(x);
  }

  /// What the driver writes before the link is there; negotiation has begun afterwards.
  void init(std::uint32_t mode = kMode, std::uint16_t rx_cmd = kRxCmd) {
    xmac.set_reset(false);
    run(kNs);
    write_address(xm::kSa, kMe);
    write(xm::kRxHiWm, 1450);
    write(xm::kRxCmd, rx_cmd);
    write(xm::kTxCmd, 1);
    write32(xm::kMode, mode);
  }
  /// Ready for frames.
  void up(std::uint32_t mode = kMode, std::uint16_t rx_cmd = kRxCmd) {
    init(mode, rx_cmd);
    run(kNegotiationPs);
    write(xm::kMmuCmd, 3);
  }

  // ---- frames
  static FrameRef frame(std::uint32_t octets, const MacAddress& to = kMe,
                        std::uint16_t type = 0x88b5) {
    FrameRef ref = test::make_frame(std::max(octets, 64U), to, kFar);
    write_be16(ref.writable().data() + 12, type);
    if (type == ethernet::kTypeVlan) write_be16(ref.writable().data() + 16, 0x88b5);
    ref.writable().resize(octets - Frame::kFcsBytes);
    return ref;
  }
  static FrameRef damaged(FrameRef frame) {
    frame.writable().flip_bit(8 * frame->size() - 3);
    return frame;
  }
  /// The frame comes in, past the sender's MAC, which would pad it; it is there when this returns.
  void arrive(FrameRef frame) {
    const std::uint64_t ps = (std::uint64_t{frame->octets()} + 20) * 8 * kNs;
    link.b_to_a.transmit(frame);
    run(ps);
  }
  /// The status words of all frames taken since the last call.
  std::vector<std::uint32_t> statuses() {
    std::vector<std::uint32_t> words;
    for (const Xmac::Received& item : received) words.push_back(item.status);
    received.clear();
    return words;
  }
  std::size_t taken() { return statuses().size(); }
  /// Hands a frame to the transmitter, through its FIFO.
  void send(FrameRef frame) {
    queue_.push_back(std::move(frame));
    xmac.kick_tx();
  }
  std::size_t queued() const { return queue_.size(); }

 private:
  std::uint64_t ready_ps() const override { return queue_.empty() ? kNoFrame : 0; }
  FrameRef take_frame() override { return queue_.pop_front(); }
  void frame_waits() override {
    if (takes) take();
  }
  void fifo_flushed() override { ++receive_flushes; }

  RingBuffer<FrameRef> queue_;

 public:
  void take() {
    received.push_back(xmac.rx_front());
    xmac.rx_pop();
  }
};

}  // namespace longhaul::nic::genesis::testing
