// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "models/common/param.h"
#include "models/host/net/discipline/disciplines.h"
#include "models/host/net/net_params.h"

namespace longhaul::host {
namespace {

/// A class, and the settings of a profile that select it.
struct DisciplineEntry {
  const char* name;
  bool walks_chains;
  bool send_by_call;
  bool posted_reads;
  bool prequeue;
  bool reader_acks;
  MakeSocketDiscipline make;

  bool is_asked_for_by(const NetParams& params) const {
    return walks_chains == params.walks_chains() && send_by_call == params.send_by_call() &&
           posted_reads == params.posted_reads() && prequeue == params.prequeue() &&
           reader_acks == params.reader_acks();
  }
};

constexpr DisciplineEntry kDisciplines[] = {
    // name, walks_chains, send_by_call, posted_reads, prequeue, reader_acks
    {"afd", false, true, true, false, false, make_afd_discipline},
    {"bsd", true, false, false, false, false, make_bsd_discipline},
    {"linux-2.4", false, false, false, true, true, make_linux_24_discipline},
    {"linux-2.6", false, false, false, true, false, make_linux_26_discipline},
    {"stream", false, false, false, false, false, make_stream_discipline},
};

const DisciplineEntry& entry_of(const NetParams& params, const std::string& where) {
  const auto* const found =
      std::find_if(std::begin(kDisciplines), std::end(kDisciplines),
                   [&](const DisciplineEntry& entry) { return entry.is_asked_for_by(params); });
  if (found != std::end(kDisciplines)) return *found;
  throw ConfigError(
      where +
      ": no socket discipline has this combination of walks_chains, send_by_call, posted_reads, "
      "prequeue and reader_acks; models/host/net/README.md#disciplines lists those that there are");
}

}  // namespace

MakeSocketDiscipline socket_discipline(const NetParams& params, const std::string& where) {
  return entry_of(params, where).make;
}

std::string socket_discipline_name(const NetParams& params, const std::string& where) {
  return entry_of(params, where).name;
}

std::vector<std::string> socket_disciplines() {
  std::vector<std::string> names;
  for (const DisciplineEntry& entry : kDisciplines) names.emplace_back(entry.name);
  return names;
}

}  // namespace longhaul::host
