// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/common/big_endian.h"
#include "tests/unit/models/nic/terminator/sge_fixture.h"
#include "tests/unit/models/toe/rig.h"

namespace longhaul::nic::terminator {

/// A Terminator's core whose driver offloads: messages as bytes, at the offsets of Linux 6.1
/// cxgb/cpl5_cmd.h. The far end's segments come from the core's line, and the chip's go there.
class CplFixture : public SgeFixture {
 public:
  using Names = std::vector<std::string>;
  static constexpr std::uint32_t kPeerIsn = 0x20000000;
  static constexpr std::uint32_t kAtid = 7;
  static constexpr std::uint32_t kStid = 3;
  // opt0h: L2T_IDX 5, SRC_MAC_SEL 1, WND_SCALE 2. opt0l: RCV_BUFSIZ 48 KiB.
  static constexpr std::uint32_t kOpt0h = 5U << 4 | 1U << 2 | 2U << 18;
  static constexpr std::uint32_t kOpt0l = 48U << 12;

  struct Message {
    std::uint32_t opcode = 0;
    std::uint32_t tid = 0;
    bool offload = false;
    ByteVector bytes;
    std::uint32_t word(std::uint32_t at) const { return read_be32(&bytes.at(at)); }
    std::uint32_t half(std::uint32_t at) const { return read_be16(&bytes.at(at)); }
  };

  CplFixture(pcix::PcixDevice& device, EthPort& port, TpPath& path)
      : SgeFixture(device, port, path) {
    open();
    write(regs::kTpMtuReg0, 1500);
    post(station());
    post(source_address());
    run_us(20);
    EXPECT_EQ(opcodes(messages()), (std::vector<std::uint32_t>{0xd4, 0xd5}));
  }

  // --- to the chip
  static ByteVector bytes_of(std::uint32_t opcode, std::uint32_t tid, std::uint32_t size) {
    ByteVector bytes(size);
    write_be32(bytes.data(), opcode << 24U | tid);
    return bytes;
  }
  static void put(ByteVector& bytes, std::uint32_t at, std::uint32_t value) {
    write_be32(&bytes.at(at), value);
  }
  /// CPL_L2T_WRITE_REQ: entry 5 is the far end, without a VLAN.
  static ByteVector station() {
    ByteVector bytes = bytes_of(0xc5, 0, 16);
    put(bytes, 4, 0xfffU << 11 | 5);
    std::copy(toe::rig::kThereMac.begin(), toe::rig::kThereMac.end(), bytes.begin() + 10);
    return bytes;
  }
  /// CPL_SMT_WRITE_REQ: entry 1.
  static ByteVector source_address() {
    ByteVector bytes = bytes_of(0xc8, 0, 24);
    bytes[5] = 1U << 4;
    std::copy(toe::rig::kHereMac.begin(), toe::rig::kHereMac.end(), bytes.begin() + 18);
    return bytes;
  }
  static ByteVector act_open() {
    ByteVector bytes = bytes_of(0x05, kAtid, 32);
    put(bytes, 4, std::uint32_t{toe::rig::kPort} << 16 | toe::rig::kOtherPort);
    std::copy(toe::rig::kHere.begin(), toe::rig::kHere.end(), bytes.begin() + 8);
    std::copy(toe::rig::kThere.begin(), toe::rig::kThere.end(), bytes.begin() + 12);
    put(bytes, 16, kOpt0h);
    put(bytes, 20, kOpt0l);
    return bytes;
  }
  static ByteVector pass_open(std::uint32_t policy) {
    ByteVector bytes = bytes_of(0x01, kStid, 32);
    put(bytes, 4, std::uint32_t{toe::rig::kPort} << 16);
    put(bytes, 16, kOpt0h);
    put(bytes, 20, kOpt0l);
    put(bytes, 28, policy << 19);
    return bytes;
  }
  /// CPL_TX_DATA's header.
  static ByteVector tx_data(std::uint32_t tid, std::uint32_t bytes) {
    ByteVector header = bytes_of(0xb1, tid, 16);
    put(header, 4, bytes);
    header[14] = 0x40;  // SHOVE
    return header;
  }
  static ByteVector pattern(std::uint64_t offset, std::uint32_t bytes) {
    ByteVector out(bytes);
    for (std::uint32_t i = 0; i < bytes; ++i) out[i] = toe::rig::pattern(5, offset + i);
    return out;
  }
  void post(const ByteVector& message, std::uint32_t queue = 0) { post_pieces({message}, queue); }
  void post_pieces(const std::vector<ByteVector>& pieces, std::uint32_t queue = 0) {
    queue_pieces(pieces, queue);
    ring(1U << queue);
  }
  void send_data(std::uint64_t offset, std::uint32_t bytes) {
    post_pieces({tx_data(0, bytes), pattern(offset, bytes)});
  }

