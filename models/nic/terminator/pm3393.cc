// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/pm3393.h"

#include <utility>

namespace longhaul::nic::terminator {
namespace {

using pm::kDeviceStatusFields;
using pm::kMasterInterruptFields;
using pm::kPl4LockFields;

// XRF (0x2089, 0x208a): alignment and synchronisation of four lanes; RXOAM (0x20c8, 0x20c9): local
// fault.
constexpr std::uint32_t kLanes = 0x1f;
constexpr std::uint32_t kLocalFault = 0x20;

/// Registers without effect in the model. cxgb writes those that have a comment; the others are its
/// header's names beside them. A name "undocumented" is cxgb's own word.
constexpr pm::Spec kPlain[] = {
    {"PRODUCT_REVISION", 0x0001},  // written: 8000h, then 0
    {"CONFIG_AND_RESET_CONTROL", 0x0002},
    {"LOOPBACK_MISC_CTRL", 0x0003},    // written
    {"SERDES_3125_CONFIG_1", 0x0100},  // written
    {"SERDES_3125_CONFIG_2", 0x0101},  // written
    {"RXXG_CONFIG_2", 0x2041},
    {"RXXG_SA_15_0", 0x2046},             // written; PAUSE frames use TXXG's address
    {"RXXG_SA_31_16", 0x2047},            // written
    {"RXXG_SA_47_32", 0x2048},            // written
    {"IFLX undocumented", 0x2203},        // written
    {"IFLX undocumented", 0x2205},        // written
    {"PL4MOS_MASK", 0x2241},              // written
    {"PL4MOS_FAIRNESS_MASKING", 0x2242},  // written
    {"PL4MOS_MAXBURST1", 0x2243},         // written
    {"PL4MOS_MAXBURST2", 0x2244},         // written
    {"PL4ODP_CONFIG_MAX_T", 0x2284},      // written
    {"PL4IO_LOCK_DETECT_LIMITS", 0x2303},
    {"PL4IO_CALENDAR_REPETITIONS", 0x2304},  // written
    {"PL4IO undocumented", 0x2308},          // written
    {"PL4IO undocumented", 0x230d},          // written
    {"TXXG_CONFIG_2", 0x3041},
    {"TXXG_MIN_FRAME_SIZE", 0x3046, Access::kReadWrite, 64},
    {"TXXG_PAUSE_QUANTUM_CONFIG", 0x3052},
    {"EFLX_INDIR_FIFO_CUT_THROUGH_THRESHOLD", 0x3207},  // written
    {"EFLX undocumented", 0x3208},                      // written
    {"EFLX undocumented", 0x320a},                      // written
    {"EFLX undocumented", 0x320e},                      // written
};
constexpr std::uint32_t kPl4IoLanes = 0x2320;  // to 232fh, written: undocumented
constexpr std::uint32_t kPl4IoLaneCount = 16;

}  // namespace

Pm3393::Pm3393(const sc_core::sc_module_name& name, EthMac& mac, const MacPartParams& params,
               MacLosses losses, IngressReceiver& receiver, Owner owner)
    : sc_module(name),
      mac_(mac),
      params_(params),
      owner_(std::move(owner)),
      interrupts_(bank_, [this] { owner_.pin_changed(); }),
      mstat_(bank_, mac, [this](bool asks) { interrupts_.set_mstat(asks); }),
      ingress_("ingress", parts(losses), receiver, [this] { owner_.carrier_changed(); }),
      egress_("egress", parts(losses),
              {[this] { owner_.egress_better(); },
               [this](const FrameRef& frame) { owner_.frame_sent(frame); },
               [this](std::uint16_t quanta, std::uint16_t interval, bool send, bool force) {
                 ingress_.set_pause(quanta, interval, send, force);
               },
               [this] { owner_.state_changed(); }}),
      pl4io_config_(
          bank_, pm::kPl4IoConfig,
          [this] { interrupts_.raise(kMasterInterruptFields.pl4io, kPl4LockFields.is_dool); }),
      xrf_error_(bank_, pm::Spec{"XRF_ERR_STATUS", 0x208a, Access::kReadOnly},
                 [this] { return phy_ready_ && xaui_stable_ ? 0U : kLanes; }),
      rxoam_status_(bank_, pm::Spec{"RXOAM_STATUS", 0x20c9, Access::kReadOnly},
                    [this] { return link_ ? 0U : kLocalFault; }) {
  for (const pm::Spec& spec : kPlain) plain_.emplace_back(bank_, spec);
  for (std::uint32_t lane = 0; lane < kPl4IoLaneCount; ++lane)
    plain_.emplace_back(bank_, pm::Spec{"PL4IO undocumented", kPl4IoLanes + lane});
  mac.attach(egress_, ingress_);
}

Pm3393Parts Pm3393::parts(MacLosses losses) {
  return {params_, bank_, mac_, mstat_, interrupts_, losses};
}

bool Pm3393::answers(std::uint32_t offset) const {
  return expired_ || (running_ && offset == pm::kDeviceStatus.offset);
}

std::uint32_t Pm3393::device_status() const {
  constexpr std::uint32_t kNotLocked = kDeviceStatusFields.id_dool | kDeviceStatusFields.id_rool |
                                       kDeviceStatusFields.is_rool | kDeviceStatusFields.out_rool;
  // Input status locks to its data when PL4IO is configured: cxgb notes that it does so late.
  const bool status_data = expired_ && pl4io_config_.value() != 0;
  return (expired_ ? kDeviceStatusFields.expired.mask() : kNotLocked) |
         (status_data ? 0U : kDeviceStatusFields.is_dool.mask()) |
         (xaui_stable_ ? kDeviceStatusFields.sxra_expired.mask() : 0U) |
         (mac_.paused() ? kDeviceStatusFields.paused.mask() : 0U);
}

std::uint32_t Pm3393::lock_status() const {
  return pl4io_config_.value() != 0 ? 0U : kPl4LockFields.is_dool.mask();
}

void Pm3393::set_running(bool running) {
  if (std::exchange(running_, running) == running) return;
  if (!running) {
    held_since_ps_ = now_ps();
    reset();
  } else if (now_ps() - held_since_ps_ >= to_ps(params_.pm3393_reset_hold())) {
    expires_.set(now_ps() + to_ps(params_.pm3393_reset()));
  }
}

void Pm3393::timers_expired() {
  expired_ = true;
  stable_.set(now_ps() + to_ps(params_.xaui_stable()));
  owner_.state_changed();
}

void Pm3393::reset() {
  expires_.cancel();
  stable_.cancel();
  expired_ = false;
  xaui_stable_ = false;
  bank_.reset();
  mstat_.reset();
  ingress_.reset();
  egress_.reset();
  interrupts_.reset();
  mac_.reset();
  owner_.state_changed();
}

void Pm3393::set_phy(bool ready, bool link) {
  if (std::exchange(phy_ready_, ready) != ready)
    interrupts_.raise(kMasterInterruptFields.xrf, kLanes);
  if (std::exchange(link_, link) != link && !link)
    interrupts_.raise(kMasterInterruptFields.rxoam, kLocalFault);
}

}  // namespace longhaul::nic::terminator
