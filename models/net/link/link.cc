// SPDX-License-Identifier: Apache-2.0
#include "models/net/link/link.h"

#include <fmt/format.h>

namespace longhaul {
namespace {

std::uint64_t propagation_of(const LinkParams& params) {
  const bool direct =
      params.propagation.set_by_user || params.propagation() != sc_core::SC_ZERO_TIME;
  return direct ? to_ps(params.propagation()) : params.length_m() * to_ps(params.delay_per_m());
}

void refuse_bound(const EthPort& port, const char* link) {
  if (port.eth_tx.size() != 0)
    throw ConfigError(fmt::format("{}: {} has a link already", link, port.eth_tx.name()));
}

}  // namespace

Link::Link(const sc_core::sc_module_name& name, LinkParams params)
    : sc_core::sc_module(name),
      a_to_b("a_to_b", phy_named(params.phy(), std::string(sc_module::name()) + ".phy"),
             propagation_of(params), params.a_ppm()),
      b_to_a("b_to_a", phy_named(params.phy(), std::string(sc_module::name()) + ".phy"),
             propagation_of(params), params.b_ppm()),
      params_(std::move(params)),
      phy_(phy_named(params_.phy(), sc_module::name())),
      propagation_ps_(propagation_of(params_)) {}

void Link::connect(EthPort& a, EthPort& b) {
  if (a_to_b.joined()) throw ConfigError(fmt::format("{}: joins two ports already", name()));
  if (&a == &b) throw ConfigError(fmt::format("{}: both ends on {}", name(), a.eth_tx.name()));
  refuse_bound(a, name());
  refuse_bound(b, name());
  a.eth_tx.bind(a_to_b);
  b.eth_tx.bind(b_to_a);
  EthReceiver& at_a = a.eth_rx;
  EthReceiver& at_b = b.eth_rx;
  a_to_b.join(at_b, b_to_a);
  b_to_a.join(at_a, a_to_b);
}

void Link::set_up(bool up) {
  if (up == up_) return;
  up_ = up;
  if (up) {
    a_to_b.mend();
    b_to_a.mend();
  } else {
    a_to_b.cut();
    b_to_a.cut();
    a_to_b.darken();
    b_to_a.darken();
  }
}

}  // namespace longhaul
