// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/plugins.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "models/common/echo.h"
#include "models/common/param.h"
#include "models/common/plugin.h"
#include "platform/portmap/rtl_types.h"

/// A symbol that can be looked up only if this program exports its symbols.
extern "C" void longhaul_exports_models();
void longhaul_exports_models() {}

namespace longhaul::assembly {
namespace {

constexpr std::size_t kLongestPath = 512;  // characters of it in a message
constexpr const char* kMarker = "longhaul-plugin-interface: ";
constexpr const char* kEntryPoint = "longhaul_plugin_add_types";
constexpr const char* kRtlObject = "longhaul_rtl_object";
constexpr const char* kOwnSymbol = "longhaul_exports_models";

/// The bytes of a shared object.
std::string bytes_of(const std::string& path, const std::string& place) {
  std::string bytes;
  std::ifstream in(path, std::ios::binary);
  if (in && !std::filesystem::is_directory(path))
    bytes.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  if (in.bad() || bytes.empty())
    throw ConfigError(place + ": cannot be read, wants a shared object");
  if (bytes.compare(0, 4,
                    "\x7f"
                    "ELF") != 0)
    throw ConfigError(place + ": is no plug-in; docs/plugins.md says how to build one");
  return bytes;
}

/// Returns the text after a marker, or nothing if the marker is missing.
std::optional<std::string> key_behind(const char* marker, const std::string& bytes) {
  const std::size_t at = bytes.find(marker);
  if (at == std::string::npos) return std::nullopt;
  return bytes.c_str() + at + std::strlen(marker);
}

/// Lets plug-ins find the models if this code is itself a shared object, as in Python's module.
void show_own_symbols() {
  Dl_info own{};
  if (dladdr(reinterpret_cast<void*>(&interface_key), &own) != 0)
    dlopen(own.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

/// Returns true if a plug-in would find the models in this program.
bool exports_models() { return dlsym(RTLD_DEFAULT, kOwnSymbol) != nullptr; }

std::string why() {
  const char* const text = dlerror();
  return text == nullptr ? "unknown" : text;
}

}  // namespace

namespace {

/// Opens a shared object. Returns null if it is already open. Throws ConfigError if it cannot be
/// loaded.
void* open_object(const std::string& path, const std::string& place) {
  static std::map<void*, std::string> loaded;
  // dlopen() looks for a name without a slash in the system's folders.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw ConfigError(fmt::format("{}: cannot be loaded: {}", place, why()));
  return loaded.emplace(handle, path).second ? handle : nullptr;
}

template <class Symbol>
Symbol symbol_of(void* handle, const char* name, const std::string& place, const char* remedy) {
  void* const symbol = dlsym(handle, name);
  if (symbol == nullptr) throw ConfigError(fmt::format("{}: has no {}; {}", place, name, remedy));
  return reinterpret_cast<Symbol>(symbol);
}

/// Adds types. A ConfigError gets the file's place as a prefix.
template <class Add>
void add_types_of(const std::string& path, const std::string& place, const Add& add) {
  const PluginScope scope = PluginScope::of_plugin(path);
  try {
    add();
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("{}: {}", place, error.what()));
  }
}

void load_rtl_object(const std::string& path, const std::string& place, const std::string& key) {
  if (key != portmap::rtl_interface_key()) {
    throw ConfigError(place +
                      ": was made by another Longhaul; name the port map, and it is made "
                      "again");
  }
  void* const handle = open_object(path, place);
  if (handle == nullptr) return;
  const auto* const object =
      symbol_of<const cosim::RtlObject*>(handle, kRtlObject, place, "name the port map instead");
  add_types_of(path, place, [&] { portmap::add_rtl_type(*object, place); });
}

}  // namespace

void load_plugin(const std::string& path, const std::string& where) {
  const std::string place = fmt::format("{}: {}", where, echo(path, kLongestPath));
  const std::string bytes = bytes_of(path, place);
  if (const std::optional<std::string> key = key_behind(cosim::kRtlObjectMarker, bytes))
    return load_rtl_object(path, place, *key);
  const std::optional<std::string> key = key_behind(kMarker, bytes);
  if (!key) throw ConfigError(place + ": is no plug-in; docs/plugins.md says how to build one");
  if (*key != interface_key()) {
    throw ConfigError(
        fmt::format("{}: was built for \"{}\", this simulator is \"{}\"; build it again "
                    "against this one (docs/plugins.md)",
                    place, echo(*key), interface_key()));
  }
  show_own_symbols();
  if (!exports_models())
    throw ConfigError(place +
                      ": this program loads no plug-ins; longhaul-plugin-sim beside it does");
  void* const handle = open_object(path, place);
  if (handle == nullptr) return;
  auto* const add_types =
      symbol_of<void (*)()>(handle, kEntryPoint, place, "build it by longhaul_plugin()");
  add_types_of(path, place, add_types);
}

}  // namespace longhaul::assembly
