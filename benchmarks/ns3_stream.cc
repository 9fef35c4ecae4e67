// SPDX-License-Identifier: Apache-2.0
// One TCP stream in ns-3, which Longhaul's modelled hosts are compared with. Link, MTU, round-trip
// time and window are the same; TCP is ns-3's own; there are no buses and no CPUs. Prints one line
// of JSON: what it did from `begins_s` on, for `simulated_s`. That is the window asked for. A run
// that was `cut` because its wall time was over tells of what it had come to of its window. If that
// is less than a round trip, its figures are of the second half of its wall time.
#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <iostream>
#include <string>

namespace {

constexpr std::uint32_t kHeaders = 52;  // IPv4, TCP and its timestamps, bytes
constexpr std::uint16_t kPort = 5001;

constexpr std::int64_t kLooksEveryMs = 10;  // simulated

struct Counts {
  double at_s = 0;  // simulated
  std::uint64_t frames = 0;
  std::uint64_t received = 0;  // user data, bytes
  double wall_s = 0;
  double cpu_s = 0;
};

Counts counted;

double wall_s() {
  using std::chrono::duration;
  return duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double cpu_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void sent(ns3::Ptr<const ns3::Packet> /*packet*/) { ++counted.frames; }

// The counters as they are now, with the clocks.
Counts look(const ns3::PacketSink* sink) {
  Counts now = counted;
  now.at_s = ns3::Simulator::Now().GetSeconds();
  now.received = sink->GetTotalRx();
  now.wall_s = wall_s();
  now.cpu_s = cpu_s();
  return now;
}

// Looks every few milliseconds, and stops the run when its wall time is over.
class Watch {
 public:
  Watch(const ns3::PacketSink* sink, double limit_s)
      : sink_(sink), half_s_(wall_s() + limit_s / 2), ends_s_(wall_s() + limit_s) {
    again();
  }
  // The last look in the first half of the wall time.
  const Counts& half() const { return half_; }
  bool cut() const { return cut_; }

 private:
  void again() {
    const Counts now = look(sink_);
    if (half_.wall_s == 0 || now.wall_s < half_s_) half_ = now;
    cut_ = now.wall_s >= ends_s_;
    if (cut_) return ns3::Simulator::Stop();
    ns3::Simulator::Schedule(ns3::MilliSeconds(kLooksEveryMs), &Watch::again, this);
  }

  const ns3::PacketSink* sink_;
  double half_s_;  // when the first half of the wall time is over, and all of it
  double ends_s_;
  bool cut_ = false;
  Counts half_;
};

}  // namespace

int main(int argc, char** argv) {
  std::string rate = "10Gbps";
  std::string rtt = "0ms";
  std::string warmup = "1s";
  std::string duration = "1s";
  std::uint32_t mtu = 9198;
  std::uint32_t window = 10'000'000;
  std::uint32_t frames_waiting = 100'000;
  double limit = 1e9;
  ns3::CommandLine cmd(__FILE__);
  cmd.AddValue("rate", "rate of the link", rate);
  cmd.AddValue("rtt", "round-trip time of the link", rtt);
  cmd.AddValue("mtu", "MTU, bytes", mtu);
  cmd.AddValue("window", "socket buffers of both ends, bytes", window);
  cmd.AddValue("queue", "frames that may wait for the link", frames_waiting);
  cmd.AddValue("warmup", "simulated time before the measured window", warmup);
  cmd.AddValue("duration", "simulated time measured", duration);
  cmd.AddValue("limit", "wall seconds after which it stops wherever it is", limit);
  cmd.Parse(argc, argv);

  ns3::Config::SetDefault("ns3::TcpL4Protocol::SocketType", ns3::StringValue("ns3::TcpNewReno"));
  ns3::Config::SetDefault("ns3::TcpSocket::SegmentSize", ns3::UintegerValue(mtu - kHeaders));
  ns3::Config::SetDefault("ns3::TcpSocket::SndBufSize", ns3::UintegerValue(window));
  ns3::Config::SetDefault("ns3::TcpSocket::RcvBufSize", ns3::UintegerValue(window));

  ns3::NodeContainer hosts;
  hosts.Create(2);
  ns3::PointToPointHelper link;
  link.SetDeviceAttribute("DataRate", ns3::StringValue(rate));
  link.SetDeviceAttribute("Mtu", ns3::UintegerValue(mtu));
  link.SetChannelAttribute("Delay", ns3::TimeValue(ns3::Time(rtt) / 2));
  link.SetQueue("ns3::DropTailQueue", "MaxSize",
                ns3::QueueSizeValue({ns3::QueueSizeUnit::PACKETS, frames_waiting}));
  const ns3::NetDeviceContainer devices = link.Install(hosts);
  ns3::InternetStackHelper stack;
  stack.Install(hosts);
  ns3::Ipv4AddressHelper addresses;
  addresses.SetBase("10.10.0.0", "255.255.255.0");
  const ns3::Ipv4InterfaceContainer interfaces = addresses.Assign(devices);
  for (std::uint32_t i = 0; i < devices.GetN(); ++i) {
    devices.Get(i)->TraceConnectWithoutContext("PhyTxEnd", ns3::MakeCallback(&sent));
  }

  const ns3::InetSocketAddress there(interfaces.GetAddress(1), kPort);
  ns3::BulkSendHelper source("ns3::TcpSocketFactory", there);
  source.SetAttribute("SendSize", ns3::UintegerValue(std::uint32_t{128} * 1024));
  source.Install(hosts.Get(0));
  ns3::PacketSinkHelper sink_helper("ns3::TcpSocketFactory", there);
  const ns3::ApplicationContainer sinks = sink_helper.Install(hosts.Get(1));
  const auto* sink = dynamic_cast<const ns3::PacketSink*>(ns3::PeekPointer(sinks.Get(0)));

  Counts begin;
  const ns3::Time opens(warmup);
  const ns3::Time length(duration);
  ns3::Simulator::Schedule(opens, [&begin, sink] { begin = look(sink); });
  Watch watch(sink, limit);
  ns3::Simulator::Stop(opens + length);
  ns3::Simulator::Run();
  const Counts end = look(sink);
  const double round_trip_s = std::max(ns3::Time(rtt).GetSeconds(), 1e-3 * kLooksEveryMs);
  if (watch.cut() && (begin.wall_s == 0 || end.at_s - begin.at_s < round_trip_s))
    begin = watch.half();
  const double simulated_s = end.at_s - begin.at_s;
  std::cout << "{\"begins_s\": " << begin.at_s << ", \"cut\": " << (watch.cut() ? "true" : "false")
            << ", \"simulated_s\": " << simulated_s << ", \"wall_s\": " << end.wall_s - begin.wall_s
            << ", \"cpu_s\": " << end.cpu_s - begin.cpu_s
            << ", \"frames\": " << end.frames - begin.frames << ", \"goodput_gbps\": "
            << static_cast<double>(end.received - begin.received) * 8e-9 / simulated_s << "}\n";
  ns3::Simulator::Destroy();
  return 0;
}
