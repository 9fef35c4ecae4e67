// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_params.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/common/param_json.h"
#include "models/common/split_mix.h"
#include "models/wan/gnet1/gnet1_regs.h"
#include "models/wan/gnet1/gnet1_time.h"

namespace longhaul::wan {
namespace {

constexpr Source kGnet1User{Evidence::kChosen, "models/wan/gnet1/README.md#models"};
constexpr Range<Probability> kShare{{0.0}, {1.0}};
constexpr std::size_t kPorts = 4;

const Range<sc_core::sc_time> kTimes{sc_core::SC_ZERO_TIME,
                                     from_ps(std::uint64_t{gnet1_regs::kDelayMask >> 5} * 100'000)};
const Range<sc_core::sc_time> kQueueTimes{sc_core::SC_ZERO_TIME,
                                          sc_core::sc_time(3, sc_core::SC_SEC)};

/// One name for each port: a Param keeps a pointer to static text.
using Names = std::array<const char*, kPorts>;
#define LONGHAUL_PORT_NAMES(stem) \
  Names { stem "_p0", stem "_p1", stem "_p2", stem "_p3" }

/// A cost in 1/256 of 4 ns, as WORD_COST and COST_FRACTION take it.
struct Cost {
  std::uint32_t time;
  std::uint32_t fraction;
};

Cost cost_of(double bytes, BitRate rate, const std::string& where) {
  constexpr double kPartsPerSecond = 256 * 250e6;
  const double parts =
      std::round(bytes * 8 / static_cast<double>(rate.bits_per_s) * kPartsPerSecond);
  const double most = 256.0 * (gnet1_regs::kWordCostMask >> 5) * Gnet1Time::kQuadsPerTenth;
  if (parts >= most) {
    throw ConfigError(fmt::format("{}: {} needs {:.3f} ms for {} bytes, wants less than 0.819 ms",
                                  where, to_text(rate), parts / kPartsPerSecond * 1e3, bytes));
  }
  const auto whole = static_cast<std::uint64_t>(parts);
  return {Gnet1Time::of_quads(whole / 256).word, static_cast<std::uint32_t>(whole % 256)};
}

std::uint32_t tenths_of(const sc_core::sc_time& time) {
  return static_cast<std::uint32_t>((to_ps(time) + 50'000) / 100'000);
}

/// Converts the error probability of each bit to a threshold of 2^32 for a word of 32 bits.
std::uint32_t threshold_of(Probability per_bit) {
  const double a_word = std::min(1.0, per_bit.share * 32);
  return static_cast<std::uint32_t>(std::min(std::round(a_word * 0x1p32), 0x1p32 - 1));
}

class Writes {
 public:
  explicit Writes(std::vector<Gnet1Write>& list) : list_(list) {}
  void global(std::uint32_t offset, std::uint32_t value) { list_.push_back({offset, value}); }
  void port(std::size_t port, std::uint32_t offset, std::uint32_t value) {
    list_.push_back({gnet1_regs::port_base(port) + offset, value});
  }

 private:
  std::vector<Gnet1Write>& list_;
};

/// Writes the settings of bottleneck, router queue and RED of a port. Returns their bits in
/// PORT_CTRL.
std::uint32_t write_bottleneck(Writes& writes, std::size_t port, const Gnet1PortParams& p,
                               const std::string& where) {
  if (p.rate().bits_per_s == 0) return 0;
  const std::string place = fmt::format("{}.{}", where, p.rate.name);
  // A cell is 53 bytes on the wire. With ATM, the registers hold the costs of a cell.
  const Cost word = cost_of(p.atm() ? 53 : 4, p.rate(), place);
  const Cost frame =
      cost_of(p.atm() ? 0 : static_cast<double>(p.frame_overhead().count), p.rate(), place);
  writes.port(port, gnet1_regs::kWordCost, word.time);
  writes.port(port, gnet1_regs::kFrameCost, frame.time);
  writes.port(port, gnet1_regs::kCostFraction,
              frame.fraction << gnet1_regs::kCostFractionFrameShift |
                  word.fraction << gnet1_regs::kCostFractionWordShift);
  writes.port(port, gnet1_regs::kBurst, Gnet1Time::of_ps(to_ps(p.burst())).word);
  writes.port(port, gnet1_regs::kQueueLimit, tenths_of(p.queue_limit()));
  std::uint32_t bits = gnet1_regs::kPortRate;
  if (p.atm()) {
    bits |= gnet1_regs::kPortAtm;
    writes.port(port, gnet1_regs::kAtmOverhead,
                static_cast<std::uint32_t>(p.frame_overhead().count));
  }
  const std::uint32_t least = tenths_of(p.red_min());
  const std::uint32_t most = tenths_of(p.red_max());
  if (most == 0) return bits;
  if (most <= least) {
    throw ConfigError(fmt::format("{}.{}: {} is not above {} ({})", where, p.red_max.name,
                                  to_text(p.red_max()), p.red_min.name, to_text(p.red_min())));
  }
  writes.port(port, gnet1_regs::kRedMin, least);
  writes.port(port, gnet1_regs::kRedMax, most);
  writes.port(port, gnet1_regs::kRedSlope,
              static_cast<std::uint32_t>(std::min(
                  std::round(p.red_probability().share * 0x1p32 / (most - least)), 0x1p32 - 1)));
  writes.port(port, gnet1_regs::kRedWeight, p.red_weight());
  return bits | gnet1_regs::kPortRed;
}

}  // namespace

Gnet1PortParams::Gnet1PortParams(std::size_t port)
    : delay{LONGHAUL_PORT_NAMES("delay")[port],
            sc_core::SC_ZERO_TIME,
            "from a frame's start in at this port to its start out at the partner port",
            {Evidence::kChosen, "Kodama et al. 2003, table 1: 0 to 100 ms"},
            kTimes},
      bit_error_rate{LONGHAUL_PORT_NAMES("bit_error_rate")[port],
                     {0},
                     "share of bits that are flipped; one in a word of 32 at most",
                     kGnet1User,
                     kShare},
      rate{LONGHAUL_PORT_NAMES("rate")[port],
           {0},
           "rate of a bottleneck ahead of the line; 0b/s is none",
           kGnet1User},
      frame_overhead{LONGHAUL_PORT_NAMES("frame_overhead")[port],
                     {0},
                     "bytes that a frame costs at the bottleneck beside its own",
                     kGnet1User,
                     Range<Bytes>{{0}, {47}}},
      burst{LONGHAUL_PORT_NAMES("burst")[port], sc_core::SC_ZERO_TIME,
            "time that an idle bottleneck saves up", kGnet1User, kTimes},
      queue_limit{LONGHAUL_PORT_NAMES("queue_limit")[port], sc_core::SC_ZERO_TIME,
                  "queueing time from which frames are dropped; 0s is 3.36 s", kGnet1User,
                  kQueueTimes},
      red_min{LONGHAUL_PORT_NAMES("red_min")[port], sc_core::SC_ZERO_TIME,
              "average queueing time from which RED drops", kGnet1User, kQueueTimes},
      red_max{LONGHAUL_PORT_NAMES("red_max")[port], sc_core::SC_ZERO_TIME,
              "average queueing time from which RED drops all; 0s turns RED off", kGnet1User,
              kQueueTimes},
      red_probability{LONGHAUL_PORT_NAMES("red_probability")[port],
                      {0.1},
                      "share that RED drops as the average comes to red_max",
                      kGnet1User,
                      kShare},
      red_weight{LONGHAUL_PORT_NAMES("red_weight")[port], 9,
                 "RED's average moves 2^-n of the way at each frame", kGnet1User,
                 Range<std::uint32_t>{0, 15}},
      atm{LONGHAUL_PORT_NAMES("atm")[port], false,
          "the bottleneck sends ATM cells of 53 bytes, 48 of them payload", kGnet1User},
      inter_frame_gap{LONGHAUL_PORT_NAMES("inter_frame_gap")[port],
                      12,
                      "gap between frames that leave at this port, bytes",
                      {Evidence::kStandard, "IEEE 802.3, 4A.4.2: interPacketGap 96 bits"},
                      Range<std::uint32_t>{gnet1_regs::kIfgLeast, gnet1_regs::kIfgMask}},
      partner_ppm{LONGHAUL_PORT_NAMES("partner_ppm")[port],
                  0.0,
                  "offset of the partner's clock at this port, ppm",
                  {Evidence::kStandard, "IEEE 802.3 clause 36: 125 MHz within 100 ppm"},
                  Range<double>{-100, 100}} {}
#undef LONGHAUL_PORT_NAMES

Gnet1Params gnet1_params_from(const nlohmann::json& json, const std::string& where,
                              std::uint64_t seed) {
  Gnet1Params params;
  params.seed.value = seed;
  configure(params, json, where);
  return params;
}

std::vector<Gnet1Write> gnet1_reset_writes(const Gnet1Params& params, const std::string& where) {
  std::vector<Gnet1Write> list;
  Writes writes(list);
  for (std::size_t port = 0; port < kPorts; ++port) {
    const Gnet1PortParams& p = params.ports[port];
    // The seed is mixed, so that ports differ and no seed has few ones.
    const std::uint64_t seed = split_mix(params.seed() + kSplitMixIncrement * port);
    writes.port(port, gnet1_regs::kSeedLow, static_cast<std::uint32_t>(seed));
    writes.port(port, gnet1_regs::kSeedHigh, static_cast<std::uint32_t>(seed >> 32));
    writes.port(port, gnet1_regs::kCapacity, params.memory_words());
    writes.port(port, gnet1_regs::kDelay, Gnet1Time::of_ps(to_ps(p.delay())).word);
    writes.port(port, gnet1_regs::kErrorThreshold, threshold_of(p.bit_error_rate()));
    writes.port(port, gnet1_regs::kIfg, p.inter_frame_gap());
    const std::uint32_t bottleneck = write_bottleneck(writes, port, p, where);
    writes.port(port, gnet1_regs::kPortCtrl, gnet1_regs::kPortRxEnable | bottleneck);
  }
  writes.global(gnet1_regs::kCtrl,
                gnet1_regs::kCtrlLearn | (params.switch_mode() ? gnet1_regs::kCtrlSwitch : 0));
  return list;
}

}  // namespace longhaul::wan
