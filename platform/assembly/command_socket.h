// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace longhaul::assembly {

/// A Unix stream socket for requests of programs while the simulation runs. A request is a line,
/// and so is its answer.
///
/// It never waits for a client. A client that does not read its answers is disconnected.
class CommandSocket {
 public:
  struct Request {
    std::uint64_t client;
    std::string line;
  };

  /// Listens at `path`, which must not exist, unless `listens` is false. Throws ConfigError for a
  /// path that is too long, and std::system_error.
  explicit CommandSocket(const std::string& path, bool listens = true);
  CommandSocket(const CommandSocket&) = delete;
  CommandSocket& operator=(const CommandSocket&) = delete;
  ~CommandSocket();

  /// The requests that came since the last call, in order by client.
  std::vector<Request> poll();
  /// Sends a line; does nothing if the client has gone.
  void answer(std::uint64_t client, const std::string& line);

 private:
  static constexpr std::size_t kLongestLine = std::size_t{1} << 22;
  struct Client {
    int fd;
    std::string unread;
    std::string unsent;
  };
  /// Returns false if the client has gone or sends too much.
  static bool receive(Client& client);
  static bool send_rest(Client& client);
  void accept_all();

  const std::string path_;
  int fd_ = -1;
  std::uint64_t next_client_ = 0;
  std::map<std::uint64_t, Client> clients_;
};

}  // namespace longhaul::assembly
