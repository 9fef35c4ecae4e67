// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/models/toe/rig.h"

#include <algorithm>
#include <utility>

namespace longhaul::toe::rig {
namespace {

struct Pattern final : tcp::PayloadSource {
  explicit Pattern(std::uint32_t number) : stream(number) {}
  void fill(std::uint64_t offset, std::uint8_t* out, std::uint32_t length) override {
    for (std::uint32_t i = 0; i < length; ++i) out[i] = pattern(stream, offset + i);
  }
  std::uint32_t stream;
};

std::string error_text(Error error) {
  return error == Error::kNone ? "" : std::string(" ") + toe::to_text(error);
}

struct Describe {
  std::string operator()(std::monostate) const { return "nothing"; }
  std::string operator()(const ActOpenReply& m) const {
    return "ActOpenReply atid " + std::to_string(m.atid) + " tid " + std::to_string(m.tid) +
           error_text(m.error);
  }
  std::string operator()(const Established& m) const {
    return std::string("Established ") + (m.active ? "active " : "passive ") +
           std::to_string(m.opener) + " tid " + std::to_string(m.tid) + " mss " +
           std::to_string(m.mss);
  }
  std::string operator()(const PassOpenReply& m) const {
    return "PassOpenReply stid " + std::to_string(m.stid) + error_text(m.error);
  }
  std::string operator()(const CloseServerReply& m) const {
    return "CloseServerReply stid " + std::to_string(m.stid) + error_text(m.error);
  }
  std::string operator()(const PassAcceptRequest& m) const {
    return "PassAcceptRequest stid " + std::to_string(m.stid) + " tid " + std::to_string(m.tid);
  }
  std::string operator()(const TxDataAck& m) const {
    return "TxDataAck tid " + std::to_string(m.tid) + " bytes " + std::to_string(m.bytes);
  }
  std::string operator()(const RxData& m) const {
    return "RxData tid " + std::to_string(m.tid) + " bytes " + std::to_string(m.bytes->size()) +
           (m.push ? " push" : "");
  }
  std::string operator()(const PeerClose& m) const {
    return "PeerClose tid " + std::to_string(m.tid);
  }
  std::string operator()(const CloseReply& m) const {
    return "CloseReply tid " + std::to_string(m.tid);
  }
  std::string operator()(const Aborted& m) const {
    return "Aborted tid " + std::to_string(m.tid) + error_text(m.error);
  }
  std::string operator()(const AbortReply& m) const {
    return "AbortReply tid " + std::to_string(m.tid) + error_text(m.error);
  }
  std::string operator()(const TakeReply& m) const {
    return "TakeReply atid " + std::to_string(m.atid) + " tid " + std::to_string(m.tid) +
           error_text(m.error);
  }
  std::string operator()(const Returned& m) const {
    return "Returned tid " + std::to_string(m.tid) + (m.taken ? "" : " not taken") +
           (m.context.timed_out ? " timed out" : "");
  }
  std::string operator()(const TcbReply& m) const {
    return "TcbReply tid " + std::to_string(m.tid) + error_text(m.error);
  }
  std::string operator()(const SetTcbReply& m) const {
    return "SetTcbReply tid " + std::to_string(m.tid) + error_text(m.error);
  }
  std::string operator()(const L2tReply& m) const {
    return "L2tReply " + std::to_string(m.index) + error_text(m.error);
  }
  std::string operator()(const SmtReply& m) const {
    return "SmtReply " + std::to_string(m.index) + error_text(m.error);
  }
  std::string operator()(const RxPacket& m) const {
    return "RxPacket bytes " + std::to_string(m.frame->size());
  }
};

}  // namespace

FrameRef piece(std::uint32_t stream, std::uint64_t offset, std::uint32_t length) {
  FrameRef bytes = Frame::allocate(length);
  Pattern(stream).fill(offset, bytes.writable().data(), length);
  return bytes;
}

FrameRef frame_from(const Ends& ends, const tcp::Segment& segment, std::uint32_t stream) {
  const NextStation here{kHereMac, false, 0};
  Envelope envelope;
  envelope.next = &here;
  envelope.source = &kThereMac;
  Pattern payload(stream);
  const Ends theirs{ends.peer, ends.local, ends.peer_port, ends.local_port};
  FrameRef frame = build(segment, theirs, envelope, payload, false);
  frame.writable().pad_to_minimum();
  return frame;
}

std::string to_text(const ToHost& message) { return std::visit(Describe{}, message); }

std::string to_text(const tcp::Segment& segment, std::uint32_t seq0, std::uint32_t ack0) {
  std::string text;
  constexpr std::pair<std::uint8_t, char> kLetters[] = {
      {tcp::kSyn, 'S'}, {tcp::kFin, 'F'}, {tcp::kRst, 'R'}, {tcp::kPsh, 'P'}, {tcp::kAck, 'A'}};
  for (const auto& [flag, letter] : kLetters)
    text += segment.has(flag) ? std::string(1, letter) : "";
  text += " " + std::to_string(segment.seq - seq0);
  if (segment.length > 0) text += "+" + std::to_string(segment.length);
  if (segment.has(tcp::kAck)) text += " ack " + std::to_string(segment.ack - ack0);
  return text;
}

ToeParams small_params() {
  ToeParams params;
  params.tcam_entries.value = 8;
  params.tcam_servers.value = 2;
  params.tcam_routes.value = 2;
  params.pm_size.value = units::MiB(8);
  params.watched.value = 1;
  params.ack_pages.value = 0;  // a message for each ACK, so that a test sees it
  return params;
}

EngineFixture::EngineFixture(const ToeParams& params, const tcp::TcpParams& tcp, const T1Params& t1)
    : engine("toe", params, tcp, t1, *this, *this) {
  peer_options.mss = 1460;
  write_tables();
}

bool EngineFixture::deliver(ToHost& message) {
  if (!host_takes) return false;
  if (const auto* const data = std::get_if<RxData>(&message)) {
    const std::uint8_t* const bytes = data->bytes->data();
    received.insert(received.end(), bytes, bytes + data->bytes->size());
    if (host_frees) engine.taken(*data);
    if (host_credits) engine.offer(HostQueue::kControl, RxCredits{data->tid, data->bytes->size()});
  }
  messages.push_back(message);
  message_ps.push_back(now_ps());
  return true;
}

void EngineFixture::frame_ready() {
  while (wire_takes && engine.ready_ps() <= now_ps()) {
    const FrameRef frame = engine.take_frame();
    frames.push_back({now_ps(), frame, parse(*frame)});
    if (frames.back().parsed.segment.has(tcp::kSyn)) isn = frames.back().parsed.segment.seq;
  }
}

std::vector<std::string> EngineFixture::news() {
  std::vector<std::string> lines;
  for (; told_ < messages.size(); ++told_) lines.push_back(rig::to_text(messages[told_]));
  return lines;
}

std::vector<std::string> EngineFixture::sent() {
  std::vector<std::string> lines;
  for (; shown_ < frames.size(); ++shown_)
    lines.push_back(rig::to_text(frames[shown_].parsed.segment, isn, kPeerIsn));
  return lines;
}

void EngineFixture::arrive(const tcp::Segment& segment, const Ends& ends) {
  engine.frame_received(frame_from(ends, segment));
}

void EngineFixture::arrive(std::uint8_t flags, std::uint32_t seq, std::uint32_t ack,
                           std::uint32_t length, const Ends& ends) {
  tcp::Segment segment;
  segment.flags = flags;
  segment.seq = kPeerIsn + seq;
  segment.ack = (flags & tcp::kAck) != 0 ? isn + ack : 0;
  segment.window = peer_window;
  segment.offset = seq == 0 ? 0 : seq - 1;
  segment.length = length;
  if ((flags & tcp::kSyn) != 0) segment.options = peer_options;
  arrive(segment, ends);
}

void EngineFixture::write_tables() {
  engine.set_mtu(0, 1500);
  engine.set_mtu(1, 576);
  EXPECT_TRUE(engine.offer(HostQueue::kData, L2tWrite{0, {kThereMac, false, 0}}));
  EXPECT_TRUE(engine.offer(HostQueue::kData, SmtWrite{0, kHereMac}));
}

void EngineFixture::open_actively(std::uint32_t window) {
  peer_window = static_cast<std::uint16_t>(window);
  offer(ActOpenRequest{7, kEnds, options});
  run(kMs);
  arrive(tcp::kSyn | tcp::kAck, 0, 1);
  run(kMs);
  ASSERT_EQ(news().back(), "Established active 7 tid 0 mss 1460");
  sent();
}

}  // namespace longhaul::toe::rig
