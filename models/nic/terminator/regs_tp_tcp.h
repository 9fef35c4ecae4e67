// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

/// Registers of TP that set TCP up. Names, offsets and fields are those of Linux 6.1 cxgb/regs.h.
namespace longhaul::nic::terminator::regs {

struct TpTcpOptionsFields : RegisterFields {
  RegisterField timestamp = unmodelled("TIMESTAMP", 0, 2);
  RegisterField window_scale = unmodelled("WINDOW_SCALE", 2, 2);
  RegisterField sack = unmodelled("SACK", 4, 2);
  RegisterField ecn = unmodelled("ECN", 6, 2);
  RegisterField sack_algorithm = unmodelled("SACK_ALGORITHM", 8, 2);
  RegisterField mss = unmodelled("MSS", 10);
  RegisterField default_peer_mss = unmodelled("DEFAULT_PEER_MSS", 16, 16);
};
inline constexpr TpTcpOptionsFields kTpTcpOptionsFields;

constexpr RegisterSpec kTpTcpOptions{"TP_TCP_OPTIONS",   0x340, kTpTcpOptionsFields,
                                     Access::kReadWrite, 0,     kTpTcpOptionsFields.mask()};

struct TpDackConfigFields : RegisterFields {
  RegisterField dack_mode = unmodelled("DACK_MODE", 0);
  RegisterField dack_auto_mgmt = unmodelled("DACK_AUTO_MGMT", 1);
  RegisterField dack_auto_careful = unmodelled("DACK_AUTO_CAREFUL", 2);
  RegisterField dack_mss_selector = unmodelled("DACK_MSS_SELECTOR", 3, 2);
  RegisterField dack_byte_threshold = unmodelled("DACK_BYTE_THRESHOLD", 5, 20);
};
inline constexpr TpDackConfigFields kTpDackConfigFields;

constexpr RegisterSpec kTpDackConfig{"TP_DACK_CONFIG",   0x344, kTpDackConfigFields,
                                     Access::kReadWrite, 0,     kTpDackConfigFields.mask()};

struct TpBackoffFields : RegisterFields {
  RegisterField element0 = unmodelled("ELEMENT0", 0, 8);
  RegisterField element1 = unmodelled("ELEMENT1", 8, 8);
  RegisterField element2 = unmodelled("ELEMENT2", 16, 8);
  RegisterField element3 = unmodelled("ELEMENT3", 24, 8);
};
inline constexpr TpBackoffFields kTpBackoffFields;

constexpr RegisterSpec kTpBackoff0{"TP_BACKOFF0",      0x350, kTpBackoffFields,
                                   Access::kReadWrite, 0,     kTpBackoffFields.mask()};
constexpr RegisterSpec kTpBackoff1{"TP_BACKOFF1",      0x354, kTpBackoffFields,
                                   Access::kReadWrite, 0,     kTpBackoffFields.mask()};
constexpr RegisterSpec kTpBackoff2{"TP_BACKOFF2",      0x358, kTpBackoffFields,
                                   Access::kReadWrite, 0,     kTpBackoffFields.mask()};
constexpr RegisterSpec kTpBackoff3{"TP_BACKOFF3",      0x35c, kTpBackoffFields,
                                   Access::kReadWrite, 0,     kTpBackoffFields.mask()};

struct TpParaReg0Fields : RegisterFields {
  RegisterField var_mult = unmodelled("VAR_MULT", 0, 4);
  RegisterField var_gain = unmodelled("VAR_GAIN", 4, 4);
  RegisterField srtt_gain = unmodelled("SRTT_GAIN", 8, 4);
  RegisterField rttvar_init = unmodelled("RTTVAR_INIT", 12, 4);
  RegisterField dup_thresh = unmodelled("DUP_THRESH", 20, 4);
  RegisterField init_cong_win = unmodelled("INIT_CONG_WIN", 24, 3);
};
inline constexpr TpParaReg0Fields kTpParaReg0Fields;

constexpr RegisterSpec kTpParaReg0{"TP_PARA_REG0",     0x360, kTpParaReg0Fields,
                                   Access::kReadWrite, 0,     kTpParaReg0Fields.mask()};

struct TpParaReg1Fields : RegisterFields {
  RegisterField initial_slow_start_threshold = unmodelled("INITIAL_SLOW_START_THRESHOLD", 0, 16);
  RegisterField receive_buffer_size = unmodelled("RECEIVE_BUFFER_SIZE", 16, 16);
};
inline constexpr TpParaReg1Fields kTpParaReg1Fields;

constexpr RegisterSpec kTpParaReg1{"TP_PARA_REG1",     0x364, kTpParaReg1Fields,
                                   Access::kReadWrite, 0,     kTpParaReg1Fields.mask()};

struct TpParaReg2Fields : RegisterFields {
  RegisterField rx_coalesce_size = unmodelled("RX_COALESCE_SIZE", 0, 16);
  RegisterField max_rx_size = unmodelled("MAX_RX_SIZE", 16, 16);
};
inline constexpr TpParaReg2Fields kTpParaReg2Fields;

constexpr RegisterSpec kTpParaReg2{"TP_PARA_REG2",     0x368, kTpParaReg2Fields,
                                   Access::kReadWrite, 0,     kTpParaReg2Fields.mask()};

struct TpParaReg3Fields : RegisterFields {
  RegisterField rx_coalescing_psh_deliver = unmodelled("RX_COALESCING_PSH_DELIVER", 0);
  RegisterField rx_coalescing_enable = unmodelled("RX_COALESCING_ENABLE", 1);
  RegisterField tahoe_enable = unmodelled("TAHOE_ENABLE", 2);
  RegisterField max_reorder_fragments = unmodelled("MAX_REORDER_FRAGMENTS", 12, 3);
};
inline constexpr TpParaReg3Fields kTpParaReg3Fields;

constexpr RegisterSpec kTpParaReg3{"TP_PARA_REG3",     0x36c, kTpParaReg3Fields,
                                   Access::kReadWrite, 0,     kTpParaReg3Fields.mask()};

struct TpTimerResolutionFields : RegisterFields {
  RegisterField delayed_ack_timer_resolution = unmodelled("DELAYED_ACK_TIMER_RESOLUTION", 0, 6);
  RegisterField generic_timer_resolution = unmodelled("GENERIC_TIMER_RESOLUTION", 16, 6);
};
inline constexpr TpTimerResolutionFields kTpTimerResolutionFields;

constexpr RegisterSpec kTpTimerResolution{
    "TP_TIMER_RESOLUTION", 0x390, kTpTimerResolutionFields,
    Access::kReadWrite,    0,     kTpTimerResolutionFields.mask()};

struct Tp2mslFields : RegisterFields {
  RegisterField x2msl = unmodelled("2MSL", 0, 30);
};
inline constexpr Tp2mslFields kTp2mslFields;

constexpr RegisterSpec kTp2msl{"TP_2MSL",          0x394, kTp2mslFields,
                               Access::kReadWrite, 0,     kTp2mslFields.mask()};

struct TpRxtMinFields : RegisterFields {
  RegisterField retransmit_timer_min = unmodelled("RETRANSMIT_TIMER_MIN", 0, 16);
};
inline constexpr TpRxtMinFields kTpRxtMinFields;

constexpr RegisterSpec kTpRxtMin{"TP_RXT_MIN",       0x398, kTpRxtMinFields,
                                 Access::kReadWrite, 0,     kTpRxtMinFields.mask()};

struct TpRxtMaxFields : RegisterFields {
  RegisterField retransmit_timer_max = unmodelled("RETRANSMIT_TIMER_MAX", 0, 30);
};
inline constexpr TpRxtMaxFields kTpRxtMaxFields;

constexpr RegisterSpec kTpRxtMax{"TP_RXT_MAX",       0x39c, kTpRxtMaxFields,
                                 Access::kReadWrite, 0,     kTpRxtMaxFields.mask()};

struct TpPersMinFields : RegisterFields {
  RegisterField persist_timer_min = unmodelled("PERSIST_TIMER_MIN", 0, 16);
};
inline constexpr TpPersMinFields kTpPersMinFields;

constexpr RegisterSpec kTpPersMin{"TP_PERS_MIN",      0x3a0, kTpPersMinFields,
                                  Access::kReadWrite, 0,     kTpPersMinFields.mask()};

struct TpPersMaxFields : RegisterFields {
  RegisterField persist_timer_max = unmodelled("PERSIST_TIMER_MAX", 0, 30);
};
inline constexpr TpPersMaxFields kTpPersMaxFields;

constexpr RegisterSpec kTpPersMax{"TP_PERS_MAX",      0x3a4, kTpPersMaxFields,
                                  Access::kReadWrite, 0,     kTpPersMaxFields.mask()};

struct TpKeepIdleFields : RegisterFields {
  RegisterField keep_alive_idle_time = unmodelled("KEEP_ALIVE_IDLE_TIME", 0, 30);
};
inline constexpr TpKeepIdleFields kTpKeepIdleFields;

constexpr RegisterSpec kTpKeepIdle{"TP_KEEP_IDLE",     0x3ac, kTpKeepIdleFields,
                                   Access::kReadWrite, 0,     kTpKeepIdleFields.mask()};

struct TpKeepIntvlFields : RegisterFields {
  RegisterField keep_alive_interval_time = unmodelled("KEEP_ALIVE_INTERVAL_TIME", 0, 30);
};
inline constexpr TpKeepIntvlFields kTpKeepIntvlFields;

constexpr RegisterSpec kTpKeepIntvl{"TP_KEEP_INTVL",    0x3b0, kTpKeepIntvlFields,
                                    Access::kReadWrite, 0,     kTpKeepIntvlFields.mask()};

struct TpInitSrttFields : RegisterFields {
  RegisterField initial_srtt = unmodelled("INITIAL_SRTT", 0, 16);
};
inline constexpr TpInitSrttFields kTpInitSrttFields;

constexpr RegisterSpec kTpInitSrtt{"TP_INIT_SRTT",     0x3b4, kTpInitSrttFields,
                                   Access::kReadWrite, 0,     kTpInitSrttFields.mask()};

struct TpDackTimeFields : RegisterFields {
  RegisterField delayed_ack_time = unmodelled("DELAYED_ACK_TIME", 0, 11);
};
inline constexpr TpDackTimeFields kTpDackTimeFields;

constexpr RegisterSpec kTpDackTime{"TP_DACK_TIME",     0x3b8, kTpDackTimeFields,
                                   Access::kReadWrite, 0,     kTpDackTimeFields.mask()};

struct TpFinwait2TimeFields : RegisterFields {
  RegisterField finwait2_time = unmodelled("FINWAIT2_TIME", 0, 30);
};
inline constexpr TpFinwait2TimeFields kTpFinwait2TimeFields;

constexpr RegisterSpec kTpFinwait2Time{"TP_FINWAIT2_TIME", 0x3bc, kTpFinwait2TimeFields,
                                       Access::kReadWrite, 0,     kTpFinwait2TimeFields.mask()};

struct TpFastFinwait2TimeFields : RegisterFields {
  RegisterField fast_finwait2_time = unmodelled("FAST_FINWAIT2_TIME", 0, 30);
};
inline constexpr TpFastFinwait2TimeFields kTpFastFinwait2TimeFields;

constexpr RegisterSpec kTpFastFinwait2Time{
    "TP_FAST_FINWAIT2_TIME", 0x3c0, kTpFastFinwait2TimeFields,
    Access::kReadWrite,      0,     kTpFastFinwait2TimeFields.mask()};

struct TpShiftCntFields : RegisterFields {
  RegisterField keepalive_max = unmodelled("KEEPALIVE_MAX", 0, 8);
  RegisterField windowprobe_max = unmodelled("WINDOWPROBE_MAX", 8, 8);
  RegisterField retransmission_max =
      bits("RETRANSMISSION_MAX", 16, 8, "retransmissions of data; 0: the engine's data_retries");
  RegisterField syn_max = unmodelled("SYN_MAX", 24, 8);
};
inline constexpr TpShiftCntFields kTpShiftCntFields;

constexpr RegisterSpec kTpShiftCnt{"TP_SHIFT_CNT",     0x3c4, kTpShiftCntFields,
                                   Access::kReadWrite, 0,     kTpShiftCntFields.mask()};

}  // namespace longhaul::nic::terminator::regs
