// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/guest_software.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "platform/guest/kernel_layout.h"
#include "platform/guest/tcp_sockets.h"

namespace longhaul::assembly {
namespace {

/// Returns how long a guest may be silent: 60 s of wall time, or the whole seconds in the
/// environment. Tests of a hang set a few seconds.
std::chrono::seconds silence_limit() {
  const char* text = std::getenv("LONGHAUL_SILENCE_LIMIT_S");
  if (text == nullptr) return guest::GuestOptions{}.silence_limit;
  unsigned seconds = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, seconds);
  if (error != std::errc{} || rest != end || seconds == 0 || seconds > 86400) {
    throw ConfigError(
        fmt::format("LONGHAUL_SILENCE_LIMIT_S={}: wants whole seconds from 1 to 86400", text));
  }
  return std::chrono::seconds(seconds);
}

/// Returns how guests run their programs: by the environment's setting, or as the host allows.
/// Tests and comparisons set it. No result depends on it.
lh_programs programs() {
  const char* text = std::getenv("LONGHAUL_PROGRAMS");
  const std::string_view way = text == nullptr ? "" : text;
  if (text == nullptr) return LH_PROGRAMS_ANY;
  if (way == "ptrace") return LH_PROGRAMS_PTRACE;
  if (way == "seccomp") return LH_PROGRAMS_SECCOMP;
  throw ConfigError(fmt::format("LONGHAUL_PROGRAMS={}: wants ptrace or seccomp", way));
}

/// Returns the descriptor of the socket of the console's user (docs/interfaces.md, Console).
int console() {
  constexpr int kConsoleFd = 4;
  int type = 0;
  socklen_t bytes = sizeof type;
  if (getsockopt(kConsoleFd, SOL_SOCKET, SO_TYPE, &type, &bytes) != 0 || type != SOCK_SEQPACKET)
    throw ConfigError(fmt::format("guest.console: descriptor {} is no socket", kConsoleFd));
  return kConsoleFd;
}

guest::GuestOptions guest_options(const MachineConfig& config, const SimulationConfig& simulation,
                                  Bytes memory, std::uint64_t seed,
                                  guest::GuestListener& listener) {
  guest::GuestOptions options;
  options.name = config.name;
  const auto own = [](const std::string& its, const std::string& all) {
    return its.empty() ? all : its;
  };
  options.kernel = own(config.guest->kernel, simulation.kernel);
  options.root = own(config.guest->root, simulation.guest_root);
  options.work_dir = simulation.out + "/guests/" + config.name;
  if (simulation.writes) std::filesystem::create_directories(options.work_dir);
  options.files = config.guest->files;
  options.arguments = {"init=/longhaul/init"};
  options.arguments.insert(options.arguments.end(), config.guest->arguments.begin(),
                           config.guest->arguments.end());
  options.memory = memory;
  options.blocks = own(config.guest->kernel_blocks, simulation.kernel_blocks);
  options.layout = simulation.layout;
  options.sample_ps = to_ps(simulation.observe.profile_period);
  options.seed = seed;
  options.silence_limit = silence_limit();
  options.programs = programs();
  if (config.guest->console && simulation.writes) options.console = console();
  options.should_stop = [&listener] { return listener.should_stop(); };
  options.on_suspended = [&listener, name = config.name](bool suspended) {
    listener.on_suspended(name, suspended);
  };
  return options;
}

}  // namespace

GuestSoftware::GuestSoftware(const MachineConfig& config, const SimulationConfig& simulation,
                             Bytes memory, std::uint64_t seed, cpu::Core& core,
                             guest::GuestListener& listener)
    : guest_("guest", guest_options(config, simulation, memory, seed, listener), core, interrupts_,
             listener),
      mapping_{guest_.process().ram().data(), guest_.process().ram().size(), 0},
      own_layout_(config.guest->kernel_layout) {}

void GuestSoftware::use(memory::MemorySystem& memory) {
  guest_.on_ram_begin([&memory](std::uint64_t begin) { memory.hide_below(begin); });
}

std::unique_ptr<observe::TcpTable> GuestSoftware::tcp_table(const std::string& kernel_layout) {
  const std::string& layout = own_layout_.empty() ? kernel_layout : own_layout_;
  if (layout.empty()) throw ConfigError("observe.waves: tcp wants a kernel_layout");
  return std::make_unique<guest::TcpSockets>(guest::GuestMemory(guest_.process()),
                                             guest::KernelLayout(layout));
}

}  // namespace longhaul::assembly
