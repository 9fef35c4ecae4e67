// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

namespace longhaul {

/// The place from which a type comes.
struct Origin {
  std::string file;    ///< source, from the top of its tree
  std::string plugin;  ///< path of the shared object; empty for a type of Longhaul's own tree
};

/// Sets, for its lifetime, the origin of types that are added to catalogues. Scopes may be nested.
class PluginScope {
 public:
  /// For the types of a source file, given as __FILE__. They keep the shared object of the
  /// surrounding scope, if there is one.
  static PluginScope of_file(const std::string& file);
  /// For the types of a shared object.
  static PluginScope of_plugin(const std::string& path) { return PluginScope({"", path}); }
  ~PluginScope() { current() = before_; }
  PluginScope(const PluginScope&) = delete;
  PluginScope& operator=(const PluginScope&) = delete;

  static const Origin& origin() { return current(); }

 private:
  explicit PluginScope(Origin now) : before_(current()) { current() = std::move(now); }
  static Origin& current();

  const Origin before_;
};

/// Adds the types of all folders of this program to their catalogues. A catalogue has the types of
/// its own folder without this call. A program calls this before it looks up other types; a second
/// call does nothing.
///
/// CMake generates this function for Longhaul's own programs (platform/config/types.cmake). The
/// installed libraries do not have it.
void add_built_in_types();

}  // namespace longhaul

/// Defines a function that adds a source's types to catalogues, in the tree and in a plug-in alike:
///
///     LONGHAUL_PLUGIN(name) { adapter_types().add({...}); }
///
/// CMake finds the function (docs/plugins.md). `name` is unique in the program or plug-in. Use it
/// at namespace scope, outside of unnamed namespaces.
#define LONGHAUL_PLUGIN(name)                                      \
  static void longhaul_types_of_##name();                          \
  extern "C" void longhaul_add_types_##name();                     \
  void longhaul_add_types_##name() {                               \
    const auto scope = ::longhaul::PluginScope::of_file(__FILE__); \
    longhaul_types_of_##name();                                    \
  }                                                                \
  static void longhaul_types_of_##name()
