// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/driver_params.h"

#include <fmt/format.h>

#include "models/common/param_json.h"
#include "models/common/param_set.h"
#include "models/nic/genesis/sk9843.h"

namespace longhaul::host {
namespace {

constexpr const char* kFeatures =
    "ixgb_main.c, e1000_main.c, probe(): NETIF_F_SG, NETIF_F_HW_CSUM, NETIF_F_TSO";
constexpr const char* kHeadroom = "Linux 2.6: dev_alloc_skb() 16, NET_IP_ALIGN 2";

void set_linux(IntelDriverParams& params) {
  set(params.scatter_gather, true, kFeatures);
  set(params.checksum_tx, true, kFeatures);
  set(params.checksum_rx, true, "ixgb_param.c, e1000_param.c: XsumRX 1");
  set(params.tso, true, kFeatures);
  set(params.headroom, 18, kHeadroom);
  set(params.interrupt_turns, 10, "ixgb_main.c: IXGB_MAX_INTR, e1000_main.c: E1000_MAX_INTR");
  set(params.causes_each_turn, false, "ixgb_intr(), e1000_intr(): ICR is read once");
  set(params.context_reuse, false,
      "ixgb_tx_csum(), e1000_tx_csum(): a context for every packet that wants one");
  set(params.watchdog, sc_core::sc_time(2, sc_core::SC_SEC),
      "ixgb_main.c, e1000_main.c, watchdog: 2 * HZ");
  set(params.flow_control, true,
      "ixgb_param.c: FlowControl sends PAUSE; e1000_param.c: as the EEPROM says, both ways");
  set(params.tx_descriptors, 256, "ixgb.h, e1000_param.c: DEFAULT_TXD");
}

IxgbDriverParams ixgb_1_0_110() {
  IxgbDriverParams params;
  set_linux(params);
  set(params.rx_descriptors, 512, "ixgb.h: DEFAULT_RXD");
  set(params.tx_descriptor_bytes, 16128, "ixgb_tx_map(): IXGB_MAX_JUMBO_FRAME_SIZE");
  set(params.tx_wake, 16, "ixgb.h: IXGB_TX_QUEUE_WAKE");
  set(params.copybreak, 256, "ixgb_main.c of 2.6.17 and 2.6.18: IXGB_CB_LENGTH");
  set(params.exact_buffers, true, "ixgb_change_mtu(): rx_buffer_len is the largest frame");
  set(params.rx_spare, 4,
      "ixgb_alloc_rx_buffers(): three descriptors unused, and the one that tells full from empty");
  set(params.rx_tail_every, 0, "ixgb_alloc_rx_buffers(): RDT once, at the last buffer");
  set(params.poll_until_empty, true,
      "ixgb_clean(): leaves polling when nothing was sent nor received");
  set(params.rx_delay, 72, "ixgb_param.c: DEFAULT_RDTR");
  set(params.tx_delay, 32, "ixgb_param.c: DEFAULT_TIDV");
  set(params.rx_prefetch, 0, "ixgb_main.c: RXDCTL_PTHRESH_DEFAULT");
  set(params.rx_host, 0, "ixgb_main.c: RXDCTL_HTHRESH_DEFAULT");
  set(params.rx_write_back, 16, "ixgb_main.c: RXDCTL_WTHRESH_DEFAULT");
  set(params.raidc, false, "ixgb_configure_rx() does not set it");
  set(params.raidc_poll, 122, "ixgb_main.c: IXGB_RAIDC_POLL_DEFAULT");
  return params;
}

IxgbDriverParams ixgb_1_0_66() {
  IxgbDriverParams params = ixgb_1_0_110();
  set(params.copybreak, 0, "ixgb_main.c of 2.6.0 to 2.6.6: every frame goes up in its buffer");
  set(params.exact_buffers, false, "ixgb_main.c of 2.6.0: 2048, 4096, 8192 or 16384 B by MTU");
  set(params.rx_spare, 2,
      "ixgb_alloc_rx_buffers() of 2.6.0: one descriptor unused beside the one that tells full from "
      "empty");
  set(params.rx_tail_every, 4,
      "ixgb_alloc_rx_buffers() of 2.6.0: 4 with RAIDC, IXGB_RX_BUFFER_WRITE otherwise");
  set(params.tx_descriptor_bytes, 16384, "ixgb.h of 2.6.0: max_data_per_txd");
  set(params.rx_prefetch, 128, "ixgb_main.c of 2.6.0: RXDCTL_PTHRESH_DEFAULT");
  set(params.rx_host, 16, "ixgb_main.c of 2.6.0: RXDCTL_HTHRESH_DEFAULT");
  set(params.raidc, true, {Evidence::kAssumed, "as FreeBSD's ixgb 1.0.6, which sets it always"});
  return params;
}

E1000DriverParams e1000_5_2_39() {
  E1000DriverParams params;
  set_linux(params);
  set(params.rx_descriptors, 256, "e1000_param.c: DEFAULT_RXD");
  set(params.exact_buffers, false,
      "e1000_change_mtu(): rx_buffer_len 2048, 4096, 8192 or 16384 B by MTU");
  set(params.tx_descriptor_bytes, 4096, "e1000_main.c: E1000_MAX_TXD_PWR 12");
  set(params.tx_wake, 16, "e1000.h: E1000_TX_QUEUE_WAKE");
  set(params.copybreak, 0, "e1000_clean_rx_irq() before 7.0: every frame goes up in its buffer");
  set(params.rx_spare, 0, "e1000_alloc_rx_buffers(): every slot that is empty");
  set(params.rx_tail_every, 16, "e1000.h: E1000_RX_BUFFER_WRITE");
  set(params.poll_until_empty, false, "e1000_clean(): leaves polling with work_done < work_to_do");
  set(params.rx_delay, 0, "e1000_param.c: DEFAULT_RDTR");
  set(params.rx_absolute_delay, 128, "e1000_param.c of 4.x, 5.x: DEFAULT_RADV");
  set(params.tx_delay, 64, "e1000_param.c: DEFAULT_TIDV");
  set(params.tx_absolute_delay, 64, "e1000_param.c of 5.x: DEFAULT_TADV");
  set(params.throttle, 1,
      "e1000_param.c of 2.6.6: DEFAULT_ITR 1, dynamic (8000 proposed to netdev on 25 May 2004)");
  return params;
}

E1000DriverParams e1000_4_4_12() {
  E1000DriverParams params = e1000_5_2_39();
  set(params.rx_descriptors, 80, "e1000_param.c of 4.x: DEFAULT_RXD");
  set(params.tso, false, "Linux 2.4: no TSO");
  set(params.throttle, 8000, "e1000_main.c of 4.x: MAX_INTS_PER_SEC");
  set(params.causes_each_turn, true,
      "e1000_intr() of 4.3.2: ICR is read before each turn; once since 5.0.42, by its change log");
  set(params.headroom, 18, "Linux 2.4: dev_alloc_skb() 16; e1000_main.c: reserve_len 2");
  return params;
}

E1000DriverParams e1000_em() {
  E1000DriverParams params = e1000_5_2_39();
  set(params.scatter_gather, true, "if_em.c: an mbuf chain is a packet of several descriptors");
  set(params.checksum_tx, true, "if_em.c: CSUM_TCP and CSUM_UDP");
  set(params.checksum_rx, true, "if_em.c: em_receive_checksum()");
  set(params.tso, false, "FreeBSD before 7: no TSO");
  set(params.context_reuse, true, "if_em.c, em_transmit_checksum_setup(): active_checksum_context");
  set(params.headroom, 2, "if_em.c, em_get_buf(): ETHER_ALIGN");
  set(params.interrupt_turns, 3, "if_em.h: EM_MAX_INTR");
  set(params.causes_each_turn, true, "if_em.c, em_intr(): ICR is read before each turn");
  set(params.tx_wake, 31, "if_em.h: EM_TX_CLEANUP_THRESHOLD, an eighth of the ring");
  set(params.rx_tail_every, 1, "if_em.c, em_process_receive_interrupts(): RDT with each frame");
  set(params.rx_absolute_delay, 64, "if_em.h: EM_RADV");
  set(params.throttle, 8000, "if_em.c: MAX_INTS_PER_SEC");
  set(params.watchdog, sc_core::sc_time(2, sc_core::SC_SEC), "if_em.c, em_local_timer(): 2 * hz");
  return params;
}

/// The behaviour of the driver of another adapter (nic/genesis/sk9843.h) on this one:
/// models/host/drivers/README.md#sk98lin.
E1000DriverParams e1000_sk98lin() {
  using nic::sk9843::kCopyBelow, nic::sk9843::kOffloads, nic::sk9843::kRxRing,
      nic::sk9843::kTxInterrupts, nic::sk9843::kTxRing;
  E1000DriverParams params = e1000_4_4_12();
  set(params.scatter_gather, kOffloads.value, kOffloads.source);
  set(params.checksum_tx, kOffloads.value, kOffloads.source);
  set(params.rx_descriptors, kRxRing.value, kRxRing.source);
  constexpr std::uint32_t kMultiple = 8;  // of descriptors, which an 82545 wants of its rings
  set(params.tx_descriptors, kTxRing.value / kMultiple * kMultiple,
      "skdrv2nd.h: a ring of 8 KiB, 48 B a descriptor: 170, here a multiple of 8");
  set(params.exact_buffers, true,
      "skge.c: RxBufSize is ETH_BUF_SIZE, 1560 B, here the largest frame's 1518");
  set(params.headroom, 2, "skge.c, FillRxDescriptor(): skb_reserve(2)");
  set(params.copybreak, kCopyBelow.value, "skge.c: SK_COPY_THRESHOLD");
  set(params.throttle, 0, "skge.c: receive interrupts are not moderated by default");
  set(params.rx_absolute_delay, 0, "skge.c: receive interrupts are not moderated by default");
  constexpr std::uint32_t kUnitNs = 1024;  // of the 82545's interrupt delays
  constexpr const char* kMade = "skge.c: INTS_PER_SEC 1800 for sent frames, 555 us";
  constexpr std::uint32_t kDelay = 1'000'000'000 / (kUnitNs * kTxInterrupts.value.hz);
  set(params.tx_delay, kDelay, kMade);
  set(params.tx_absolute_delay, kDelay, kMade);
  set(params.interrupt_turns, 1000,
      "skge.c, SkGeIsr(): until the interrupt source register is empty");
  set(params.causes_each_turn, true,
      "skge.c, SkGeIsr(): reads the interrupt source register before each further turn");
  return params;
}

/// Intel's driver for Windows is not public. Values come from the manuals of its settings, or else
/// from the Linux driver of the same months.
E1000DriverParams e1000_ndis5() {
  constexpr const char* kReadme = "models/host/drivers/README.md#windows";
  E1000DriverParams params = e1000_4_4_12();
  set(params.rx_descriptors, 256, {Evidence::kAssumed, kReadme});
  set(params.tso, false, {Evidence::kAssumed, kReadme});
  set(params.headroom, 2, {Evidence::kAssumed, kReadme});
  set(params.throttle, 8000, {Evidence::kAssumed, kReadme});
  set(params.poll_until_empty, true, "NDIS 5: a DPC ends when the ring is empty");
  return params;
}

template <class Params>
struct Version {
  const char* name;
  Params (*make)();
};
constexpr Version<IxgbDriverParams> kIxgb[] = {{"1.0.110", ixgb_1_0_110}, {"1.0.66", ixgb_1_0_66}};
constexpr Version<E1000DriverParams> kE1000[] = {{"5.2.39", e1000_5_2_39},
                                                 {"4.4.12", e1000_4_4_12},
                                                 {"em", e1000_em},
                                                 {"sk98lin", e1000_sk98lin},
                                                 {"ndis5", e1000_ndis5}};

template <class Versions>
std::vector<std::string> names_of(const Versions& versions) {
  std::vector<std::string> names;
  for (const auto& version : versions) names.emplace_back(version.name);
  return names;
}

void check(const IntelDriverParams& params, const std::string& where) {
  const auto wants_eighths = [&](const Param<std::uint32_t>& param) {
    if (param() % 8 == 0) return;
    throw ConfigError(
        fmt::format("{}.{}: {} descriptors are no multiple of 8", where, param.name, param()));
  };
  wants_eighths(params.tx_descriptors);
  wants_eighths(params.rx_descriptors);
  if (params.rx_tail_every() != 0 && params.rx_descriptors() % params.rx_tail_every() != 0) {
    throw ConfigError(fmt::format("{}.rx_tail_every: {} does not divide the {} descriptors", where,
                                  params.rx_tail_every(), params.rx_descriptors()));
  }
  // The tail moves in steps of rx_tail_every descriptors. It always stays behind the descriptors
  // without a buffer.
  if (params.rx_tail_every() > params.rx_descriptors() - params.rx_spare() - 1) {
    throw ConfigError(fmt::format(
        "{}.rx_tail_every: {} is more than {} descriptors less {} spare ones and one let go on",
        where, params.rx_tail_every(), params.rx_descriptors(), params.rx_spare()));
  }
  if (params.tx_wake() > params.tx_descriptors() - 2) {
    throw ConfigError(fmt::format("{}.tx_wake: of {} descriptors more than {} are never free",
                                  where, params.tx_descriptors(), params.tx_wake()));
  }
  if (params.tso() && !(params.scatter_gather() && params.checksum_tx())) {
    throw ConfigError(where + ".tso: wants scatter_gather and checksum_tx, too");
  }
}

template <class Params, class Versions>
Params configured(const Versions& versions, const nlohmann::json& json, const std::string& where) {
  const auto name = text_of(json, "version", versions[0].name, where);
  for (const auto& version : versions) {
    if (name != version.name) continue;
    Params params = version.make();
    params.version.value = name;
    configure(params, json, where);
    check(params, where);
    return params;
  }
  fail_unknown_name("version of the driver", name, names_of(versions), where + ".version");
}

}  // namespace

IxgbDriverParams ixgb_driver_params(const nlohmann::json& json, const std::string& where) {
  return configured<IxgbDriverParams>(kIxgb, json, where);
}
std::vector<std::string> ixgb_driver_versions() { return names_of(kIxgb); }

E1000DriverParams e1000_driver_params(const nlohmann::json& json, const std::string& where) {
  auto params = configured<E1000DriverParams>(kE1000, json, where);
  constexpr std::uint32_t kMostMtu = 16110;
  if (params.mtu() > kMostMtu)
    throw ConfigError(fmt::format("{}.mtu: {} is more than the {} that e1000 takes", where,
                                  params.mtu(), kMostMtu));
  // The adapter counts 256 ns in 16 bits (ITR).
  constexpr std::uint32_t kLeastRate = 60;
  if (params.throttle() > 1 && params.throttle() < kLeastRate) {
    throw ConfigError(fmt::format(
        "{}.throttle: {} interrupts/s are fewer than the {} that the adapter can count to; 0 is "
        "no limit, 1 by the traffic",
        where, params.throttle(), kLeastRate));
  }
  return params;
}
std::vector<std::string> e1000_driver_versions() { return names_of(kE1000); }

}  // namespace longhaul::host
