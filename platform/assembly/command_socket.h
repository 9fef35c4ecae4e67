// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace longhaul::assembly {

/// A Unix stream socket on which programs ask for something while the simulation runs: a request is
/// a line, so is its answer.
///
/// Nothing here ever waits for a client. One that does not take its answers is cut off.
class CommandSocket {
 public:
  struct Request {
    std::uint64_t client;
    std::string line;
  };

  /// Listens at `path`, where nothing may be yet, or at nothing. Throws ConfigError for a path that
  /// is too long, std::system_error.
  explicit CommandSocket(const std::string& path, bool listens = true);
  CommandSocket(const CommandSocket&) = delete;
  CommandSocket& operator=(const CommandSocket&) = delete;
  ~CommandSocket();

  /// What has come in since the last call, in order by client.
  std::vector<Request> poll();
  /// Sends a line; to a client that has gone, nothing.
  void answer(std::uint64_t client, const std::string& line);

 private:
  static constexpr std::size_t kLongestLine = std::size_t{1} << 22;
  struct Client {
    int fd;
    std::string unread;
    std::string unsent;
  };
  /// False: the client has gone or misbehaves.
  static bool receive(Client& client);
  static bool send_rest(Client& client);
  void accept_all();

  const std::string path_;
  int fd_ = -1;
  std::uint64_t next_client_ = 0;
  std::map<std::uint64_t, Client> clients_;
};

}  // namespace longhaul::assembly
