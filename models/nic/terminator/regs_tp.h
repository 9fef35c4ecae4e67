// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/common/register_bank.h"

/// Registers of TP, the protocol engine. Names, offsets and fields are those of Linux 6.1
/// cxgb/regs.h.
namespace longhaul::nic::terminator::regs {

/// TP_PC_CONFIG.TP_PC_REV of a T1B (cxgb/subr.c, t1_get_board_rev).
constexpr std::uint32_t kRevisionT1b = 2;

struct TpInConfigFields : RegisterFields {
  RegisterField tp_in_cspi_tunnel = unmodelled("TP_IN_CSPI_TUNNEL", 0);
  RegisterField tp_in_cspi_ethernet = unmodelled("TP_IN_CSPI_ETHERNET", 1);
  RegisterField tp_in_cspi_cpl = unmodelled("TP_IN_CSPI_CPL", 3);
  RegisterField tp_in_cspi_pos = unmodelled("TP_IN_CSPI_POS", 4);
  RegisterField tp_in_cspi_check_ip_csum = unmodelled("TP_IN_CSPI_CHECK_IP_CSUM", 5);
  RegisterField tp_in_cspi_check_tcp_csum = unmodelled("TP_IN_CSPI_CHECK_TCP_CSUM", 6);
  RegisterField tp_in_espi_tunnel = unmodelled("TP_IN_ESPI_TUNNEL", 7);
  RegisterField tp_in_espi_ethernet = unmodelled("TP_IN_ESPI_ETHERNET", 8);
  RegisterField tp_in_espi_cpl = unmodelled("TP_IN_ESPI_CPL", 10);
  RegisterField tp_in_espi_pos = unmodelled("TP_IN_ESPI_POS", 11);
  RegisterField tp_in_espi_check_ip_csum = unmodelled("TP_IN_ESPI_CHECK_IP_CSUM", 12);
  RegisterField tp_in_espi_check_tcp_csum = unmodelled("TP_IN_ESPI_CHECK_TCP_CSUM", 13);
  RegisterField offload_disable = bit("OFFLOAD_DISABLE", 14, "no TCP in the chip");
};
inline constexpr TpInConfigFields kTpInConfigFields;

constexpr RegisterSpec kTpInConfig{"TP_IN_CONFIG",     0x300, kTpInConfigFields,
                                   Access::kReadWrite, 0,     kTpInConfigFields.mask()};

struct TpOutConfigFields : RegisterFields {
  RegisterField tp_out_c_eth = unmodelled("TP_OUT_C_ETH", 0);
  RegisterField tp_out_cspi_cpl = unmodelled("TP_OUT_CSPI_CPL", 2);
  RegisterField tp_out_cspi_pos = unmodelled("TP_OUT_CSPI_POS", 3);
  RegisterField tp_out_cspi_generate_ip_csum = unmodelled("TP_OUT_CSPI_GENERATE_IP_CSUM", 4);
  RegisterField tp_out_cspi_generate_tcp_csum = unmodelled("TP_OUT_CSPI_GENERATE_TCP_CSUM", 5);
  RegisterField tp_out_espi_ethernet = unmodelled("TP_OUT_ESPI_ETHERNET", 6);
  RegisterField tp_out_espi_tag_ethernet = unmodelled("TP_OUT_ESPI_TAG_ETHERNET", 7);
  RegisterField tp_out_espi_cpl = unmodelled("TP_OUT_ESPI_CPL", 8);
  RegisterField tp_out_espi_pos = unmodelled("TP_OUT_ESPI_POS", 9);
  RegisterField tp_out_espi_generate_ip_csum =
      bit("TP_OUT_ESPI_GENERATE_IP_CSUM", 10,
          "checksums of IP headers are inserted, if GLOBAL_CONFIG.IP_CSUM");
  RegisterField tp_out_espi_generate_tcp_csum =
      bit("TP_OUT_ESPI_GENERATE_TCP_CSUM", 11,
          "checksums of TCP and UDP are inserted, if GLOBAL_CONFIG has them");
};
inline constexpr TpOutConfigFields kTpOutConfigFields;

constexpr RegisterSpec kTpOutConfig{"TP_OUT_CONFIG",    0x304, kTpOutConfigFields,
                                    Access::kReadWrite, 0,     kTpOutConfigFields.mask()};

struct TpGlobalConfigFields : RegisterFields {
  RegisterField ip_ttl = unmodelled("IP_TTL", 0, 8);
  RegisterField tcam_server_region_usage = unmodelled("TCAM_SERVER_REGION_USAGE", 8, 2);
  RegisterField qos_mapping = unmodelled("QOS_MAPPING", 10);
  RegisterField tcp_csum = bit("TCP_CSUM", 11, "checksums of TCP");
  RegisterField udp_csum = bit("UDP_CSUM", 12, "checksums of UDP");
  RegisterField ip_csum = bit("IP_CSUM", 13, "checksums of IP headers");
  RegisterField ip_id_split = unmodelled("IP_ID_SPLIT", 14);
  RegisterField path_mtu = unmodelled("PATH_MTU", 15);
  RegisterField x5tuple_lookup = unmodelled("5TUPLE_LOOKUP", 17, 2);
  RegisterField ip_fragment_drop = unmodelled("IP_FRAGMENT_DROP", 19);
  RegisterField ping_drop = unmodelled("PING_DROP", 20);
  RegisterField protect_mode = unmodelled("PROTECT_MODE", 21);
  RegisterField syn_cookie_algorithm = unmodelled("SYN_COOKIE_ALGORITHM", 22);
  RegisterField attack_filter = unmodelled("ATTACK_FILTER", 23);
  RegisterField interface_type = unmodelled("INTERFACE_TYPE", 24);
  RegisterField disable_rx_flow_control = unmodelled("DISABLE_RX_FLOW_CONTROL", 25);
  RegisterField syn_cookie_parameter = unmodelled("SYN_COOKIE_PARAMETER", 26, 6);
};
inline constexpr TpGlobalConfigFields kTpGlobalConfigFields;

constexpr RegisterSpec kTpGlobalConfig{"TP_GLOBAL_CONFIG", 0x308, kTpGlobalConfigFields,
                                       Access::kReadWrite, 0,     kTpGlobalConfigFields.mask()};
constexpr RegisterSpec kTpGlobalRxCredits{"TP_GLOBAL_RX_CREDITS", 0x30c};
constexpr RegisterSpec kTpCmSize{"TP_CM_SIZE", 0x310};

struct TpCmMmBaseFields : RegisterFields {
  RegisterField cm_memmgr_base = unmodelled("CM_MEMMGR_BASE", 0, 28);
};
inline constexpr TpCmMmBaseFields kTpCmMmBaseFields;

constexpr RegisterSpec kTpCmMmBase{"TP_CM_MM_BASE",    0x314, kTpCmMmBaseFields,
                                   Access::kReadWrite, 0,     kTpCmMmBaseFields.mask()};

struct TpCmTimerBaseFields : RegisterFields {
  RegisterField cm_timer_base = unmodelled("CM_TIMER_BASE", 0, 28);
};
inline constexpr TpCmTimerBaseFields kTpCmTimerBaseFields;

constexpr RegisterSpec kTpCmTimerBase{"TP_CM_TIMER_BASE", 0x318, kTpCmTimerBaseFields,
                                      Access::kReadWrite, 0,     kTpCmTimerBaseFields.mask()};
constexpr RegisterSpec kTpPmSize{"TP_PM_SIZE", 0x31c};
constexpr RegisterSpec kTpPmTxBase{"TP_PM_TX_BASE", 0x320};
constexpr RegisterSpec kTpPmDefragBase{"TP_PM_DEFRAG_BASE", 0x324};
constexpr RegisterSpec kTpPmRxBase{"TP_PM_RX_BASE", 0x328};
constexpr RegisterSpec kTpPmRxPgSize{"TP_PM_RX_PG_SIZE", 0x32c};
constexpr RegisterSpec kTpPmRxMaxPgs{"TP_PM_RX_MAX_PGS", 0x330};
constexpr RegisterSpec kTpPmTxPgSize{"TP_PM_TX_PG_SIZE", 0x334};
constexpr RegisterSpec kTpPmTxMaxPgs{"TP_PM_TX_MAX_PGS", 0x338};

struct TpPcConfigFields : RegisterFields {
  RegisterField tp_access_latency = unmodelled("TP_ACCESS_LATENCY", 0, 4);
  RegisterField held_fin_disable = unmodelled("HELD_FIN_DISABLE", 4);
  RegisterField ddp_fc_enable = unmodelled("DDP_FC_ENABLE", 5);
  RegisterField rdma_err_enable = unmodelled("RDMA_ERR_ENABLE", 6);
  RegisterField fast_pdu_delivery = unmodelled("FAST_PDU_DELIVERY", 7);
  RegisterField clear_fin = unmodelled("CLEAR_FIN", 8);
  RegisterField dis_tx_fill_win_push = unmodelled("DIS_TX_FILL_WIN_PUSH", 12);
  RegisterField tp_pc_rev = bits("TP_PC_REV", 30, 2, "revision of the chip: 2 is T1B");
};
inline constexpr TpPcConfigFields kTpPcConfigFields;

constexpr RegisterSpec kTpPcConfig{"TP_PC_CONFIG",
                                   0x348,
                                   kTpPcConfigFields,
                                   Access::kReadWrite,
                                   kTpPcConfigFields.tp_pc_rev.put(kRevisionT1b),
                                   kTpPcConfigFields.mask() & ~kTpPcConfigFields.tp_pc_rev};

struct TpQosFields : RegisterFields {
  RegisterField l3_value = unmodelled("L3_VALUE", 0, 6);
};
inline constexpr TpQosFields kTpQosFields;

constexpr RegisterSpec kTpQosReg0{"TP_QOS_REG0",      0x3e0, kTpQosFields,
                                  Access::kReadWrite, 0,     kTpQosFields.mask()};
constexpr RegisterSpec kTpQosReg1{"TP_QOS_REG1",      0x3e4, kTpQosFields,
                                  Access::kReadWrite, 0,     kTpQosFields.mask()};
constexpr RegisterSpec kTpQosReg2{"TP_QOS_REG2",      0x3e8, kTpQosFields,
                                  Access::kReadWrite, 0,     kTpQosFields.mask()};
constexpr RegisterSpec kTpQosReg3{"TP_QOS_REG3",      0x3ec, kTpQosFields,
                                  Access::kReadWrite, 0,     kTpQosFields.mask()};
constexpr RegisterSpec kTpQosReg4{"TP_QOS_REG4",      0x3f0, kTpQosFields,
                                  Access::kReadWrite, 0,     kTpQosFields.mask()};
constexpr RegisterSpec kTpQosReg5{"TP_QOS_REG5",      0x3f4, kTpQosFields,
                                  Access::kReadWrite, 0,     kTpQosFields.mask()};
constexpr RegisterSpec kTpQosReg6{"TP_QOS_REG6",      0x3f8, kTpQosFields,
                                  Access::kReadWrite, 0,     kTpQosFields.mask()};
constexpr RegisterSpec kTpQosReg7{"TP_QOS_REG7",      0x3fc, kTpQosFields,
                                  Access::kReadWrite, 0,     kTpQosFields.mask()};
constexpr RegisterSpec kTpMtuReg0{"TP_MTU_REG0", 0x404};
constexpr RegisterSpec kTpMtuReg1{"TP_MTU_REG1", 0x408};
constexpr RegisterSpec kTpMtuReg2{"TP_MTU_REG2", 0x40c};
constexpr RegisterSpec kTpMtuReg3{"TP_MTU_REG3", 0x410};
constexpr RegisterSpec kTpMtuReg4{"TP_MTU_REG4", 0x414};
constexpr RegisterSpec kTpMtuReg5{"TP_MTU_REG5", 0x418};
constexpr RegisterSpec kTpMtuReg6{"TP_MTU_REG6", 0x41c};
constexpr RegisterSpec kTpMtuReg7{"TP_MTU_REG7", 0x420};
constexpr std::array<const RegisterSpec*, 8> kTpMtuRegs{&kTpMtuReg0, &kTpMtuReg1, &kTpMtuReg2,
                                                        &kTpMtuReg3, &kTpMtuReg4, &kTpMtuReg5,
                                                        &kTpMtuReg6, &kTpMtuReg7};

struct TpResetFields : RegisterFields {
  RegisterField tp_reset = bit("TP_RESET", 0, "resets TP: no connection stays; reads as 0");
  RegisterField cm_memmgr_init =
      bit("CM_MEMMGR_INIT", 1, "clears the memory manager; set while it does");
};
inline constexpr TpResetFields kTpResetFields;

constexpr RegisterSpec kTpReset{"TP_RESET", 0x44c, kTpResetFields, Access::kAction};
// Words of the statistics, in the order of Linux 6.1, cxgb/tp.h: tp_mib_statistics. Reading
// TP_MIB_DATA moves the index (illumos, chxge/com/tp.c: t1_tp_get_mib_statistics()).
constexpr RegisterSpec kTpMibIndex{"TP_MIB_INDEX", 0x450};
constexpr RegisterSpec kTpMibData{"TP_MIB_DATA", 0x454, Access::kReadOnly};
constexpr RegisterSpec kTpSyncTimeHi{"TP_SYNC_TIME_HI", 0x458};
constexpr RegisterSpec kTpSyncTimeLo{"TP_SYNC_TIME_LO", 0x45c};

struct TpCmMmRxFlstBaseFields : RegisterFields {
  RegisterField cm_memmgr_rx_free_list_base = unmodelled("CM_MEMMGR_RX_FREE_LIST_BASE", 0, 28);
};
inline constexpr TpCmMmRxFlstBaseFields kTpCmMmRxFlstBaseFields;

constexpr RegisterSpec kTpCmMmRxFlstBase{
    "TP_CM_MM_RX_FLST_BASE", 0x460, kTpCmMmRxFlstBaseFields,
    Access::kReadWrite,      0,     kTpCmMmRxFlstBaseFields.mask()};

struct TpCmMmTxFlstBaseFields : RegisterFields {
  RegisterField cm_memmgr_tx_free_list_base = unmodelled("CM_MEMMGR_TX_FREE_LIST_BASE", 0, 28);
};
inline constexpr TpCmMmTxFlstBaseFields kTpCmMmTxFlstBaseFields;

constexpr RegisterSpec kTpCmMmTxFlstBase{
    "TP_CM_MM_TX_FLST_BASE", 0x464, kTpCmMmTxFlstBaseFields,
    Access::kReadWrite,      0,     kTpCmMmTxFlstBaseFields.mask()};

struct TpCmMmPFlstBaseFields : RegisterFields {
  RegisterField cm_memmgr_pstruct_free_list_base =
      unmodelled("CM_MEMMGR_PSTRUCT_FREE_LIST_BASE", 0, 28);
};
inline constexpr TpCmMmPFlstBaseFields kTpCmMmPFlstBaseFields;

constexpr RegisterSpec kTpCmMmPFlstBase{
    "TP_CM_MM_P_FLST_BASE", 0x468, kTpCmMmPFlstBaseFields,
    Access::kReadWrite,     0,     kTpCmMmPFlstBaseFields.mask()};

struct TpCmMmMaxPFields : RegisterFields {
  RegisterField cm_memmgr_max_pstruct = unmodelled("CM_MEMMGR_MAX_PSTRUCT", 0, 28);
};
inline constexpr TpCmMmMaxPFields kTpCmMmMaxPFields;

constexpr RegisterSpec kTpCmMmMaxP{"TP_CM_MM_MAX_P",   0x46c, kTpCmMmMaxPFields,
                                   Access::kReadWrite, 0,     kTpCmMmMaxPFields.mask()};

struct TpIntFields : RegisterFields {
  RegisterField tx_free_list_empty = unmodelled("TX_FREE_LIST_EMPTY", 0);
  RegisterField rx_free_list_empty = unmodelled("RX_FREE_LIST_EMPTY", 1);
};
inline constexpr TpIntFields kTpIntFields;

constexpr RegisterSpec kTpIntEnable{"TP_INT_ENABLE",    0x470, kTpIntFields,
                                    Access::kReadWrite, 0,     kTpIntFields.mask()};
constexpr RegisterSpec kTpIntCause{"TP_INT_CAUSE", 0x474, kTpIntFields, Access::kAction};

struct TpTimerSeparatorFields : RegisterFields {
  RegisterField disable_past_timer_insertion = unmodelled("DISABLE_PAST_TIMER_INSERTION", 0);
  RegisterField modulation_timer_separator =
      bits("MODULATION_TIMER_SEPARATOR", 1, 15, "core clocks between modulation events");
  RegisterField global_timer_separator =
      bits("GLOBAL_TIMER_SEPARATOR", 16, 16, "core clocks between timer events");
};
inline constexpr TpTimerSeparatorFields kTpTimerSeparatorFields;

constexpr RegisterSpec kTpTimerSeparator{
    "TP_TIMER_SEPARATOR", 0x4a4, kTpTimerSeparatorFields,
    Access::kReadWrite,   0,     kTpTimerSeparatorFields.mask()};
constexpr RegisterSpec kTpCmFcMode{"TP_CM_FC_MODE", 0x4b0};
constexpr RegisterSpec kTpPcCongestionCntl{"TP_PC_CONGESTION_CNTL", 0x4b4};

struct TpTxDropConfigFields : RegisterFields {
  RegisterField enable_tx_drop = unmodelled("ENABLE_TX_DROP", 31);
  RegisterField enable_tx_error = unmodelled("ENABLE_TX_ERROR", 30);
  RegisterField drop_ticks_cnt = unmodelled("DROP_TICKS_CNT", 4, 26);
  RegisterField num_pkts_dropped = unmodelled("NUM_PKTS_DROPPED", 0, 4);
};
inline constexpr TpTxDropConfigFields kTpTxDropConfigFields;

constexpr RegisterSpec kTpTxDropConfig{"TP_TX_DROP_CONFIG", 0x4b8, kTpTxDropConfigFields,
                                       Access::kReadWrite,  0,     kTpTxDropConfigFields.mask()};
constexpr RegisterSpec kTpTxDropCount{"TP_TX_DROP_COUNT", 0x4bc};

}  // namespace longhaul::nic::terminator::regs
