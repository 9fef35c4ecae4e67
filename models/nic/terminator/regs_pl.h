// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

/// Registers of PL (interrupts), RAT (CPL routes), CSPI and ULP. Names, offsets and fields are
/// those of Linux 6.1 cxgb/regs.h.
namespace longhaul::nic::terminator::regs {

/// PL_ENABLE and PL_CAUSE.
struct PlIntrFields : RegisterFields {
  RegisterField pl_intr_sge_err = bit("PL_INTR_SGE_ERR", 0, "SG_INT_CAUSE and SG_INT_ENABLE");
  RegisterField pl_intr_sge_data = bit("PL_INTR_SGE_DATA", 1, "responses are in memory");
  RegisterField pl_intr_mc3 = unmodelled("PL_INTR_MC3", 2);
  RegisterField pl_intr_mc4 = unmodelled("PL_INTR_MC4", 3);
  RegisterField pl_intr_mc5 = unmodelled("PL_INTR_MC5", 4);
  RegisterField pl_intr_rat = unmodelled("PL_INTR_RAT", 5);
  RegisterField pl_intr_tp = bit("PL_INTR_TP", 6, "TP_INT_CAUSE and TP_INT_ENABLE");
  RegisterField pl_intr_ulp = unmodelled("PL_INTR_ULP", 7);
  RegisterField pl_intr_espi = bit("PL_INTR_ESPI", 8, "ESPI_INTR_STATUS");
  RegisterField pl_intr_cspi = unmodelled("PL_INTR_CSPI", 9);
  RegisterField pl_intr_pcix = bit("PL_INTR_PCIX", 10, "INTR_CAUSE of configuration space");
  RegisterField pl_intr_ext = bit("PL_INTR_EXT", 11, "Elmer0: PHY and MAC");
};
inline constexpr PlIntrFields kPlIntrFields;

constexpr RegisterSpec kPlEnable{"PL_ENABLE",        0xa00, kPlIntrFields,
                                 Access::kReadWrite, 0,     kPlIntrFields.mask()};
constexpr RegisterSpec kPlCause{"PL_CAUSE", 0xa04, kPlIntrFields, Access::kAction};

struct RatRouteControlFields : RegisterFields {
  RegisterField use_route_table = unmodelled("USE_ROUTE_TABLE", 0);
  RegisterField enable_cspi = unmodelled("ENABLE_CSPI", 1);
  RegisterField enable_pcix = unmodelled("ENABLE_PCIX", 2);
};
inline constexpr RatRouteControlFields kRatRouteControlFields;

constexpr RegisterSpec kRatRouteControl{"RAT_ROUTE_CONTROL", 0x580, kRatRouteControlFields,
                                        Access::kReadWrite,  0,     kRatRouteControlFields.mask()};

struct RatRouteTableIndexFields : RegisterFields {
  RegisterField route_table_index = unmodelled("ROUTE_TABLE_INDEX", 0, 4);
};
inline constexpr RatRouteTableIndexFields kRatRouteTableIndexFields;

constexpr RegisterSpec kRatRouteTableIndex{
    "RAT_ROUTE_TABLE_INDEX", 0x584, kRatRouteTableIndexFields,
    Access::kReadWrite,      0,     kRatRouteTableIndexFields.mask()};
constexpr RegisterSpec kRatRouteTableData{"RAT_ROUTE_TABLE_DATA", 0x588};

struct RatNoRouteFields : RegisterFields {
  RegisterField cpl_opcode = unmodelled("CPL_OPCODE", 0, 8);
};
inline constexpr RatNoRouteFields kRatNoRouteFields;

constexpr RegisterSpec kRatNoRoute{"RAT_NO_ROUTE",     0x58c, kRatNoRouteFields,
                                   Access::kReadWrite, 0,     kRatNoRouteFields.mask()};

/// RAT_INTR_ENABLE and RAT_INTR_CAUSE.
struct RatIntrFields : RegisterFields {
  RegisterField zerorouteerror = unmodelled("ZEROROUTEERROR", 0);
  RegisterField cspiframingerror = unmodelled("CSPIFRAMINGERROR", 1);
  RegisterField sgeframingerror = unmodelled("SGEFRAMINGERROR", 2);
  RegisterField tpframingerror = unmodelled("TPFRAMINGERROR", 3);
};
inline constexpr RatIntrFields kRatIntrFields;

constexpr RegisterSpec kRatIntrEnable{"RAT_INTR_ENABLE",  0x590, kRatIntrFields,
                                      Access::kReadWrite, 0,     kRatIntrFields.mask()};
constexpr RegisterSpec kRatIntrCause{"RAT_INTR_CAUSE", 0x594, kRatIntrFields, Access::kReadOnly};
constexpr RegisterSpec kCspiRxAeWm{"CSPI_RX_AE_WM", 0x810};
constexpr RegisterSpec kCspiRxAfWm{"CSPI_RX_AF_WM", 0x814};

struct CspiCalendarLenFields : RegisterFields {
  RegisterField calendarlength = unmodelled("CALENDARLENGTH", 0, 16);
};
inline constexpr CspiCalendarLenFields kCspiCalendarLenFields;

constexpr RegisterSpec kCspiCalendarLen{"CSPI_CALENDAR_LEN", 0x818, kCspiCalendarLenFields,
                                        Access::kReadWrite,  0,     kCspiCalendarLenFields.mask()};

struct CspiFifoStatusEnableFields : RegisterFields {
  RegisterField fifostatusenable = unmodelled("FIFOSTATUSENABLE", 0);
};
inline constexpr CspiFifoStatusEnableFields kCspiFifoStatusEnableFields;

constexpr RegisterSpec kCspiFifoStatusEnable{
    "CSPI_FIFO_STATUS_ENABLE", 0x820, kCspiFifoStatusEnableFields,
    Access::kReadWrite,        0,     kCspiFifoStatusEnableFields.mask()};

struct CspiMaxburst1Maxburst2Fields : RegisterFields {
  RegisterField maxburst1 = unmodelled("MAXBURST1", 0, 16);
  RegisterField maxburst2 = unmodelled("MAXBURST2", 16, 16);
};
inline constexpr CspiMaxburst1Maxburst2Fields kCspiMaxburst1Maxburst2Fields;

constexpr RegisterSpec kCspiMaxburst1Maxburst2{
    "CSPI_MAXBURST1_MAXBURST2", 0x828, kCspiMaxburst1Maxburst2Fields,
    Access::kReadWrite,         0,     kCspiMaxburst1Maxburst2Fields.mask()};

struct CspiTrainFields : RegisterFields {
  RegisterField cspi_train_alpha = unmodelled("CSPI_TRAIN_ALPHA", 0, 16);
  RegisterField cspi_train_data_maxt = unmodelled("CSPI_TRAIN_DATA_MAXT", 16, 16);
};
inline constexpr CspiTrainFields kCspiTrainFields;

constexpr RegisterSpec kCspiTrain{"CSPI_TRAIN",       0x82c, kCspiTrainFields,
                                  Access::kReadWrite, 0,     kCspiTrainFields.mask()};

/// CSPI_INTR_STATUS and CSPI_INTR_ENABLE.
struct CspiIntrFields : RegisterFields {
  RegisterField dip4err = unmodelled("DIP4ERR", 0);
  RegisterField rxdrop = unmodelled("RXDROP", 1);
  RegisterField txdrop = unmodelled("TXDROP", 2);
  RegisterField rxoverflow = unmodelled("RXOVERFLOW", 3);
  RegisterField ramparityerr = unmodelled("RAMPARITYERR", 4);
};
inline constexpr CspiIntrFields kCspiIntrFields;

constexpr RegisterSpec kCspiIntrStatus{"CSPI_INTR_STATUS", 0x848, kCspiIntrFields,
                                       Access::kReadOnly};
constexpr RegisterSpec kCspiIntrEnable{"CSPI_INTR_ENABLE", 0x84c, kCspiIntrFields,
                                       Access::kReadWrite, 0,     kCspiIntrFields.mask()};
constexpr RegisterSpec kUlpUlimit{"ULP_ULIMIT", 0x980};
constexpr RegisterSpec kUlpTagmask{"ULP_TAGMASK", 0x984};
constexpr RegisterSpec kUlpHregIndex{"ULP_HREG_INDEX", 0x988};
constexpr RegisterSpec kUlpHregData{"ULP_HREG_DATA", 0x98c};
constexpr RegisterSpec kUlpIntEnable{"ULP_INT_ENABLE", 0x990};

struct UlpIntCauseFields : RegisterFields {
  RegisterField hreg_par_err = unmodelled("HREG_PAR_ERR", 0);
  RegisterField egrs_data_par_err = unmodelled("EGRS_DATA_PAR_ERR", 1);
  RegisterField ingrs_data_par_err = unmodelled("INGRS_DATA_PAR_ERR", 2);
  RegisterField pm_intr = unmodelled("PM_INTR", 3);
  RegisterField pm_e2c_sync_err = unmodelled("PM_E2C_SYNC_ERR", 4);
  RegisterField pm_c2e_sync_err = unmodelled("PM_C2E_SYNC_ERR", 5);
  RegisterField pm_e2c_empty_err = unmodelled("PM_E2C_EMPTY_ERR", 6);
  RegisterField pm_c2e_empty_err = unmodelled("PM_C2E_EMPTY_ERR", 7);
  RegisterField pm_par_err = unmodelled("PM_PAR_ERR", 8, 16);
  RegisterField pm_e2c_wrt_full = unmodelled("PM_E2C_WRT_FULL", 24);
  RegisterField pm_c2e_wrt_full = unmodelled("PM_C2E_WRT_FULL", 25);
};
inline constexpr UlpIntCauseFields kUlpIntCauseFields;

constexpr RegisterSpec kUlpIntCause{"ULP_INT_CAUSE", 0x994, kUlpIntCauseFields, Access::kReadOnly};
constexpr RegisterSpec kUlpPioCtrl{"ULP_PIO_CTRL", 0x998};

}  // namespace longhaul::nic::terminator::regs
