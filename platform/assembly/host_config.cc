// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/host_config.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "models/common/param_json.h"
#include "platform/assembly/json_object.h"

namespace longhaul::assembly {
namespace {

constexpr std::uint32_t kMostProcessors = 4;

struct Prefixed {
  host::Address address;
  std::uint32_t bits;
};

/// Reads ADDRESS/BITS of one family.
Prefixed read_prefixed(const std::string& text, bool ipv6, const std::string& where) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw ConfigError(fmt::format("{}: '{}' has no prefix, such as /24", where, echo(text)));
  const host::Address address = host::address_from(text.substr(0, slash), 0, where);
  const char* const end = text.data() + text.size();
  std::uint32_t bits = 0;
  const auto [rest, error] = std::from_chars(text.data() + slash + 1, end, bits);
  const bool good =
      error == std::errc{} && rest == end && bits <= (ipv6 ? 128U : 32U) && address.ipv6 == ipv6;
  if (!good) {
    throw ConfigError(fmt::format("{}: '{}' is no {} address with its prefix, such as {}", where,
                                  echo(text), ipv6 ? "IPv6" : "IPv4",
                                  ipv6 ? "fd10:10::1/64" : "10.10.0.1/24"));
  }
  return {address, bits};
}

host::InterfaceConfig read_interface(const nlohmann::json& json, const std::string& where) {
  JsonObject object(json, where);
  host::InterfaceConfig read;
  read.device = object.get<std::string>("device");
  if (object.has("ipv4")) {
    const Prefixed v4 = read_prefixed(object.get<std::string>("ipv4"), false, object.place("ipv4"));
    read.addresses.ipv4 = v4.address;
    read.addresses.ipv4_prefix = v4.bits;
  }
  if (object.has("ipv6")) {
    const Prefixed v6 = read_prefixed(object.get<std::string>("ipv6"), true, object.place("ipv6"));
    read.addresses.ipv6 = v6.address;
    read.addresses.ipv6_prefix = v6.bits;
  }
  read.driver = object.parameters("driver");
  if (read.driver.is_null()) read.driver = nlohmann::json::object();
  if (object.has("mtu")) read.driver["mtu"] = object.raw("mtu");
  object.finish();
  return read;
}

host::ProgramConfig read_program(const nlohmann::json& json, const std::string& where) {
  JsonObject object(json, where);
  host::ProgramConfig read;
  read.type = object.get<std::string>("type");
  read.params = object.parameters("params");
  object.finish();
  return read;
}

}  // namespace

std::uint32_t host_processors(const nlohmann::json& json, const std::string& where) {
  const auto processors = JsonObject(json, where).get<std::uint32_t>("processors", 1);
  if (processors == 0 || processors > kMostProcessors)
    throw ConfigError(fmt::format("{}.processors: {} is out of range, wants 1 to {}", where,
                                  processors, kMostProcessors));
  return processors;
}

host::HostConfig read_host(const nlohmann::json& json, const std::string& where) {
  JsonObject object(json, where);
  host::HostConfig read;
  read.profile = host::os_profile(object.get<std::string>("system"), object.place("system"));
  object.raw("processors");  // the cores' number: host_processors()
  configure(read.profile.tcp, object.parameters("tcp"), object.place("tcp"));
  configure(read.profile.net, object.parameters("net"), object.place("net"));
  configure(read.profile.kernel, object.parameters("kernel"), object.place("kernel"));
  configure(read.router, object.parameters("interrupts"), object.place("interrupts"));
  for (const auto& [interface, place] : object.list("interfaces"))
    read.interfaces.push_back(read_interface(interface, place));
  for (const auto& [program, place] : object.list("programs"))
    read.programs.push_back(read_program(program, place));
  object.finish();
  return read;
}

}  // namespace longhaul::assembly
