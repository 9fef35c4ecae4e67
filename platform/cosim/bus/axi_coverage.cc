// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_coverage.h"

namespace longhaul::cosim {
namespace {

struct Length {
  const char* name;
  std::uint32_t most;  // beats
};
constexpr std::array<Length, 6> kLengthBins = {{{"1 beat", 1},
                                                {"2 beats", 2},
                                                {"3 to 4 beats", 4},
                                                {"5 to 16 beats", 16},
                                                {"17 to 64 beats", 64},
                                                {"65 to 256 beats", 256}}};
constexpr std::array<const char*, 4> kResponses = {"OKAY", "EXOKAY", "SLVERR", "DECERR"};

}  // namespace

AxiCoverage::AxiCoverage(const AxiPins& pins)
    : pins_(pins), bus_bytes_(pins.bus_bytes()), handshakes_(pins) {
  static_assert(kLengthBins.size() == kLengths);
}

void AxiCoverage::sample() {
  sample_.take(handshakes_, pins_);
  if (sample_.still) return;
  if (sample_.reset) {
    for (Channel* channel : {&aw_, &w_, &b_, &ar_, &r_}) channel->taken = false;
    return;
  }
  take_channel(aw_, kAxiAw);
  take_channel(w_, kAxiW);
  take_channel(b_, kAxiB);
  take_channel(ar_, kAxiAr);
  take_channel(r_, kAxiR);
  const AxiChannels taken = sample_.taken();
  if ((taken & kAxiAw) != 0) take_burst(writes_, sample_.aw);
  if ((taken & kAxiAr) != 0) take_burst(reads_, sample_.ar);
  if ((taken & kAxiW) != 0) take_beat(sample_.w);
  if ((taken & kAxiB) != 0) ++writes_.responses[static_cast<std::size_t>(sample_.b.resp)];
  if ((taken & kAxiR) != 0) ++reads_.responses[static_cast<std::size_t>(sample_.r.resp)];
}

void AxiCoverage::take_channel(Channel& channel, AxiChannel name) {
  if ((sample_.held() & name) != 0) ++channel.stalled;
  const bool taken = (sample_.taken() & name) != 0;
  if (taken && channel.taken) ++channel.back_to_back;
  channel.taken = taken;
}

void AxiCoverage::take_burst(Way& way, const AxiBurst& burst) const {
  std::size_t bin = 0;
  while (burst.beats > kLengthBins[bin].most) ++bin;
  ++way.lengths[bin];
  ++(burst.addr % bus_bytes_ == 0 ? way.aligned : way.unaligned);
}

void AxiCoverage::take_beat(const AxiSample::Write& beat) {
  const std::uint64_t all = low_bits(bus_bytes_);
  ++(beat.strb == all ? full_beats_ : beat.strb == 0 ? empty_beats_ : partial_beats_);
}

AxiCoverage::Bins AxiCoverage::bins() const {
  Bins bins;
  const auto of_burst = [&](const std::string& name, const AxiAddressPins& pins, const Way& way,
                            bool responds) {
    if (!pins.valid) return;
    for (std::size_t i = 0; i < kLengths && pins.len; ++i)
      bins.emplace_back(name + " of " + kLengthBins[i].name, way.lengths[i]);
    bins.emplace_back(name + " from a word's begin on", way.aligned);
    bins.emplace_back(name + " from within a word on", way.unaligned);
    for (std::size_t i = 0; i < kResponses.size() && responds; ++i) {
      if (static_cast<AxiResponse>(i) == AxiResponse::kExOkay && !pins.lock) continue;
      bins.emplace_back(name + " answered " + kResponses[i], way.responses[i]);
    }
  };
  of_burst("write", pins_.aw, writes_, static_cast<bool>(pins_.b.resp));
  if (pins_.w.strb) {
    bins.emplace_back("beat with all bytes", full_beats_);
    bins.emplace_back("beat with some bytes", partial_beats_);
    bins.emplace_back("beat without a byte", empty_beats_);
  }
  of_burst("read", pins_.ar, reads_, static_cast<bool>(pins_.r.resp));
  const auto of_channel = [&](const std::string& name, const Channel& channel, const Pin& valid,
                              const Pin& ready) {
    if (!valid) return;
    if (ready) bins.emplace_back(name + " waits for READY", channel.stalled);
    bins.emplace_back(name + " back to back", channel.back_to_back);
  };
  of_channel("AW", aw_, pins_.aw.valid, pins_.aw.ready);
  of_channel("W", w_, pins_.w.valid, pins_.w.ready);
  of_channel("B", b_, pins_.b.valid, pins_.b.ready);
  of_channel("AR", ar_, pins_.ar.valid, pins_.ar.ready);
  of_channel("R", r_, pins_.r.valid, pins_.r.ready);
  return bins;
}

}  // namespace longhaul::cosim
