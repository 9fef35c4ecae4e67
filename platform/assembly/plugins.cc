// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/plugins.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "models/common/echo.h"
#include "models/common/param.h"
#include "models/common/plugin.h"

/// Can be looked up where this program's symbols are exported.
extern "C" void longhaul_exports_models();
void longhaul_exports_models() {}

namespace longhaul::assembly {
namespace {

constexpr std::size_t kLongestPath = 512;  // characters of it in a message
constexpr const char* kMarker = "longhaul-plugin-interface: ";
constexpr const char* kEntryPoint = "longhaul_plugin_add_types";
constexpr const char* kOwnSymbol = "longhaul_exports_models";

/// What the file says that it was built for.
std::string key_in(const std::string& path, const std::string& place) {
  std::string bytes;
  std::ifstream in(path, std::ios::binary);
  if (in && !std::filesystem::is_directory(path))
    bytes.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  if (in.bad() || bytes.empty())
    throw ConfigError(place + ": cannot be read, wants a shared object");
  const std::size_t at = bytes.find(kMarker);
  if (at == std::string::npos || bytes.compare(0, 4,
                                               "\x7f"
                                               "ELF") != 0)
    throw ConfigError(place + ": is no plug-in; docs/plugins.md says how to build one");
  return bytes.c_str() + at + std::string(kMarker).size();
}

/// Lets plug-ins find the models where this code is a shared object itself, as Python's module is.
void show_own_symbols() {
  Dl_info own{};
  if (dladdr(reinterpret_cast<void*>(&interface_key), &own) != 0)
    dlopen(own.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

/// Whether a plug-in would find the models in this program.
bool exports_models() { return dlsym(RTLD_DEFAULT, kOwnSymbol) != nullptr; }

std::string why() {
  const char* const text = dlerror();
  return text == nullptr ? "unknown" : text;
}

}  // namespace

void load_plugin(const std::string& path, const std::string& where) {
  static std::map<void*, std::string> loaded;
  const std::string place = fmt::format("{}: {}", where, echo(path, kLongestPath));
  const std::string key = key_in(path, place);
  if (key != interface_key()) {
    throw ConfigError(
        fmt::format("{}: was built for \"{}\", this simulator is \"{}\"; build it again "
                    "against this one (docs/plugins.md)",
                    place, echo(key), interface_key()));
  }
  show_own_symbols();
  if (!exports_models())
    throw ConfigError(place +
                      ": this program loads no plug-ins; longhaul-plugin-sim beside it does");
  // A name without a slash would be looked for in the system's folders.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw ConfigError(fmt::format("{}: cannot be loaded: {}", place, why()));
  if (!loaded.emplace(handle, path).second) return;
  auto* const add_types = reinterpret_cast<void (*)()>(dlsym(handle, kEntryPoint));
  if (add_types == nullptr)
    throw ConfigError(
        fmt::format("{}: has no {}; build it by longhaul_plugin()", place, kEntryPoint));
  const PluginScope scope = PluginScope::of_plugin(path);
  try {
    add_types();
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("{}: {}", place, error.what()));
  }
}

}  // namespace longhaul::assembly
