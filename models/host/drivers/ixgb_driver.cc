// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/ixgb_driver.h"

#include "models/common/param_json.h"
#include "models/host/drivers/driver_type.h"
#include "models/nic/ixgb/regs.h"

namespace longhaul::host {
namespace {

namespace regs = nic::ixgb::regs;

constexpr std::uint32_t kCauses = regs::kCauseFields.rxt0 | regs::kCauseFields.rxdmt0 |
                                  regs::kCauseFields.txdw | regs::kCauseFields.lsc;
/// Pins of the board: all outputs, at 1101 (ixgb_hw.c).
constexpr std::uint32_t kPins = regs::kCtrl0Fields.sdp_dir | regs::kCtrl0Fields.sdp3 |
                                regs::kCtrl0Fields.sdp2 | regs::kCtrl0Fields.sdp0;
/// The model always pads frames and appends the FCS.
constexpr std::uint32_t kTctlPadAndFcs = regs::kTctlFields.tce | regs::kTctlFields.tpde;
constexpr std::uint32_t kLinkResets = 8;        // ixgb_hw.c
constexpr std::uint32_t kPauseQuanta = 0xffff;  // ixgb_param.c: DEFAULT_FCPAUSE, FCRTL, FCRTH
constexpr std::uint32_t kPauseLow = 0x28000;
constexpr std::uint32_t kPauseHigh = 0x30000;

// ixgb.h: delays around resets.
constexpr std::uint64_t kBeforeResetPs = 10'000'000'000;
constexpr std::uint64_t kAfterResetPs = 1'000'000'000;
constexpr std::uint64_t kAfterEepromResetPs = 10'000'000'000;
constexpr std::uint64_t kAfterLinkResetPs = 13'000'000;

}  // namespace

IxgbDriver::IxgbDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
                       const IxgbDriverParams& params)
    : IntelDriver(
          name, setup, params,
          {regs::kIcr, regs::kIcs, regs::kIms, regs::kImc, regs::kTdt, regs::kRdt, regs::kMta,
           regs::kRal, kCauses, regs::kCauseFields.lsc, regs::kCauseFields.txdw}),
      params_(params) {}

nlohmann::json IxgbDriver::describe_params() const { return describe(params_); }

void IxgbDriver::reset_adapter() {
  write(regs::kImc, ~0U);
  write(regs::kRctl, read(regs::kRctl) & ~regs::kRctlFields.en);
  write(regs::kTctl, read(regs::kTctl) & ~regs::kTctlFields.en);
  delay(kBeforeResetPs);
  write(regs::kCtrl0, regs::kCtrl0Fields.rst | kPins);
  delay(kAfterResetPs);
  write(regs::kCtrl1, regs::kCtrl1Fields.ee_rst);
  delay(kAfterEepromResetPs);
  write(regs::kImc, ~0U);
  read(regs::kIcr);
}

void IxgbDriver::start_adapter() {
  write_filters(regs::kVfta);
  set_flow_control();
  start_tx();
  start_rx();
  write(regs::kMfs, regs::kMfsFields.mfs.put(largest_frame()));
  if (largest_frame() > nic::intel::kStandardFrameBytes) {
    write(regs::kCtrl0, read(regs::kCtrl0) | regs::kCtrl0Fields.jfe);
  }
}

void IxgbDriver::set_flow_control() {
  const std::uint32_t ctrl =
      read(regs::kCtrl0) & ~(regs::kCtrl0Fields.rpe | regs::kCtrl0Fields.tpe);
  if (!params_.flow_control()) {
    write(regs::kCtrl0, ctrl | regs::kCtrl0Fields.cmdc);
    return;
  }
  write(regs::kCtrl0, ctrl | regs::kCtrl0Fields.tpe);
  write(regs::kPap, kPauseQuanta);
  write(regs::kFcrtl, kPauseLow | regs::kFcrtlFields.xone);
  write(regs::kFcrth, kPauseHigh);
}

void IxgbDriver::start_tx() {
  write(regs::kTdbal, static_cast<std::uint32_t>(tx_ring().address()));
  write(regs::kTdbah, static_cast<std::uint32_t>(tx_ring().address() >> 32));
  write(regs::kTdlen, tx_ring().bytes());
  write(regs::kTdh, 0);
  write(regs::kTdt, 0);
  write(regs::kTidv, params_.tx_delay());
  write(regs::kTctl, kTctlPadAndFcs | regs::kTctlFields.en);
}

