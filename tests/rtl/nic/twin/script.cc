// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/nic/twin/script.h"

#include <algorithm>

#include "models/nic/blocks/little_endian.h"
#include "models/nic/ixgb/regs.h"
#include "tests/unit/times.h"

namespace longhaul::nic_twin {
namespace {

namespace regs = nic::ixgb::regs;

constexpr std::uint32_t kDescriptor = 16;
constexpr std::uint64_t kMostTimerUnits = 40;  // of 819.2 ns
constexpr std::uint64_t kMostQuanta = 600;     // of 51.2 ns
constexpr std::uint64_t kRest = 80 * kUs;      // longer than any timer and any pause
constexpr std::uint32_t kEepromPins =
    regs::kEecdFields.sk | regs::kEecdFields.cs | regs::kEecdFields.di;
constexpr MacAddress kOwn{0x00, 0x07, 0xe9, 0, 0, 1};

std::uint32_t low_of(const MacAddress& a) { return nic::read_le32(a.data()); }
std::uint32_t high_of(const MacAddress& a) {
  return nic::read_le16(a.data() + 4) | regs::kRahFields.av;
}

}  // namespace

Script::Script(std::uint64_t seed, const RegisterBank& registers)
    : random_(seed), registers_(registers) {}

Phase Script::next(std::uint32_t rx_head) {
  if (!must_reset_) {
    given_ = (rx_.next + rx_.entries - rx_head) % rx_.entries;
    if (given_ != 0) waiting_ = false;
  }
  ++phases_;
  return phases_ == 1 || random_.one_in(12) ? registers() : traffic();
}

/// Accesses of 1, 2 and 4 bytes to any register, both units off.
Phase Script::registers() {
  Phase phase;
  phase.name = "registers";
  phase.reset = true;
  phase.rest_ps = 200 * kUs;
  phase.setup_ps = 900 * kUs;
  const std::vector<const Reg32*> all = registers_.registers();
  for (int i = 0; i < 150; ++i) {
    const std::uint32_t reg = random_.one_in(8)
                                  ? static_cast<std::uint32_t>(4 * random_.below(0x8000))
                                  : all[random_.below(all.size())]->offset();
    std::uint32_t value = random_.word();
    if (reg == regs::kRctl) value &= ~std::uint32_t{regs::kRctlFields.en};
    if (reg == regs::kTctl) value &= ~std::uint32_t{regs::kTctlFields.en};
    if (reg == regs::kCtrl0) value &= ~(regs::kCtrl0Fields.rst | regs::kCtrl0Fields.lrst);
    if (reg == regs::kCtrl1) value &= ~std::uint32_t{regs::kCtrl1Fields.ee_rst};
    if (reg == regs::kEecd) value &= ~kEepromPins;  // a protocol, which board() keeps
    if (reg == regs::kMsca) value &= ~std::uint32_t{regs::kMscaFields.mdi_command};
    const std::uint32_t bytes = random_.one_of({4U, 4U, 2U, 1U});
    const auto lane = static_cast<std::uint32_t>(bytes * random_.below(4 / bytes));
    phase.setup.push_back({random_.coin(), reg + lane, value >> (8 * lane), bytes, 0, 0});
  }
  board(phase);
  must_reset_ = true;
  return phase;
}

/// A word of the EEPROM bit by bit, an access of the optics, and the address read again.
void Script::board(Phase& phase) {
  const auto pins = [&phase](std::uint32_t value) {
    phase.setup.push_back({false, regs::kEecd, value, 4, 0, 2 * kUs});
  };
  const std::uint32_t command = 6U << 6 | static_cast<std::uint32_t>(random_.below(64));
  pins(0);
  pins(regs::kEecdFields.cs);
  for (int bit = 8; bit >= 0; --bit) {
    const std::uint32_t data =
        regs::kEecdFields.cs |
        ((command >> bit & 1U) != 0 ? std::uint32_t{regs::kEecdFields.di} : 0U);
    pins(data);
    pins(data | regs::kEecdFields.sk);
    pins(data);
  }
  pins(regs::kEecdFields.cs);
  for (int bit = 0; bit < 16; ++bit) {
    pins(regs::kEecdFields.cs | regs::kEecdFields.sk);
    phase.setup.push_back({true, regs::kEecd, 0, 4, 0, 0});
    pins(regs::kEecdFields.cs);
  }
  pins(0);
  const std::uint32_t device = random_.one_of({1U, 3U, 4U, 7U}) << 16;
  const auto place = static_cast<std::uint32_t>(random_.below(16));
  for (const std::uint32_t op : {0U, 2U}) {
    phase.setup.push_back(
        {false, regs::kMsca,
         place | device | regs::kMscaFields.op_code.put(op) | regs::kMscaFields.mdi_command, 4, 0,
         100 * kUs});
    phase.setup.push_back({true, regs::kMsca, 0, 4, 0, 0});
    phase.setup.push_back({true, regs::kMsrwd, 0, 4, 0, 0});
  }
  if (random_.coin()) phase.setup.push_back(write_of(regs::kCtrl1, regs::kCtrl1Fields.ee_rst));
}

void Script::reset(Phase& phase) {
  phase.reset = true;
  must_reset_ = false;
  waiting_ = false;
  given_ = 0;
  std::uint32_t ctrl0 = random_.word() & 0x03fc0000;
  for (const std::uint32_t bit :
       {std::uint32_t{regs::kCtrl0Fields.vme}, std::uint32_t{regs::kCtrl0Fields.jfe},
        std::uint32_t{regs::kCtrl0Fields.tpe}, std::uint32_t{regs::kCtrl0Fields.rpe}})
    if (random_.coin()) ctrl0 |= bit;
  if (random_.one_in(8)) ctrl0 |= regs::kCtrl0Fields.cmdc;
  const auto mfs = static_cast<std::uint32_t>(
      random_.one_of<std::uint64_t>({1518, 9018, 16128, random_.within(64, 16128)}));
  limit_ = (ctrl0 & regs::kCtrl0Fields.jfe) != 0 ? mfs : 1518;
  phase.setup.push_back(write_of(regs::kCtrl0, ctrl0));
  phase.setup.push_back(write_of(regs::kMfs, mfs << 16 | (random_.word() & 0xffff)));
  filters(phase);
  rings(phase);
}

void Script::filters(Phase& phase) {
  exact_ = {kOwn};
  for (int entry = random_.coin() ? 1 : 16; entry < 16;
       entry += static_cast<int>(random_.within(1, 6))) {
    MacAddress address;
    for (std::uint8_t& byte : address) byte = static_cast<std::uint8_t>(random_.below(256));
    exact_.push_back(address);
    const std::uint32_t at = 8 * static_cast<std::uint32_t>(entry);
    std::uint32_t high = high_of(address);
    if (random_.one_in(3)) high |= std::uint32_t{regs::kRahFields.asel.put(1)};
    if (random_.one_in(6)) high &= ~std::uint32_t{regs::kRahFields.av};
    phase.setup.push_back(write_of(regs::kRal + at, low_of(address)));
    phase.setup.push_back(write_of(regs::kRah + at, high));
  }
  for (const std::uint32_t table : {regs::kMta, regs::kVfta}) {
    for (std::uint64_t words = random_.below(60); words > 0; --words) {
      phase.setup.push_back(write_of(table + 4 * static_cast<std::uint32_t>(random_.below(128)),
                                     random_.word() | random_.word()));
    }
  }
}

void Script::rings(Phase& phase) {
  const auto entries = [this] {
    return static_cast<std::uint32_t>(8 * random_.within(1, random_.coin() ? 4 : 64));
  };
  const auto head = [this](std::uint32_t of) {
    return random_.coin() ? 0U : static_cast<std::uint32_t>(random_.below(of));
  };
  tx_ = {kTxRing + 16 * random_.below(1024), entries(), 0};
  rx_ = {kRxRing + 16 * random_.below(1024), entries(), 0};
  tx_.next = head(tx_.entries);
  rx_.next = head(rx_.entries);
  rx_place_ = kRxData + random_.below(4096);
  for (const Access& each : {
           write_of(regs::kTdbal, static_cast<std::uint32_t>(tx_.base)),
           write_of(regs::kTdbah, 0),
           write_of(regs::kTdlen, tx_.entries * kDescriptor),
           write_of(regs::kTdh, tx_.next),
           write_of(regs::kTdt, tx_.next),
           write_of(regs::kRdbal, static_cast<std::uint32_t>(rx_.base)),
           write_of(regs::kRdbah, 0),
           write_of(regs::kRdlen, rx_.entries * kDescriptor),
           write_of(regs::kRdh, rx_.next),
           write_of(regs::kRdt, rx_.next),
       })
    phase.setup.push_back(each);
}

/// Settings that may change at rest.
void Script::modes(Phase& phase) {
  const auto maybe = [this](std::uint32_t bit, std::uint64_t times) {
    return random_.one_in(times) ? bit : 0U;
  };
  const auto timer = [this] {
    return random_.one_in(3) ? 0U : static_cast<std::uint32_t>(random_.within(1, kMostTimerUnits));
  };
  const auto size = static_cast<std::uint32_t>(random_.below(4));
  buffer_ = 2048U << size;
  phase.buffer = buffer_;
  rctl_ = regs::kRctlFields.en | regs::kRctlFields.bsize.put(size) |
          maybe(regs::kRctlFields.sbp, 3) | maybe(regs::kRctlFields.upe, 4) |
          maybe(regs::kRctlFields.mpe, 4) | maybe(regs::kRctlFields.bam, 2) |
          maybe(regs::kRctlFields.vfe, 3) | maybe(regs::kRctlFields.cfien, 4) |
          maybe(regs::kRctlFields.cfi, 2) | maybe(regs::kRctlFields.cff, 2) |
          maybe(regs::kRctlFields.secrc, 2) |
          regs::kRctlFields.rdmts.put(static_cast<std::uint32_t>(random_.below(4))) |
          regs::kRctlFields.mo.put(static_cast<std::uint32_t>(random_.below(4)));
  phase.setup.push_back(write_of(
      regs::kRxcsum, maybe(regs::kRxcsumFields.ipofl, 2) | maybe(regs::kRxcsumFields.tuofl, 2)));
  phase.setup.push_back(write_of(regs::kRdtr, timer()));
  phase.setup.push_back(write_of(regs::kTidv, timer()));
  std::uint32_t raidc = 0;
  if (random_.one_in(3)) {
    raidc = regs::kRaidcFields.en | maybe(regs::kRaidcFields.rxt_gate, 2) |
            regs::kRaidcFields.highthrs.put(static_cast<std::uint32_t>(random_.below(64))) |
            regs::kRaidcFields.delay.put(timer()) | regs::kRaidcFields.poll.put(timer());
  }
  phase.setup.push_back(write_of(regs::kRaidc, raidc));
  phase.setup.push_back(write_of(
      regs::kTspmt,
      random_.coin() ? regs::kTspmt.reset : static_cast<std::uint32_t>(random_.below(8192)) << 16));
  phase.setup.push_back(write_of(regs::kImc, ~0U));
  phase.setup.push_back(write_of(regs::kIms, random_.word() & random_.one_of({0xffffU, 0x95U})));
  thresholds(phase);
}

void Script::thresholds(Phase& phase) {
  const auto threshold = [this](std::uint64_t most) {
    return random_.coin() ? 0U : static_cast<std::uint32_t>(random_.below(most));
  };
  phase.setup.push_back(
      write_of(regs::kRxdctl, regs::kRxdctlFields.pthresh.put(threshold(300)) |
                                  regs::kRxdctlFields.hthresh.put(threshold(40)) |
                                  regs::kRxdctlFields.wthresh.put(threshold(20))));
  phase.setup.push_back(
      write_of(regs::kTxdctl, regs::kTxdctlFields.pthresh.put(threshold(100)) |
                                  regs::kTxdctlFields.hthresh.put(threshold(40)) |
                                  regs::kTxdctlFields.wthresh.put(threshold(20))));
  phase.closing.push_back(write_of(regs::kRxdctl, 0));
  phase.closing.push_back(write_of(regs::kTxdctl, 0));
  if (waiting_) return;  // marks change while no frame waits
  const auto high = static_cast<std::uint32_t>(random_.below(0x40000));
  const auto low = static_cast<std::uint32_t>(random_.below(0x40000));
  const std::uint32_t xon = random_.coin() ? std::uint32_t{regs::kFcrtlFields.xone} : 0U;
  const bool pauses = floods_ && !random_.one_in(4);
  phase.setup.push_back(write_of(regs::kFcrtl, low | xon));
  phase.setup.push_back(write_of(regs::kFcrth, pauses ? high : 0));
  // XOFF comes again after half of its time, which is longer than a phase.
  phase.setup.push_back(
      write_of(regs::kPap, 0xffff - static_cast<std::uint32_t>(random_.below(2048))));
}

Phase Script::traffic() {
  Phase phase;
  phase.name = "traffic";
  phase.rest_ps = kRest;
  phase.handler = random_.one_in(4);
  if (random_.coin()) phase.pace = {random_.within(40, 2000) * kNs, random_.within(8, 150) * kNs};
  if (must_reset_ || random_.one_in(3)) reset(phase);
  floods_ = !waiting_ && given_ == 0 && random_.one_in(5);
  modes(phase);
  phase.setup.push_back(write_of(regs::kTctl, regs::kTctlFields.en));
  if (waiting_) {
    phase.name = "waiting frames";
    phase.setup.push_back(write_of(regs::kRctl, rctl_));
    give(phase, most_given());
  } else if (floods_) {
    flood(phase);
  } else if (random_.one_in(10)) {
    phase.name = "dark";
    phase.dark = true;
    phase.setup.push_back(write_of(regs::kRctl, rctl_));
  } else {
    receive(phase);
  }
  if (!phase.alone && !random_.one_in(4)) transmit(phase);
  if (random_.one_in(8)) cut(phase);
  std::stable_sort(phase.actions.begin(), phase.actions.end(),
                   [](const Access& a, const Access& b) { return a.at_ps < b.at_ps; });
  return phase;
}

void Script::transmit(Phase& phase) {
  TxPlan plan(random_, kTxData, kTxEnd);
  plan.draw(static_cast<std::uint32_t>(random_.within(1, 25)), tx_.entries - 1);
  phase.stores.insert(phase.stores.end(), plan.stores.begin(), plan.stores.end());
  const auto count = static_cast<std::uint32_t>(plan.descriptors.size());
  std::uint64_t at_ps = random_.below(3 * kUs);
  phase.alone = phase.frames.empty() && phase.name == "traffic" && random_.coin();
  if (phase.alone) phase.pace = {};
  for (std::uint32_t done = 0, packet = 0; done < count; ++packet) {
    const auto batch =
        static_cast<std::uint32_t>(phase.alone      ? plan.ends[packet] - done
                                   : random_.coin() ? count - done
                                                    : random_.within(1, count - done));
    for (std::uint32_t i = 0; i < batch; ++i) {
      const TxPlan::Descriptor& each = plan.descriptors[done + i];
      phase.stores.push_back(
          {tx_.base + kDescriptor * std::uint64_t{tx_.next}, {each.begin(), each.end()}});
      tx_.next = (tx_.next + 1) % tx_.entries;
    }
    done += batch;
    phase.actions.push_back({false, regs::kTdt, tx_.next, 4, at_ps, 0});
    at_ps += phase.alone ? random_.within(60, 70) * kUs : random_.below(8 * kUs);
  }
  if (!phase.alone && random_.one_in(5)) {  // stop and go
    phase.actions.push_back({false, regs::kTctl, 0, 4, random_.below(20 * kUs), 0});
    phase.actions.push_back({false, regs::kTctl, regs::kTctlFields.en, 4, 25 * kUs, 0});
  }
}

/// Frames, and descriptors for all of them. Or few descriptors, and frames that are far apart.
void Script::receive(Phase& phase) {
  phase.setup.push_back(write_of(regs::kRctl, rctl_));
  const bool spaced = random_.one_in(4);
  const std::uint32_t each = buffers_of_a_frame();
  std::uint64_t frames = random_.within(0, 30);
  if (spaced) {
    phase.name = "frames far apart";
    phase.alone = random_.coin();
    phase.pace = {};
    frames = random_.within(1, 8);
    if (random_.coin()) give(phase, static_cast<std::uint32_t>(random_.below(most_given() + 1)));
  } else {
    frames = std::min<std::uint64_t>(frames, (rx_.entries - 1) / each);
    const auto need = static_cast<std::uint32_t>(frames * each);
    if (need > given_) give(phase, need - given_);
  }
  RxPlan plan(random_, limit_, exact_);
  std::uint64_t at_ps = random_.below(5 * kUs);
  for (; frames > 0; --frames) {
    LineFrame frame = !spaced && random_.one_in(12)
                          ? plan.pause(static_cast<std::uint32_t>(random_.below(kMostQuanta)))
                          : plan.any();
    frame.from_ps = at_ps;
    if (spaced) at_ps += random_.within(60, 70) * kUs;
    if (!spaced && random_.one_in(4)) at_ps += random_.below(10 * kUs);
    phase.frames.push_back(std::move(frame));
  }
  waiting_ = true;  // until RDH says that descriptors are left
}

/// No descriptors: frames wait in the packet buffer, or are lost when it is full.
void Script::flood(Phase& phase) {
  phase.name = "flood";
  phase.setup.push_back(write_of(regs::kRctl, rctl_));
  const std::uint32_t bytes = random_.one_in(3) ? 300'000 : 60'000;
  RxPlan plan(random_, limit_, exact_);
  std::uint32_t sent = 0;
  while (sent < bytes) {
    LineFrame frame =
        random_.one_in(4)
            ? plan.any()
            : plan.wanted(static_cast<std::uint32_t>(random_.within(64, std::min(limit_, 9018U))));
    frame.from_ps = random_.one_in(8) ? random_.below(50 * kUs) : 0;
    sent += static_cast<std::uint32_t>(frame.bytes.size()) + 24;
    phase.frames.push_back(std::move(frame));
  }
  waiting_ = true;
}

/// Gives receive descriptors to the adapter, at the begin of the traffic.
void Script::give(Phase& phase, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (rx_place_ + buffer_ + 16 > kRxEnd) rx_place_ = kRxData;
    std::vector<std::uint8_t> descriptor(kDescriptor);
    for (std::uint8_t& byte : descriptor) byte = static_cast<std::uint8_t>(random_.below(256));
    nic::write_le32(descriptor.data(), static_cast<std::uint32_t>(rx_place_));
    nic::write_le32(descriptor.data() + 4, 0);
    phase.stores.push_back({rx_.base + kDescriptor * std::uint64_t{rx_.next}, descriptor});
    rx_.next = (rx_.next + 1) % rx_.entries;
    rx_place_ += buffer_ + (random_.coin() ? 0 : random_.below(16));
  }
  given_ += count;
  if (count != 0) phase.setup.push_back(write_of(regs::kRdt, rx_.next));
}

/// CTRL0.RST at any time.
void Script::cut(Phase& phase) {
  phase.name += ", reset";
  phase.cut = true;
  phase.handler = false;
  const std::uint64_t at_ps = random_.below(60 * kUs);
  phase.actions.erase(std::remove_if(phase.actions.begin(), phase.actions.end(),
                                     [&](const Access& each) { return each.at_ps >= at_ps; }),
                      phase.actions.end());
  phase.actions.push_back({false, regs::kCtrl0, regs::kCtrl0Fields.rst, 4, at_ps, 0});
  phase.closing.clear();
  phase.rest_ps = 200 * kUs;
  must_reset_ = true;
}

}  // namespace longhaul::nic_twin
