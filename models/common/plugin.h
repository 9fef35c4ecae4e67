// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

namespace longhaul {

/// Where a type comes from.
struct Origin {
  std::string file;    ///< source, from the top of its tree
  std::string plugin;  ///< path of the shared object; empty for a type of Longhaul's own tree
};

/// Says for its lifetime where the types come from that are added to catalogues. May be nested.
class PluginScope {
 public:
  /// Types of a source file, as __FILE__ has it; of the shared object of the scope around it, if
  /// there is one.
  static PluginScope of_file(const std::string& file);
  /// Types of a shared object.
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

/// Adds the types of all folders of this program to their catalogues. A catalogue has those of its
/// own folder without it; a program calls it before it looks up others. A second call does nothing.
/// Made by CMake for Longhaul's own programs (platform/config/types.cmake); the installed libraries
/// do not have it.
void add_built_in_types();

}  // namespace longhaul

/// LONGHAUL_PLUGIN(name) { adapter_types().add({...}); }
///
/// A function that adds a source's types to catalogues, in the tree and in a plug-in alike; CMake
/// finds it (docs/plugins.md). `name` is unique in the program or plug-in; at namespace scope, in
/// no unnamed namespace.
#define LONGHAUL_PLUGIN(name)                                      \
  static void longhaul_types_of_##name();                          \
  extern "C" void longhaul_add_types_##name();                     \
  void longhaul_add_types_##name() {                               \
    const auto scope = ::longhaul::PluginScope::of_file(__FILE__); \
    longhaul_types_of_##name();                                    \
  }                                                                \
  static void longhaul_types_of_##name()
