// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

/// Registers of MC5, the controller of the TCAM. Names, offsets and fields are those of Linux 6.1
/// cxgb/regs.h.
namespace longhaul::nic::terminator::regs {

struct Mc5ConfigFields : RegisterFields {
  RegisterField mc5_mode = unmodelled("MODE", 0);
  RegisterField tcam_reset = bit("TCAM_RESET", 1, "resets the TCAM; reads as 0");
  RegisterField tcam_ready = bit("TCAM_READY", 2, "the TCAM has been reset");
  RegisterField dbgi_enable = unmodelled("DBGI_ENABLE", 4);
  RegisterField m_bus_enable = unmodelled("M_BUS_ENABLE", 5);
  RegisterField parity_enable = unmodelled("PARITY_ENABLE", 6);
  RegisterField syn_issue_mode = unmodelled("SYN_ISSUE_MODE", 7, 2);
  RegisterField mc5_build = unmodelled("BUILD", 16);
  RegisterField compression_enable = unmodelled("COMPRESSION_ENABLE", 17);
  RegisterField num_lip = unmodelled("NUM_LIP", 18, 6);
  RegisterField tcam_part_cnt = unmodelled("TCAM_PART_CNT", 24, 2);
  RegisterField tcam_part_type = unmodelled("TCAM_PART_TYPE", 26, 2);
  RegisterField tcam_part_size = unmodelled("TCAM_PART_SIZE", 28, 2);
  RegisterField tcam_part_type_hi = unmodelled("TCAM_PART_TYPE_HI", 30);
};
inline constexpr Mc5ConfigFields kMc5ConfigFields;

constexpr RegisterSpec kMc5Config{
    "MC5_CONFIG",       0xc04, kMc5ConfigFields,
    Access::kReadWrite, 0,     kMc5ConfigFields.mask() & ~kMc5ConfigFields.tcam_ready};

struct Mc5SizeFields : RegisterFields {
  RegisterField tcam_size = unmodelled("SIZE", 0, 22);
};
inline constexpr Mc5SizeFields kMc5SizeFields;

constexpr RegisterSpec kMc5Size{"MC5_SIZE",         0xc08, kMc5SizeFields,
                                Access::kReadWrite, 0,     kMc5SizeFields.mask()};

struct Mc5RoutingTableIndexFields : RegisterFields {
  RegisterField start_of_routing_table = unmodelled("START_OF_ROUTING_TABLE", 0, 22);
};
inline constexpr Mc5RoutingTableIndexFields kMc5RoutingTableIndexFields;

constexpr RegisterSpec kMc5RoutingTableIndex{
    "MC5_ROUTING_TABLE_INDEX", 0xc0c, kMc5RoutingTableIndexFields,
    Access::kReadWrite,        0,     kMc5RoutingTableIndexFields.mask()};

struct Mc5ServerIndexFields : RegisterFields {
  RegisterField start_of_server_index = unmodelled("START_OF_SERVER_INDEX", 0, 22);
};
inline constexpr Mc5ServerIndexFields kMc5ServerIndexFields;

constexpr RegisterSpec kMc5ServerIndex{"MC5_SERVER_INDEX", 0xc14, kMc5ServerIndexFields,
                                       Access::kReadWrite, 0,     kMc5ServerIndexFields.mask()};

struct Mc5LipRamAddrFields : RegisterFields {
  RegisterField local_ip_ram_addr = unmodelled("LOCAL_IP_RAM_ADDR", 0, 6);
  RegisterField ram_write_enable = unmodelled("RAM_WRITE_ENABLE", 8);
};
inline constexpr Mc5LipRamAddrFields kMc5LipRamAddrFields;

constexpr RegisterSpec kMc5LipRamAddr{"MC5_LIP_RAM_ADDR", 0xc18, kMc5LipRamAddrFields,
                                      Access::kReadWrite, 0,     kMc5LipRamAddrFields.mask()};
constexpr RegisterSpec kMc5LipRamData{"MC5_LIP_RAM_DATA", 0xc1c};

struct Mc5RspLatencyFields : RegisterFields {
  RegisterField search_response_latency = unmodelled("SEARCH_RESPONSE_LATENCY", 0, 5);
  RegisterField learn_response_latency = unmodelled("LEARN_RESPONSE_LATENCY", 8, 5);
};
inline constexpr Mc5RspLatencyFields kMc5RspLatencyFields;

constexpr RegisterSpec kMc5RspLatency{"MC5_RSP_LATENCY",  0xc20, kMc5RspLatencyFields,
                                      Access::kReadWrite, 0,     kMc5RspLatencyFields.mask()};

struct Mc5ParityLatencyFields : RegisterFields {
  RegisterField srchlat = unmodelled("SRCHLAT", 0, 5);
  RegisterField parlat = unmodelled("PARLAT", 8, 5);
};
inline constexpr Mc5ParityLatencyFields kMc5ParityLatencyFields;

constexpr RegisterSpec kMc5ParityLatency{
    "MC5_PARITY_LATENCY", 0xc24, kMc5ParityLatencyFields,
    Access::kReadWrite,   0,     kMc5ParityLatencyFields.mask()};

struct Mc5WrLrnVerifyFields : RegisterFields {
  RegisterField poveren = unmodelled("POVEREN", 0);
  RegisterField lrnveren = unmodelled("LRNVEREN", 1);
  RegisterField vwveren = unmodelled("VWVEREN", 2);
};
inline constexpr Mc5WrLrnVerifyFields kMc5WrLrnVerifyFields;

constexpr RegisterSpec kMc5WrLrnVerify{"MC5_WR_LRN_VERIFY", 0xc28, kMc5WrLrnVerifyFields,
                                       Access::kReadWrite,  0,     kMc5WrLrnVerifyFields.mask()};

struct Mc5PartIdIndexFields : RegisterFields {
  RegisterField idindex = unmodelled("IDINDEX", 0, 4);
};
inline constexpr Mc5PartIdIndexFields kMc5PartIdIndexFields;

constexpr RegisterSpec kMc5PartIdIndex{"MC5_PART_ID_INDEX", 0xc2c, kMc5PartIdIndexFields,
                                       Access::kReadWrite,  0,     kMc5PartIdIndexFields.mask()};

struct Mc5ResetMaxFields : RegisterFields {
  RegisterField rstmax = unmodelled("RSTMAX", 0, 9);
};
inline constexpr Mc5ResetMaxFields kMc5ResetMaxFields;

constexpr RegisterSpec kMc5ResetMax{"MC5_RESET_MAX",    0xc30, kMc5ResetMaxFields,
                                    Access::kReadWrite, 0,     kMc5ResetMaxFields.mask()};

/// MC5_INT_ENABLE and MC5_INT_CAUSE.
struct Mc5IntFields : RegisterFields {
  RegisterField mc5_int_hit_out_active_region_err =
      unmodelled("MC5_INT_HIT_OUT_ACTIVE_REGION_ERR", 0);
  RegisterField mc5_int_hit_in_active_region_err =
      unmodelled("MC5_INT_HIT_IN_ACTIVE_REGION_ERR", 1);
  RegisterField mc5_int_hit_in_rt_region_err = unmodelled("MC5_INT_HIT_IN_RT_REGION_ERR", 2);
  RegisterField mc5_int_miss_err = unmodelled("MC5_INT_MISS_ERR", 3);
  RegisterField mc5_int_lip0_err = unmodelled("MC5_INT_LIP0_ERR", 4);
  RegisterField mc5_int_lip_miss_err = unmodelled("MC5_INT_LIP_MISS_ERR", 5);
  RegisterField mc5_int_parity_err = unmodelled("MC5_INT_PARITY_ERR", 6);
  RegisterField mc5_int_active_region_full = unmodelled("MC5_INT_ACTIVE_REGION_FULL", 7);
  RegisterField mc5_int_nfa_srch_err = unmodelled("MC5_INT_NFA_SRCH_ERR", 8);
  RegisterField mc5_int_syn_cookie = unmodelled("MC5_INT_SYN_COOKIE", 9);
  RegisterField mc5_int_syn_cookie_bad = unmodelled("MC5_INT_SYN_COOKIE_BAD", 10);
  RegisterField mc5_int_syn_cookie_off = unmodelled("MC5_INT_SYN_COOKIE_OFF", 11);
  RegisterField mc5_int_unknown_cmd = unmodelled("MC5_INT_UNKNOWN_CMD", 15);
  RegisterField mc5_int_requestq_parity_err = unmodelled("MC5_INT_REQUESTQ_PARITY_ERR", 16);
  RegisterField mc5_int_dispatchq_parity_err = unmodelled("MC5_INT_DISPATCHQ_PARITY_ERR", 17);
  RegisterField mc5_int_del_act_empty = unmodelled("MC5_INT_DEL_ACT_EMPTY", 18);
};
inline constexpr Mc5IntFields kMc5IntFields;

constexpr RegisterSpec kMc5IntEnable{"MC5_INT_ENABLE",   0xc40, kMc5IntFields,
                                     Access::kReadWrite, 0,     kMc5IntFields.mask()};
constexpr RegisterSpec kMc5IntCause{"MC5_INT_CAUSE", 0xc44, kMc5IntFields, Access::kReadOnly};
constexpr RegisterSpec kMc5IntTid{"MC5_INT_TID", 0xc48};
constexpr RegisterSpec kMc5IntPtid{"MC5_INT_PTID", 0xc4c};
constexpr RegisterSpec kMc5DbgiConfig{"MC5_DBGI_CONFIG", 0xc74};

struct Mc5DbgiReqCmdFields : RegisterFields {
  RegisterField cmdmode = unmodelled("CMDMODE", 0, 3);
  RegisterField sadrsel = unmodelled("SADRSEL", 4);
  RegisterField write_burst_size = unmodelled("WRITE_BURST_SIZE", 22, 10);
};
inline constexpr Mc5DbgiReqCmdFields kMc5DbgiReqCmdFields;

constexpr RegisterSpec kMc5DbgiReqCmd{"MC5_DBGI_REQ_CMD", 0xc78, kMc5DbgiReqCmdFields,
                                      Access::kReadWrite, 0,     kMc5DbgiReqCmdFields.mask()};
constexpr RegisterSpec kMc5DbgiReqAddr0{"MC5_DBGI_REQ_ADDR0", 0xc7c};
constexpr RegisterSpec kMc5DbgiReqAddr1{"MC5_DBGI_REQ_ADDR1", 0xc80};
constexpr RegisterSpec kMc5DbgiReqAddr2{"MC5_DBGI_REQ_ADDR2", 0xc84};
constexpr RegisterSpec kMc5DbgiReqData0{"MC5_DBGI_REQ_DATA0", 0xc88};
constexpr RegisterSpec kMc5DbgiReqData1{"MC5_DBGI_REQ_DATA1", 0xc8c};
constexpr RegisterSpec kMc5DbgiReqData2{"MC5_DBGI_REQ_DATA2", 0xc90};
constexpr RegisterSpec kMc5DbgiReqData3{"MC5_DBGI_REQ_DATA3", 0xc94};
constexpr RegisterSpec kMc5DbgiReqData4{"MC5_DBGI_REQ_DATA4", 0xc98};
constexpr RegisterSpec kMc5DbgiReqMask0{"MC5_DBGI_REQ_MASK0", 0xc9c};
constexpr RegisterSpec kMc5DbgiReqMask1{"MC5_DBGI_REQ_MASK1", 0xca0};
constexpr RegisterSpec kMc5DbgiReqMask2{"MC5_DBGI_REQ_MASK2", 0xca4};
constexpr RegisterSpec kMc5DbgiReqMask3{"MC5_DBGI_REQ_MASK3", 0xca8};
constexpr RegisterSpec kMc5DbgiReqMask4{"MC5_DBGI_REQ_MASK4", 0xcac};

struct Mc5DbgiRspStatusFields : RegisterFields {
  RegisterField dbgi_rsp_valid = bit("DBGI_RSP_VALID", 0, "the command of DBGI_REQ_CMD is over");
  RegisterField dbgi_rsp_hit = unmodelled("DBGI_RSP_HIT", 1);
  RegisterField dbgi_rsp_err = unmodelled("DBGI_RSP_ERR", 2);
  RegisterField dbgi_rsp_err_reason = unmodelled("DBGI_RSP_ERR_REASON", 8, 3);
};
inline constexpr Mc5DbgiRspStatusFields kMc5DbgiRspStatusFields;

constexpr RegisterSpec kMc5DbgiRspStatus{"MC5_DBGI_RSP_STATUS", 0xcb0, kMc5DbgiRspStatusFields,
                                         Access::kReadOnly};
constexpr RegisterSpec kMc5DbgiRspData0{"MC5_DBGI_RSP_DATA0", 0xcb4, Access::kReadOnly};
constexpr RegisterSpec kMc5DbgiRspData1{"MC5_DBGI_RSP_DATA1", 0xcb8, Access::kReadOnly};
constexpr RegisterSpec kMc5DbgiRspData2{"MC5_DBGI_RSP_DATA2", 0xcbc, Access::kReadOnly};
constexpr RegisterSpec kMc5DbgiRspData3{"MC5_DBGI_RSP_DATA3", 0xcc0, Access::kReadOnly};
constexpr RegisterSpec kMc5DbgiRspData4{"MC5_DBGI_RSP_DATA4", 0xcc4, Access::kReadOnly};
constexpr RegisterSpec kMc5DbgiRspLastCmd{"MC5_DBGI_RSP_LAST_CMD", 0xcc8, Access::kReadOnly};
constexpr RegisterSpec kMc5PopenDataWrCmd{"MC5_POPEN_DATA_WR_CMD", 0xccc};
constexpr RegisterSpec kMc5PopenMaskWrCmd{"MC5_POPEN_MASK_WR_CMD", 0xcd0};
constexpr RegisterSpec kMc5AopenSrchCmd{"MC5_AOPEN_SRCH_CMD", 0xcd4};
constexpr RegisterSpec kMc5AopenLrnCmd{"MC5_AOPEN_LRN_CMD", 0xcd8};
constexpr RegisterSpec kMc5SynSrchCmd{"MC5_SYN_SRCH_CMD", 0xcdc};
constexpr RegisterSpec kMc5SynLrnCmd{"MC5_SYN_LRN_CMD", 0xce0};
constexpr RegisterSpec kMc5AckSrchCmd{"MC5_ACK_SRCH_CMD", 0xce4};
constexpr RegisterSpec kMc5AckLrnCmd{"MC5_ACK_LRN_CMD", 0xce8};
constexpr RegisterSpec kMc5IlookupCmd{"MC5_ILOOKUP_CMD", 0xcec};
constexpr RegisterSpec kMc5ElookupCmd{"MC5_ELOOKUP_CMD", 0xcf0};
constexpr RegisterSpec kMc5DataWriteCmd{"MC5_DATA_WRITE_CMD", 0xcf4};
constexpr RegisterSpec kMc5DataReadCmd{"MC5_DATA_READ_CMD", 0xcf8};
constexpr RegisterSpec kMc5MaskWriteCmd{"MC5_MASK_WRITE_CMD", 0xcfc};

}  // namespace longhaul::nic::terminator::regs