  // --- from the chip
  /// What has come since the last call. Takes credits and buffers as a driver does.
  std::vector<Message> messages() {
    std::vector<Message> found;
    for (const Response& response : responses()) {
      if (!response.has_data()) continue;
      const std::uint32_t list = response.get(response::kFreelist);
      Message message;
      message.bytes = received(list, taken_.at(list)++, response.bytes);
      give(list);
      message.offload = response.get(response::kOffload) != 0;
      message.opcode = message.bytes[0];
      message.tid = message.word(0) & 0xffffff;
      found.push_back(std::move(message));
    }
    write(regs::kSgDoorbell,
          regs::kSgDoorbellFields.fl0_enable | regs::kSgDoorbellFields.fl1_enable);
    return found;
  }
  static std::vector<std::uint32_t> opcodes(const std::vector<Message>& messages) {
    std::vector<std::uint32_t> out;
    for (const Message& message : messages) out.push_back(message.opcode);
    return out;
  }

  // --- the wire
  /// The segments since the last call: flags, numbers relative to the ISNs, length.
  Names segments() {
    Names out;
    for (const ByteVector& bytes : sent_frames()) {
      const toe::Inbound in = toe::parse(*frame_of(bytes));
      if ((in.segment.flags & tcp::kSyn) != 0) isn_ = in.segment.seq;
      out.push_back(toe::rig::to_text(in.segment, isn_, kPeerIsn));
      last_frame = bytes;
    }
    return out;
  }
  void arrive(std::uint8_t flags, std::uint32_t seq, std::uint32_t ack, std::uint32_t length = 0) {
    ASSERT_TRUE(path_.take_received(segment(flags, seq, ack, length), sc_core::sc_time()));
  }
  FrameRef segment(std::uint8_t flags, std::uint32_t seq, std::uint32_t ack,
                   std::uint32_t length = 0) const {
    tcp::Segment made;
    made.flags = flags;
    made.seq = kPeerIsn + seq;
    made.ack = (flags & tcp::kAck) != 0 ? isn_ + ack : 0;
    made.window = 60000;
    made.offset = seq == 0 ? 0 : seq - 1;
    made.length = length;
    if ((flags & tcp::kSyn) != 0) made.options.mss = 1460;
    return toe::rig::frame_from(toe::rig::kEnds, made, 5);
  }
  /// Opens connection 0 actively. Nothing is left in messages() and segments().
  void connect() {
    post(act_open());
    run_us(20);
    EXPECT_EQ(segments(), Names{"S 0"});
    arrive(tcp::kSyn | tcp::kAck, 0, 1);
    run_us(20);
    EXPECT_EQ(segments(), Names{"A 1 ack 1"});
    EXPECT_EQ(opcodes(messages()), (std::vector<std::uint32_t>{0x06, 0x17}));
  }
  const toe::OffloadEngine& engine() const { return path_.offload()->engine(); }

  ByteVector last_frame;

 private:
  std::uint32_t isn_ = 0;
  std::array<std::uint32_t, 2> taken_{};
};

}  // namespace longhaul::nic::terminator
