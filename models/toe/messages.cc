// SPDX-License-Identifier: Apache-2.0
#include "models/toe/messages.h"

namespace longhaul::toe {

const char* to_text(Error error) {
  switch (error) {
    case Error::kNone: return "no error";
    case Error::kTableFull: return "the TCAM is full";
    case Error::kReset: return "the peer reset the connection";
    case Error::kInUse: return "the connection or port is in use";
    case Error::kNoStation: return "the next station is unknown";
    case Error::kTimedOut: return "the SYN was not answered";
    case Error::kSendTimedOut: return "data were not acknowledged";
    case Error::kPersistTimedOut: return "window probes were not answered";
    case Error::kFinWait2TimedOut: return "the peer did not close";
    case Error::kKeepaliveTimedOut: return "keepalive probes were not answered";
    case Error::kAbortFailed: return "the connection had ended already";
    case Error::kNoMemory: return "context memory is full";
    case Error::kBadRequest: return "an index or a value is out of range";
  }
  return "unknown";
}

}  // namespace longhaul::toe