void IxgbDriver::start_rx() {
  std::uint32_t size_code = 0;
  while ((2048U << size_code) < adapter_buffer()) ++size_code;
  write(regs::kRdtr, params_.rx_delay());
  write(regs::kRdbal, static_cast<std::uint32_t>(rx_ring().address()));
  write(regs::kRdbah, static_cast<std::uint32_t>(rx_ring().address() >> 32));
  write(regs::kRdlen, rx_ring().bytes());
  write(regs::kRdh, 0);
  write(regs::kRdt, 0);
  write(regs::kRxdctl, regs::kRxdctlFields.pthresh.put(params_.rx_prefetch()) |
                           regs::kRxdctlFields.hthresh.put(params_.rx_host()) |
                           regs::kRxdctlFields.wthresh.put(params_.rx_write_back()));
  if (params_.raidc()) {
    const std::uint32_t threshold = (params_.rx_descriptors() - 1) >> 4;
    write(regs::kRaidc, regs::kRaidcFields.en | regs::kRaidcFields.rxt_gate |
                            regs::kRaidcFields.poll.put(params_.raidc_poll()) |
                            regs::kRaidcFields.delay.put(params_.rx_delay()) |
                            regs::kRaidcFields.highthrs.put(threshold));
  }
  if (params_.checksum_rx()) write(regs::kRxcsum, read(regs::kRxcsum) | regs::kRxcsumFields.tuofl);
  write(regs::kRctl, regs::kRctlFields.bam | regs::kRctlFields.en | regs::kRctlFields.cff |
                         regs::kRctlFields.secrc | regs::kRctlFields.bsize.put(size_code));
}

std::uint32_t IxgbDriver::adapter_buffer() const {
  std::uint32_t bytes = 2048;
  while (bytes < largest_frame() && bytes < 16384) bytes *= 2;
  return bytes;
}

bool IxgbDriver::find_link() {
  for (std::uint32_t resets = 0;; ++resets) {
    const bool aligned = (read(regs::kXpcss) & regs::kXpcssFields.align_status) != 0;
    if (aligned && (read(regs::kStatus) & regs::kStatusFields.lu) != 0) return true;
    if (resets == kLinkResets) return false;
    // The lanes may be locked out of step. The link is therefore reset before it counts as down.
    write(regs::kCtrl0, read(regs::kCtrl0) | regs::kCtrl0Fields.lrst);
    delay(kAfterLinkResetPs);
  }
}

TxFormat IxgbDriver::tx_format() const {
  const std::uint32_t delayed = params_.tx_delay() != 0 ? regs::tx::kIde : 0U;
  TxFormat format;
  format.plain = delayed;
  format.offload = delayed;
  format.context = regs::tx::kIde;
  format.last = regs::tx::kEop | regs::tx::kRs;
  format.most_bytes = params_.tx_descriptor_bytes();
  format.context_reuse = params_.context_reuse();
  return format;
}

RxFormat IxgbDriver::rx_format() const {
  RxFormat format;
  format.buffer_bytes = params_.exact_buffers() ? largest_frame() : adapter_buffer();
  format.headroom = params_.headroom();
  format.spare = params_.rx_spare();
  format.tail_every = params_.rx_tail_every();
  format.copybreak = params_.copybreak();
  return format;
}

LONGHAUL_PLUGIN(ixgb_driver) {
  DriverType type{};
  type.name = "ixgb";
  type.title = "Linux's and FreeBSD's drivers of the Intel 82597EX";
  type.ids = {
      {0x8086, 0x1048}, {0x8086, 0x1a48}, {0x8086, 0x1b48}, {0x8086, 0x109e}};  // ixgb_ids.h
  type.make = [](const DriverRequest& request) -> std::unique_ptr<NetDevice> {
    return std::make_unique<IxgbDriver>(request.module_name.c_str(), request.setup,
                                        ixgb_driver_params(request.params, request.where));
  };
  type.describe_defaults = [] {
    IxgbDriverParams params = ixgb_driver_params(nlohmann::json::object(), "ixgb");
    params.version.choices = ixgb_driver_versions();
    return describe_defaults(params);
  };
  driver_types().add(std::move(type));
}

}  // namespace longhaul::host
