// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/discipline/disciplines.h"
#include "models/host/net/discipline/stream_discipline.h"

namespace longhaul::host {
namespace {

/// BSD: a stream in a chain of mbufs without a pointer to its end. Appending and finding the bytes
/// of a packet walk along the chain, one list step per mbuf
/// (models/host/profiles/README.md#chains).
class BsdDiscipline final : public StreamDiscipline {
 public:
  using StreamDiscipline::StreamDiscipline;

  void seek(Processor& processor, std::uint64_t bytes, std::uint64_t piece) const override {
    if (bytes >= piece) processor.step_along(bytes / piece);
  }
};

}  // namespace

std::unique_ptr<SocketDiscipline> make_bsd_discipline(TcpEndpoint& socket) {
  return std::make_unique<BsdDiscipline>(socket);
}

}  // namespace longhaul::host
