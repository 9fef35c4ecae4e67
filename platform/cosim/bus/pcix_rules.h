// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/cosim/bus/rule.h"

/// The rules of PcixChecker. rtl/pcix/README.md tells where each one comes from, and how sure it
/// is: the text of PCI-X 1.0a was not at hand, so the clauses name its chapters only.
namespace longhaul::cosim::pcix_rules {

inline constexpr Rule kOneDriver{"pcix.one_driver", "PCI-X 1.0a, chapter 2",
                                 "No two agents drive a signal in the same clock."};
inline constexpr Rule kTurnAround{
    "pcix.turn_around", "PCI-X 1.0a, chapter 2",
    "A clock in which nobody drives a signal lies between two drivers of it."};
inline constexpr Rule kHighBefore{
    "pcix.high_before", "PCI-X 1.0a, chapter 2",
    "A sustained control signal is driven high for a clock before it is let go."};
inline constexpr Rule kNarrow{"pcix.narrow_slot", "PCI-X 1.0a, chapter 2",
                              "In a slot of 32 bits nobody drives the upper half of AD."};
inline constexpr Rule kParity{"pcix.parity", "PCI-X 1.0a, chapter 5",
                              "PAR and PAR64 are driven a clock after AD, and are its parity."};
inline constexpr Rule kGrant{"pcix.grant", "PCI-X 1.0a, chapter 4",
                             "FRAME# comes two clocks after a clock in which GNT# is asserted."};
inline constexpr Rule kIdleBefore{"pcix.idle_before", "PCI-X 1.0a, chapter 2",
                                  "The bus is idle in the clock before FRAME#."};
inline constexpr Rule kCommand{
    "pcix.command", "PCI-X 1.0a, chapter 2",
    "An initiator uses commands that are not reserved, and a dual address above 4 GiB only."};
inline constexpr Rule kAttributes{
    "pcix.attributes", "PCI-X 1.0a, chapter 2",
    "Reserved bits are zero; a Split Completion Message is one DWORD at address 0."};
inline constexpr Rule kFrame{"pcix.frame", "PCI-X 1.0a, chapter 2",
                             "FRAME# ends a clock before the last data phase, or two clocks after "
                             "the first one of a shorter burst."};
inline constexpr Rule kIrdy{
    "pcix.irdy", "PCI-X 1.0a, chapter 2",
    "IRDY# comes two clocks after the attributes and stays to the last data phase."};
inline constexpr Rule kReq64{"pcix.req64", "PCI-X 1.0a, chapter 2",
                             "REQ64# goes with FRAME#, in a slot of 64 bits, for a burst."};
inline constexpr Rule kMasterAbort{
    "pcix.master_abort", "PCI-X 1.0a, chapter 2",
    "If nobody answers, FRAME# and IRDY# go high eight clocks after the address."};
inline constexpr Rule kBoundary{
    "pcix.boundary", "PCI-X 1.0a, chapter 2",
    "A burst ends at its byte count, or at a multiple of 128 from its fourth data phase on."};
inline constexpr Rule kEnables{"pcix.byte_enables", "PCI-X 1.0a, chapter 2",
                               "C/BE# is high in the data phases of all bursts but Memory Write."};
inline constexpr Rule kDecode{"pcix.decode", "PCI-X 1.0a, chapter 2",
                              "DEVSEL# comes two, three, four or six clocks after the address."};
inline constexpr Rule kNoTarget{
    "pcix.no_target", "PCI-X 1.0a, chapter 2",
    "A target is silent without a transaction, before its DEVSEL#, and after the last data phase."};
inline constexpr Rule kAnswer{"pcix.answer", "PCI-X 1.0a, chapter 2",
                              "TRDY#, STOP# and DEVSEL# are one of the answers of PCI-X."};
inline constexpr Rule kFirstData{
    "pcix.first_data", "PCI-X 1.0a, chapter 2",
    "The first data phase or answer comes within 16 clocks of FRAME#."};
inline constexpr Rule kWaits{"pcix.wait_states", "PCI-X 1.0a, chapter 2",
                             "Wait states come before the first data phase only, and in pairs for "
                             "writes and Split Completions."};
inline constexpr Rule kAck64{"pcix.ack64", "PCI-X 1.0a, chapter 2",
                             "ACK64# answers REQ64#, together with DEVSEL#."};
/// Not a rule of the standard.
inline constexpr Rule kReadAnswered{
    "pcix.read_answered", "Longhaul",
    "A read that got a Split Response, or is repeated after Retry, is answered within the clocks "
    "that the port map allows."};
inline constexpr Rule kCompletion{
    "pcix.completion", "PCI-X 1.0a, chapter 2",
    "A Split Completion is for a read that waits, in order, and has no more bytes than it wants."};

inline constexpr const Rule* kAll[] = {
    &kOneDriver,   &kTurnAround, &kHighBefore, &kNarrow,       &kParity,    &kGrant,
    &kIdleBefore,  &kCommand,    &kAttributes, &kFrame,        &kIrdy,      &kReq64,
    &kMasterAbort, &kBoundary,   &kEnables,    &kDecode,       &kNoTarget,  &kAnswer,
    &kFirstData,   &kWaits,      &kAck64,      &kReadAnswered, &kCompletion};

}  // namespace longhaul::cosim::pcix_rules
