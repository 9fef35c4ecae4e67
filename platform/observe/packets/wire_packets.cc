// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/wire_packets.h"

#include "models/common/units.h"
#include "platform/observe/tcp_segment.h"

namespace longhaul::observe {

void PacketTexts::tell(const Frame& frame) {
  if (told_.size() >= kMost) told_.clear();
  if (told_.insert(frame.id()).second) book_.tell(frame.id(), describe_frame(frame, origins_));
}

WirePackets::WirePackets(FrameTap& tap, std::uint64_t bits_per_s, std::uint64_t propagation_ps,
                         Ends ends, PacketBook& book, PacketTexts& texts, std::uint16_t place)
    : tap_(tap),
      bits_per_s_(bits_per_s),
      propagation_ps_(propagation_ps),
      ends_(ends),
      book_(book),
      texts_(texts),
      place_(place) {
  tap_.listen(this);
}

void WirePackets::on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                           const char* why) {
  if (fate == FrameFate::kDropped) return;
  const std::uint64_t first_ps = to_ps(at);
  const std::uint64_t last_ps = first_ps + transfer_ps(frame->octets(), {bits_per_s_});
  texts_.tell(*frame);
  if (ends_.near != nullptr) ends_.near->frame_leaves(*frame, first_ps);
  PacketStage stage{frame->id(), first_ps, last_ps,      0,           frame->octets(),
                    0,           place_,   Stage::kWire, Fault::kNone};
  if (!frame->fcs_matches()) stage.fault = Fault::kFcs;
  book_.tell(stage);
  if (ends_.far != nullptr) ends_.far->frame_comes(*frame, last_ps + propagation_ps_);
}

LostPackets::LostPackets(LossWatch& watch, PacketBook& book, PacketTexts& texts)
    : watch_(watch), book_(book), texts_(texts) {
  watch_.listen(this);
}

void LostPackets::on_loss(const Loss& loss) {
  const std::string name = loss.place + ": " + loss.why;
  const auto known = places_.find(name);
  const std::uint16_t place = known == places_.end()
                                  ? places_.emplace(name, book_.add_place(name)).first->second
                                  : known->second;
  texts_.tell(*loss.frame);
  book_.tell({loss.frame->id(), loss.ps, loss.ps, 0, loss.frame->octets(), 0, place, Stage::kLost,
              Fault::kNone});
}

}  // namespace longhaul::observe
