// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/net/discipline/socket_discipline.h"

namespace longhaul::host {

// One function for each class; registry.cc has their names.
std::unique_ptr<SocketDiscipline> make_afd_discipline(TcpEndpoint& socket);
std::unique_ptr<SocketDiscipline> make_bsd_discipline(TcpEndpoint& socket);
std::unique_ptr<SocketDiscipline> make_linux_24_discipline(TcpEndpoint& socket);
std::unique_ptr<SocketDiscipline> make_linux_26_discipline(TcpEndpoint& socket);
std::unique_ptr<SocketDiscipline> make_stream_discipline(TcpEndpoint& socket);

}  // namespace longhaul::host
