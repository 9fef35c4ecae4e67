// SPDX-License-Identifier: Apache-2.0
// The TLM twin of mynic: the same registers, descriptors and rules as rtl/, without its clocks.
//
// Not modelled: RX_ER and TX_ER, the time that registers, rings and buffers take, and frames that
// are longer than 16 KB.
#include <array>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "models/common/param_json.h"
#include "models/common/units.h"
#include "models/nic/adapter_module.h"
#include "models/nic/adapter_type.h"
#include "models/nic/blocks/kinds.h"
#include "mynic_rx.h"
#include "mynic_tx.h"

namespace mynic {

using namespace regs;      // NOLINT: names of the registers
using namespace longhaul;  // NOLINT: time, the catalogue

namespace {

constexpr std::uint16_t kVendor = 0x1234;
constexpr std::uint16_t kDevice = 0x4e43;
constexpr BitRate kLineRate{1'000'000'000};
constexpr std::uint64_t kMicrosecondPs = 1'000'000;

struct TwinParams {
  /// GMII says nothing of a carrier: the RTL sends into the dark.
  TwinParams() { mac_unit.hold_without_carrier.value = false; }
  auto fields() {
    return std::tie(dma.read_fifo_bytes, target.decode_clocks, target.read_wait_clocks,
                    target.width_bits, mac_unit.hold_without_carrier);
  }
  pcix::DmaParams dma;
  pcix::TargetParams target;
  EthMacParams mac_unit;
};

/// As the port map gives it to the RTL.
pcix::ConfigIdentity identity() {
  pcix::ConfigIdentity id{};
  id.vendor_id = kVendor;
  id.device_id = kDevice;
  id.class_code = 0x020000;
  id.pcix_capability_offset = 0x50;
  id.msi_capability_offset = 0x58;
  return id;
}

class MynicTwin final : public nic::AdapterModule<TwinParams, Tx, Rx> {
 public:
  MynicTwin(const sc_core::sc_module_name& name, const TwinParams& params)
      : AdapterModule(name, kBarBytes, identity(), params), tx_(parts_, mac_), rx_(parts_, ctrl_) {
    set_units(tx_, rx_);
    mac_.attach(tx_, rx_);
    mac_.set_max_frame(Frame::kMaxBytes + Frame::kFcsBytes);
    mac_.set_pass_control(true, true);
    for (std::size_t i = 0; i < kCounts; ++i) {
      const auto offset = kCounters + 4 * static_cast<std::uint32_t>(i);
      counters_.emplace_back(bank(), "COUNTER", offset, 0, Access::kReadOnly);
    }
  }

  std::vector<std::string> changeable() const override { return {}; }

 private:
  std::uint32_t status() const { return (tx_.idle() ? 1U : 0U) | (stopped_ ? 2U : 0U); }

  void ctrl_written(std::uint32_t value) {
    if ((value & ctrl::kReset) != 0) {
      ctrl_.set(ctrl::kReset);
      resetting_ = true;
      tx_.enable(false);
      rx_.enable(false);
      return reset_when_quiet();
    }
    mac_.set_loopback((value & ctrl::kLoopback) != 0 ? kLineRate : BitRate{0});
    rx_.enable((value & ctrl::kRxEnable) != 0);
    tx_.enable((value & ctrl::kTxEnable) != 0);
  }

  /// The bus has answered all, and no frame is on the line: then all is cleared.
  void reset_when_quiet() {
    if (!dma().idle() || !tx_.line_is_free()) return quiet_.set(now_ps() + kMicrosecondPs / 8);
    tx_.reset();
    rx_.reset();
    mac_.set_loopback({0});
    bank().reset();
    causes_ = 0;
    resetting_ = stopped_ = false;
    rises_from_ps_ = 0;
    update_interrupt();
  }

  void post(std::uint32_t causes) {
    causes_ |= causes;
    update_interrupt();
  }

  void causes_written(std::uint32_t ones) {
    causes_ &= ~ones;
    update_interrupt();
  }

  /// The request falls at once, and rises MODERATION microseconds after its last rise at the
  /// earliest.
  void update_interrupt() {
    const bool wanted = (causes_ & mask_.value()) != 0;
    if (wanted == level_) return;
    if (wanted && now_ps() < rises_from_ps_) return rise_.set(rises_from_ps_);
    level_ = wanted;
    if (level_) rises_from_ps_ = now_ps() + moderation_.value() * kMicrosecondPs;
    set_interrupt(level_);
  }

  Parts parts_{bank(),
               dma(),
               [this](std::uint32_t causes) { post(causes); },
               [this](Count which) { counters_.at(which).set(counters_.at(which).value() + 1); },
               [this] { return !stopped_ && !resetting_; },
               [this] {
                 stopped_ = true;
                 post(cause::kFault);
               }};
  bool stopped_ = false;
  bool resetting_ = false;
  bool level_ = false;
  std::uint32_t causes_ = 0;
  std::uint64_t rises_from_ps_ = 0;
  Timer rise_{[this] { update_interrupt(); }};
  Timer quiet_{[this] { reset_when_quiet(); }};
  Reg32 id_{bank(), kId};
  Reg32 version_{bank(), kVersion};
  Reg32 ctrl_{bank(), kCtrl, this, &MynicTwin::ctrl_written};
  Reg32 status_{bank(), kStatus, this, &MynicTwin::status};
  Reg32 cause_{bank(), kCause, [this] { return causes_; },
               [this](std::uint32_t ones) { causes_written(ones); }};
  Reg32 mask_{bank(), kMask, this, &MynicTwin::update_interrupt};
  Reg32 moderation_{bank(), kModeration};
  std::deque<Reg32> counters_;
  Tx tx_;
  Rx rx_;
};

}  // namespace

LONGHAUL_PLUGIN(mynic_tlm) {
  nic::AdapterType type{};
  type.name = "mynic_tlm";
  type.title = "the TLM twin of mynic";
  type.ids = {{kVendor, kDevice}};
  type.phy = "1000base-x";
  type.slot = "pcix-133";
  type.linux_driver = {"mynic", 68, 9000, "driver/mynic.h: MYNIC_MTU_MAX"};
  type.make = [](const nic::AdapterRequest& request) -> std::unique_ptr<nic::Adapter> {
    nic::refuse_second_function(request, "a mynic");
    TwinParams params;
    configure(params, request.params, nic::full_name(request.module_name));
    return std::make_unique<MynicTwin>(request.module_name, params);
  };
  type.describe_defaults = [] { return describe_defaults(TwinParams{}); };
  nic::adapter_types().add(std::move(type));
}

}  // namespace mynic
