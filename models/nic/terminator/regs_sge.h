// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

/// Registers of the SGE, the DMA engine. Names, offsets and fields are those of Linux 6.1
/// cxgb/regs.h.
namespace longhaul::nic::terminator::regs {

struct SgControlFields : RegisterFields {
  RegisterField cmdq0_enable = bit("CMDQ0_ENABLE", 0, "command queue 0 runs");
  RegisterField cmdq1_enable = bit("CMDQ1_ENABLE", 1, "command queue 1 runs");
  RegisterField fl0_enable = bit("FL0_ENABLE", 2, "free list 0 runs");
  RegisterField fl1_enable = bit("FL1_ENABLE", 3, "free list 1 runs");
  RegisterField cpl_enable = unmodelled("CPL_ENABLE", 4);
  RegisterField response_queue_enable = bit("RESPONSE_QUEUE_ENABLE", 5, "responses are written");
  RegisterField cmdq_priority = unmodelled("CMDQ_PRIORITY", 6, 2);
  RegisterField disable_cmdq0_gts =
      bit("DISABLE_CMDQ0_GTS", 8, "the queue does not tell that it sleeps");
  RegisterField disable_cmdq1_gts =
      bit("DISABLE_CMDQ1_GTS", 9, "the queue does not tell that it sleeps");
  RegisterField disable_fl0_gts =
      bit("DISABLE_FL0_GTS", 10, "the list does not tell that it sleeps");
  RegisterField disable_fl1_gts =
      bit("DISABLE_FL1_GTS", 11, "the list does not tell that it sleeps");
  RegisterField enable_big_endian = unmodelled("ENABLE_BIG_ENDIAN", 12);
  RegisterField fl_selection_criteria = unmodelled("FL_SELECTION_CRITERIA", 13);
  RegisterField iscsi_coalesce = unmodelled("ISCSI_COALESCE", 14);
  RegisterField rx_pkt_offset =
      bits("RX_PKT_OFFSET", 15, 3, "bytes of padding before a received packet");
  RegisterField vlan_xtract =
      bit("VLAN_XTRACT", 18, "VLAN tags of received frames go to the CPL header");
};
inline constexpr SgControlFields kSgControlFields;

constexpr RegisterSpec kSgControl{"SG_CONTROL",       0x0, kSgControlFields,
                                  Access::kReadWrite, 0,   kSgControlFields.mask()};

/// SG_DOORBELL: queues to wake. Qsleeping of a response has the same bits.
struct SgDoorbellFields : RegisterFields {
  RegisterField cmdq0_enable = bit("CMDQ0_ENABLE", 0, "command queue 0");
  RegisterField cmdq1_enable = bit("CMDQ1_ENABLE", 1, "command queue 1");
  RegisterField fl0_enable = bit("FL0_ENABLE", 2, "free list 0");
  RegisterField fl1_enable = bit("FL1_ENABLE", 3, "free list 1");
};
inline constexpr SgDoorbellFields kSgDoorbellFields;

constexpr RegisterSpec kSgDoorbell{"SG_DOORBELL", 0x4, kSgDoorbellFields, Access::kAction};
constexpr RegisterSpec kSgCmd0baselwr{"SG_CMD0BASELWR", 0x8};
constexpr RegisterSpec kSgCmd0baseupr{"SG_CMD0BASEUPR", 0xc};
constexpr RegisterSpec kSgCmd1baselwr{"SG_CMD1BASELWR", 0x10};
constexpr RegisterSpec kSgCmd1baseupr{"SG_CMD1BASEUPR", 0x14};
constexpr RegisterSpec kSgFl0baselwr{"SG_FL0BASELWR", 0x18};
constexpr RegisterSpec kSgFl0baseupr{"SG_FL0BASEUPR", 0x1c};
constexpr RegisterSpec kSgFl1baselwr{"SG_FL1BASELWR", 0x20};
constexpr RegisterSpec kSgFl1baseupr{"SG_FL1BASEUPR", 0x24};
constexpr RegisterSpec kSgRspbaselwr{"SG_RSPBASELWR", 0x34};
constexpr RegisterSpec kSgRspbaseupr{"SG_RSPBASEUPR", 0x38};

/// Sizes of all queues of the SGE.
struct SgQueueSizeFields : RegisterFields {
  RegisterField entries = bits("SIZE", 0, 17, "entries; a write sets the queue back to entry 0");
};
inline constexpr SgQueueSizeFields kSgQueueSizeFields;

constexpr RegisterSpec kSgCmd0size{"SG_CMD0SIZE",      0x28, kSgQueueSizeFields,
                                   Access::kReadWrite, 0,    kSgQueueSizeFields.mask()};
constexpr RegisterSpec kSgCmd1size{"SG_CMD1SIZE",      0xb0, kSgQueueSizeFields,
                                   Access::kReadWrite, 0,    kSgQueueSizeFields.mask()};
constexpr RegisterSpec kSgFl0size{"SG_FL0SIZE",       0x2c, kSgQueueSizeFields,
                                  Access::kReadWrite, 0,    kSgQueueSizeFields.mask()};
constexpr RegisterSpec kSgFl1size{"SG_FL1SIZE",       0xb4, kSgQueueSizeFields,
                                  Access::kReadWrite, 0,    kSgQueueSizeFields.mask()};
constexpr RegisterSpec kSgRspsize{"SG_RSPSIZE",       0x30, kSgQueueSizeFields,
                                  Access::kReadWrite, 0,    kSgQueueSizeFields.mask()};

struct SgFlthresholdFields : RegisterFields {
  RegisterField fl_threshold =
      bits("FL_THRESHOLD", 0, 16, "shorter packets take a buffer of free list 0");
};
inline constexpr SgFlthresholdFields kSgFlthresholdFields;

constexpr RegisterSpec kSgFlthreshold{"SG_FLTHRESHOLD",   0x3c, kSgFlthresholdFields,
                                      Access::kReadWrite, 0,    kSgFlthresholdFields.mask()};

struct SgRspqueuecreditFields : RegisterFields {
  RegisterField respq_credit =
      bits("RESPQ_CREDIT", 0, 17, "entries that may be written; a write adds");
};
inline constexpr SgRspqueuecreditFields kSgRspqueuecreditFields;

constexpr RegisterSpec kSgRspqueuecredit{"SG_RSPQUEUECREDIT", 0x40, kSgRspqueuecreditFields,
                                         Access::kAction};

struct SgSleepingFields : RegisterFields {
  RegisterField sleeping = bits(
      "SLEEPING", 0, 16, "the next entry that software will look at; a write allows an interrupt");
};
inline constexpr SgSleepingFields kSgSleepingFields;

constexpr RegisterSpec kSgSleeping{"SG_SLEEPING", 0x48, kSgSleepingFields, Access::kAction};

struct SgIntrtimerFields : RegisterFields {
  RegisterField interrupt_timer_count =
      bits("INTERRUPT_TIMER_COUNT", 0, 24, "core clocks from SG_SLEEPING to the next interrupt");
};
inline constexpr SgIntrtimerFields kSgIntrtimerFields;

constexpr RegisterSpec kSgIntrtimer{"SG_INTRTIMER",     0x4c, kSgIntrtimerFields,
                                    Access::kReadWrite, 0,    kSgIntrtimerFields.mask()};

/// SG_CMD0PTR and the like.
struct SgQueuePointerFields : RegisterFields {
  RegisterField pointer = bits("POINTER", 0, 16, "the next descriptor that is used");
  RegisterField current_generation_bit =
      bit("CURRENT_GENERATION_BIT", 16, "generation that the next descriptor has to have");
};
inline constexpr SgQueuePointerFields kSgQueuePointerFields;

constexpr RegisterSpec kSgCmd0ptr{"SG_CMD0PTR", 0x50, kSgQueuePointerFields, Access::kReadOnly};
constexpr RegisterSpec kSgCmd1ptr{"SG_CMD1PTR", 0x54, kSgQueuePointerFields, Access::kReadOnly};
constexpr RegisterSpec kSgFl0ptr{"SG_FL0PTR", 0x58, kSgQueuePointerFields, Access::kReadOnly};
constexpr RegisterSpec kSgFl1ptr{"SG_FL1PTR", 0x5c, kSgQueuePointerFields, Access::kReadOnly};

struct SgVersionFields : RegisterFields {
  RegisterField day = unmodelled("DAY", 0, 5);
  RegisterField month = unmodelled("MONTH", 5, 4);
};
inline constexpr SgVersionFields kSgVersionFields;

constexpr RegisterSpec kSgVersion{"SG_VERSION", 0x6c, kSgVersionFields, Access::kReadOnly};

/// SG_INT_ENABLE and SG_INT_CAUSE.
struct SgIntFields : RegisterFields {
  RegisterField respq_exhausted = bit("RESPQ_EXHAUSTED", 0, "a response waits for a credit");
  RegisterField respq_overflow = unmodelled("RESPQ_OVERFLOW", 1);
  RegisterField fl_exhausted = bit("FL_EXHAUSTED", 2, "a free list has no more buffers");
  RegisterField packet_too_big =
      bit("PACKET_TOO_BIG", 3, "a packet that its buffer or the chip cannot hold");
  RegisterField packet_mismatch = bit("PACKET_MISMATCH", 4, "a packet whose descriptors make none");
};
inline constexpr SgIntFields kSgIntFields;

constexpr RegisterSpec kSgIntEnable{"SG_INT_ENABLE",    0xb8, kSgIntFields,
                                    Access::kReadWrite, 0,    kSgIntFields.mask()};
constexpr RegisterSpec kSgIntCause{"SG_INT_CAUSE", 0xbc, kSgIntFields, Access::kAction};
constexpr RegisterSpec kSgRespaccutimer{"SG_RESPACCUTIMER", 0xc0};

}  // namespace longhaul::nic::terminator::regs
