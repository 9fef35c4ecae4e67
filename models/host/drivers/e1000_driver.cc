// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/e1000_driver.h"

#include <algorithm>
#include <iterator>

#include "models/common/param_json.h"
#include "models/host/drivers/driver_type.h"
#include "models/nic/e1000/regs.h"

namespace longhaul::host {
namespace {

namespace regs = nic::e1000::regs;

constexpr std::uint32_t kCauses = regs::kCauseFields.rxt0 | regs::kCauseFields.rxdmt0 |
                                  regs::kCauseFields.txdw | regs::kCauseFields.lsc |
                                  regs::kCauseFields.rxseq;
constexpr std::uint32_t kTxAppendFcs = 1U << 25;  // IFCS, in data descriptors of either kind
// e1000_hw.c: collision threshold and distance of full duplex, padding; inter-packet gaps of fibre
// and copper.
constexpr std::uint32_t kTctlPad = regs::kTctlFields.psp;
constexpr std::uint32_t kTctlCollisions =
    regs::kTctlFields.ct.put(0xf) | regs::kTctlFields.cold.put(0x40);
constexpr std::uint32_t kTctlLateRetry = regs::kTctlFields.rtlc;
constexpr std::uint32_t kGapFiber = 9;
constexpr std::uint32_t kGapCopper = 8;
constexpr std::uint32_t kGapSecondParts =
    regs::kTipgFields.ipgr1.put(8) | regs::kTipgFields.ipgr2.put(6);
/// Each descriptor is written back when it is done: the threshold is one, in descriptors.
constexpr std::uint32_t kTxdctlEach =
    regs::kDescriptorControlFields.gran | regs::kDescriptorControlFields.wthresh.put(1);
// e1000_hw.c: destination and type of PAUSE frames, in the order of the registers.
constexpr std::uint32_t kPauseAddressLow = 0x00c2'8001;
constexpr std::uint32_t kPauseAddressHigh = 0x0100;
constexpr std::uint32_t kPauseType = 0x8808;
constexpr std::uint32_t kPauseQuanta = 0x0680;  // e1000_hw.h: E1000_FC_PAUSE_TIME
constexpr std::uint32_t kPauseHighBelowTop =
    0x1638;  // e1000_main.c: E1000_FC_HIGH_DIFF, E1000_FC_LOW_DIFF
constexpr std::uint32_t kPauseLowBelowTop = 0x1640;

// IEEE 802.3: 22.2.4.1, 28.2.4.1.3, 40.5.1.1; the M88E1011 answers at address 1.
constexpr std::uint32_t kPhyAddress = 1;
constexpr std::uint32_t kMiiControl = 0;
constexpr std::uint32_t kMiiAdvertisement = 4;
constexpr std::uint32_t kMiiPartner = 5;
constexpr std::uint32_t kMiiGigabit = 9;
constexpr std::uint16_t kNegotiateAgain = 0x1200;
constexpr std::uint16_t kAllModes = 0x01e1;
constexpr std::uint16_t kPauseBits = 0x0c00;
constexpr std::uint16_t kSymmetricPause = 0x0400;
constexpr std::uint16_t kGigabitFullDuplex = 0x0200;

constexpr std::uint64_t kBeforeResetPs = 10'000'000'000;
constexpr std::uint64_t kAfterResetPs = 5'000'000'000;
constexpr std::uint64_t kLinkStepPs = 10'000'000'000;
constexpr std::uint32_t kLinkSteps = 50;
constexpr std::uint64_t kPhyStepPs = 50'000'000;
constexpr std::uint32_t kPhySteps = 64;

}  // namespace

E1000Driver::E1000Driver(const sc_core::sc_module_name& name, const DriverSetup& setup,
                         const E1000DriverParams& params, bool fiber)
    : IntelDriver(name, setup, params,
                  {regs::kIcr, regs::kIcs, regs::kIms, regs::kImc, regs::kTdt, regs::kRdt,
                   regs::kMta, regs::kRal, kCauses,
                   regs::kCauseFields.lsc | regs::kCauseFields.rxseq, regs::kCauseFields.rxdmt0}),
      params_(params),
      fiber_(fiber) {}

std::uint32_t E1000Driver::buffer_bytes() const {
  if (largest_frame() <= nic::intel::kStandardFrameBytes) return 2048;
  std::uint32_t bytes = 4096;
  while (bytes < largest_frame()) bytes *= 2;
  return bytes;
}

std::uint32_t E1000Driver::rx_memory_kib() const { return buffer_bytes() > 8192 ? 40 : 48; }

nlohmann::json E1000Driver::describe_params() const { return describe(params_); }

void E1000Driver::reset_adapter() {
  had_link_ = false;
  write(regs::kPba, rx_memory_kib());
  write(regs::kImc, ~0U);
  write(regs::kRctl, 0);
  write(regs::kTctl, kTctlPad);
  delay(kBeforeResetPs);
  write(regs::kCtrl, read(regs::kCtrl) | regs::kCtrlFields.rst);
  delay(kAfterResetPs);
  write(regs::kImc, ~0U);
  read(regs::kIcr);
}

void E1000Driver::start_adapter() {
  write_filters(regs::kVfta);
  start_link();
  start_tx();
  start_rx();
}

void E1000Driver::start_link() {
  write(regs::kFcal, kPauseAddressLow);
  write(regs::kFcah, kPauseAddressHigh);
  write(regs::kFct, kPauseType);
  write(regs::kFcttv, kPauseQuanta);
  if (fiber_) {
    start_fiber();
  } else {
    start_copper();
  }
  const std::uint32_t top = rx_memory_kib() << 10;
  write(regs::kFcrtl,
        params_.flow_control() ? (top - kPauseLowBelowTop) | regs::kFcrtlFields.xone : 0U);
  write(regs::kFcrth, params_.flow_control() ? top - kPauseHighBelowTop : 0U);
}

void E1000Driver::start_fiber() {
  const std::uint32_t pause =
      params_.flow_control() ? regs::kTxcwFields.pause | regs::kTxcwFields.asm_dir : 0U;
  write(regs::kTxcw, regs::kTxcwFields.ane | regs::kTxcwFields.fd | pause);
  write(regs::kCtrl, read(regs::kCtrl) & ~regs::kCtrlFields.lrst);
  for (std::uint32_t i = 0; i < kLinkSteps; ++i) {
    delay(kLinkStepPs);
    if ((read(regs::kCtrl) & regs::kCtrlFields.swdpin1) == 0) return;  // no light
    if ((read(regs::kStatus) & regs::kStatusFields.lu) != 0) return;
  }
  // A partner without negotiation: full duplex, and PAUSE without asking.
  write(regs::kTxcw, regs::kTxcwFields.fd | pause);
  write(regs::kCtrl, read(regs::kCtrl) | regs::kCtrlFields.slu | regs::kCtrlFields.fd);
}

void E1000Driver::start_copper() {
  write(regs::kCtrl, read(regs::kCtrl) | regs::kCtrlFields.slu);
  const std::uint16_t pause = params_.flow_control() ? kPauseBits : std::uint16_t{0};
  phy_write(kMiiAdvertisement, static_cast<std::uint16_t>(kAllModes | pause));
  phy_write(kMiiGigabit, kGigabitFullDuplex);
  phy_write(kMiiControl, kNegotiateAgain);
}

std::uint32_t E1000Driver::phy_access(std::uint32_t command) const {
  write(regs::kMdic, command | regs::kMdicFields.phy.put(kPhyAddress));
  std::uint32_t answer = 0;
  for (std::uint32_t i = 0; i < kPhySteps && (answer & regs::kMdicFields.ready) == 0; ++i) {
    delay(kPhyStepPs);
    answer = read(regs::kMdic);
  }
  return answer;
}

std::uint16_t E1000Driver::phy_read(std::uint32_t number) const {
  return static_cast<std::uint16_t>(
      phy_access(regs::kMdicFields.read | regs::kMdicFields.reg.put(number)));
}

void E1000Driver::phy_write(std::uint32_t number, std::uint16_t value) const {
  phy_access(regs::kMdicFields.write | regs::kMdicFields.reg.put(number) | value);
}

void E1000Driver::start_tx() {
  write(regs::kTdbal, static_cast<std::uint32_t>(tx_ring().address()));
  write(regs::kTdbah, static_cast<std::uint32_t>(tx_ring().address() >> 32));
  write(regs::kTdlen, tx_ring().bytes());
  write(regs::kTdh, 0);
  write(regs::kTdt, 0);
  write(regs::kTipg, (fiber_ ? kGapFiber : kGapCopper) | kGapSecondParts);
  write(regs::kTidv, params_.tx_delay());
  write(regs::kTadv, params_.tx_absolute_delay());
  write(regs::kTxdctl, kTxdctlEach);
  write(regs::kTctl, regs::kTctlFields.en | kTctlPad | kTctlCollisions | kTctlLateRetry);
}

void E1000Driver::start_rx() {
  const std::uint32_t bytes = buffer_bytes();
  std::uint32_t size = 0;
  if (bytes > 2048) {
    size = regs::kRctlFields.bsex | regs::kRctlFields.lpe;
    for (std::uint32_t code = 1; code < 4; ++code) {
      if (32768U >> code == bytes) size |= regs::kRctlFields.bsize.put(code);
    }
  }
  write(regs::kRdtr, params_.rx_delay());
  write(regs::kRadv, params_.rx_absolute_delay());
  set_throttle(params_.throttle() > 1 ? params_.throttle() : 0);
  write(regs::kRdbal, static_cast<std::uint32_t>(rx_ring().address()));
  write(regs::kRdbah, static_cast<std::uint32_t>(rx_ring().address() >> 32));
  write(regs::kRdlen, rx_ring().bytes());
  write(regs::kRdh, 0);
  write(regs::kRdt, 0);
  if (params_.checksum_rx()) write(regs::kRxcsum, read(regs::kRxcsum) | regs::kRxcsumFields.tuofl);
  write(regs::kRctl, regs::kRctlFields.en | regs::kRctlFields.bam | size);
}

bool E1000Driver::find_link() {
  const bool link = (read(regs::kStatus) & regs::kStatusFields.lu) != 0;
  if (link && !had_link_ && !fiber_ && params_.flow_control()) resolve_pause();
  had_link_ = link;
  return link;
}

/// On fibre the adapter does this itself.
void E1000Driver::resolve_pause() {
  const bool both = (phy_read(kMiiAdvertisement) & phy_read(kMiiPartner) & kSymmetricPause) != 0;
  const std::uint32_t ctrl = read(regs::kCtrl) & ~(regs::kCtrlFields.tfce | regs::kCtrlFields.rfce);
  write(regs::kCtrl, ctrl | (both ? regs::kCtrlFields.tfce | regs::kCtrlFields.rfce : 0U));
}

void E1000Driver::set_throttle(std::uint32_t interrupts_per_s) {
  constexpr std::uint64_t kNsPerS = 1'000'000'000;
  constexpr std::uint64_t kUnitNs = 256;
  write(regs::kItr, interrupts_per_s == 0
                        ? 0U
                        : static_cast<std::uint32_t>(kNsPerS / (interrupts_per_s * kUnitNs)));
}

/// Throttle 1: traffic in one direction gets 8000 interrupts a second. Traffic of equal amounts in
/// both directions gets 2000.
void E1000Driver::watch() {
  if (params_.throttle() != 1) return;
  constexpr std::uint64_t kGrain = 10'000;  // bytes
  constexpr std::uint64_t kLeast = 2000;
  constexpr std::uint64_t kMost = 8000;
  const std::uint64_t sent = sent_bytes() - watched_sent_;
  const std::uint64_t received = received_bytes() - watched_received_;
  watched_sent_ = sent_bytes();
  watched_received_ = received_bytes();
  const std::uint64_t all = (sent + received) / kGrain;
  const std::uint64_t apart = (sent > received ? sent - received : received - sent) / kGrain;
  set_throttle(
      static_cast<std::uint32_t>(all == 0 ? kMost : apart * (kMost - kLeast) / all + kLeast));
}

TxFormat E1000Driver::tx_format() const {
  const std::uint32_t delayed = params_.tx_delay() != 0 ? regs::tx::kIde : 0U;
  TxFormat format;
  format.plain = kTxAppendFcs | delayed | regs::tx::kExtended;
  format.offload = format.plain;
  format.context = delayed | regs::tx::kExtended;
  format.last = regs::tx::kEop | regs::tx::kRs;
  format.most_bytes = params_.tx_descriptor_bytes();
  format.context_reuse = params_.context_reuse();
  return format;
}

RxFormat E1000Driver::rx_format() const {
  RxFormat format;
  format.buffer_bytes = params_.exact_buffers() ? largest_frame() : buffer_bytes();
  format.headroom = params_.headroom();
  format.fcs_bytes = Frame::kFcsBytes;
  format.spare = params_.rx_spare();
  format.tail_every = params_.rx_tail_every();
  format.copybreak = params_.copybreak();
  return format;
}

namespace {

struct Device {
  std::uint16_t id;
  bool fiber;
};
// Linux e1000_hw.h: 82545EM, 82546EB, 82545GM, 82546GB.
constexpr Device kDevices[] = {{0x1011, true}, {0x100f, false}, {0x1012, true}, {0x1010, false},
                               {0x1027, true}, {0x1026, false}, {0x107a, true}, {0x1079, false}};

std::unique_ptr<NetDevice> make(const DriverRequest& request) {
  const auto* const device =
      std::find_if(std::begin(kDevices), std::end(kDevices),
                   [&](const Device& each) { return each.id == request.ids.device; });
  return std::make_unique<E1000Driver>(request.module_name.c_str(), request.setup,
                                       e1000_driver_params(request.params, request.where),
                                       device->fiber);
}

}  // namespace

LONGHAUL_PLUGIN(e1000_driver) {
  DriverType type{};
  type.name = "e1000";
  type.title = "Linux's e1000 and FreeBSD's em for the Intel 82545 and 82546";
  for (const Device& device : kDevices) type.ids.push_back({0x8086, device.id});
  type.make = make;
  type.describe_defaults = [] {
    E1000DriverParams params = e1000_driver_params(nlohmann::json::object(), "e1000");
    params.version.choices = e1000_driver_versions();
    return describe_defaults(params);
  };
  driver_types().add(std::move(type));
}

}  // namespace longhaul::host
