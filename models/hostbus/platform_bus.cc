// SPDX-License-Identifier: Apache-2.0
#include "models/hostbus/platform_bus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/common/payload.h"

namespace longhaul::hostbus {
namespace {

constexpr std::uint64_t kQuadWord = 8;

}  // namespace

/// A device in its window.
class PlatformBus::Place final : public DevicePort {
 public:
  Place(PlatformBus& bus, std::uint32_t number, PlatformDevice& device)
      : bus_(bus), line_(address_map::kFirstLine + number), device_(device) {
    device.join(*this);
  }

  bool claims(std::uint64_t address) const {
    return address % address_map::kWindowBytes < device_.window_bytes();
  }
  void start(Request& request) {
    open_.push_back(&request);
    const std::uint64_t address = request.address % address_map::kWindowBytes;
    if (request.is_read) {
      device_.read(address, request.bytes);
    } else {
      device_.write(address, request.data.data(), request.bytes);
    }
  }

  void answer(bool ok, const std::uint8_t* data) override {
    Request& request = *open_.pop_front();
    if (request.is_read) {
      if (ok) {
        std::memcpy(request.data.data(), data, request.bytes);
      } else {
        request.data.fill(0xff);
      }
      request.done.notify_in(to_ps(bus_.params_.upstream_latency()));
      return;
    }
    bus_.give_back(request);
  }
  void set_interrupt(bool level) override {
    if (level == (told_ || rises_.is_set())) return;
    if (level) {
      rises_.set(now_ps() + to_ps(bus_.params_.interrupt_latency()));
      return;
    }
    rises_.cancel();
    tell(false);
  }
  void read_memory(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                   DmaClient& client, std::uint64_t tag) override {
    bus_.access_memory(tlm::TLM_READ_COMMAND, address, data, bytes, client, tag);
  }
  void write_memory(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes,
                    DmaClient& client, std::uint64_t tag) override {
    bus_.access_memory(tlm::TLM_WRITE_COMMAND, address, const_cast<std::uint8_t*>(data), bytes,
                       client, tag);
  }

 private:
  void tell(bool asserted) {
    if (told_ == asserted) return;
    told_ = asserted;
    bus_.receiver_(line_, asserted);
  }

  PlatformBus& bus_;
  const std::uint32_t line_;
  PlatformDevice& device_;
  RingBuffer<Request*> open_;  // accesses that the device has not answered
  bool told_ = false;
  Timer rises_{[this] { tell(true); }};
};

/// A device's access to memory that is in progress.
struct PlatformBus::Dma {
  explicit Dma(PlatformBus& its_bus) : bus(its_bus) {}
  PlatformBus& bus;
  DmaClient* client = nullptr;
  std::uint64_t tag = 0;
  bool ok = false;
  Timer over{[this] {
    bus.free_dma_.push_back(this);
    client->dma_done(tag, ok);
  }};
};

PlatformBus::PlatformBus(const sc_core::sc_module_name& name, const PlatformBusParams& params,
                         Bytes memory_end, InterruptReceiver receiver)
    : sc_module(name),
      params_(params),
      memory_end_(memory_end.count),
      receiver_(std::move(receiver)) {
  core_target.register_b_transport(this, &PlatformBus::core_b_transport);
}

PlatformBus::~PlatformBus() = default;

void PlatformBus::add(std::uint32_t number, PlatformDevice& device, const std::string& where) {
  if (number == 0 || number >= places_.size())
    throw ConfigError(fmt::format("{}.slot: {} is out of range, wants 1 to {}", where, number,
                                  places_.size() - 1));
  if (places_[number])
    throw ConfigError(fmt::format("{}.slot: {} has another platform device", where, number));
  if (device.window_bytes() > address_map::kWindowBytes)
    throw ConfigError(fmt::format("{}: its window has {} bytes; {} is the most", where,
                                  device.window_bytes(), address_map::kWindowBytes));
  places_[number] = std::make_unique<Place>(*this, number, device);
}

void PlatformBus::core_b_transport(int /*core*/, tlm::tlm_generic_payload& payload,
                                   sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  if (!address_map::is_window(address)) return bridge_initiator->b_transport(payload, delay);
  const std::uint32_t bytes = payload.get_data_length();
  if (bytes == 0 || address / kQuadWord != (address + bytes - 1) / kQuadWord) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  if (delay != sc_core::SC_ZERO_TIME) EventQueue::get().pass(to_ps(delay));
  delay = sc_core::SC_ZERO_TIME;
  (payload.is_read() ? core_reads : core_writes).add();
  if (payload.is_write()) {
    while (posted_ >= params_.posted_writes()) EventQueue::get().pass_until(room_);
    ++posted_;
  }
  Request& request = take_request();
  request.place = places_[(address - address_map::kWindowsBegin) / address_map::kWindowBytes].get();
  request.address = address;
  request.bytes = bytes;
  request.is_read = payload.is_read();
  if (payload.is_write()) std::memcpy(request.data.data(), payload.get_data_ptr(), bytes);
  post(request);
  if (payload.is_read()) {
    read(request, payload);
  } else {
    EventQueue::get().pass(to_ps(params_.core_write_time()));
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void PlatformBus::read(Request& request, tlm::tlm_generic_payload& payload) {
  EventQueue::get().pass_until(request.done);
  std::memcpy(payload.get_data_ptr(), request.data.data(), request.bytes);
  free_requests_.push_back(&request);
}

void PlatformBus::post(Request& request) {
  request.at_ps = now_ps() + to_ps(params_.downstream_latency());
  on_way_.push_back(&request);
  if (on_way_.size() == 1) arrives_.set(request.at_ps);
}

void PlatformBus::deliver() {
  while (!on_way_.empty() && on_way_.front()->at_ps <= now_ps()) {
    Request& request = *on_way_.pop_front();
    if (request.place != nullptr && request.place->claims(request.address)) {
      request.place->start(request);
      continue;
    }
    unclaimed.add();
    if (request.is_read) {
      request.data.fill(0xff);
      request.done.notify_in(to_ps(params_.upstream_latency()));
    } else {
      give_back(request);
    }
  }
  if (!on_way_.empty()) arrives_.set(on_way_.front()->at_ps);
}

void PlatformBus::give_back(Request& request) {
  free_requests_.push_back(&request);
  if (posted_-- == params_.posted_writes()) room_.notify();
}

PlatformBus::Request& PlatformBus::take_request() {
  if (free_requests_.empty()) {
    owned_requests_.push_back(std::make_unique<Request>());
    free_requests_.push_back(owned_requests_.back().get());
  }
  Request& request = *free_requests_.back();
  free_requests_.pop_back();
  return request;
}

void PlatformBus::access_memory(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                                std::uint32_t bytes, DmaClient& client, std::uint64_t tag) {
  if (free_dma_.empty()) {
    owned_dma_.push_back(std::make_unique<Dma>(*this));
    free_dma_.push_back(owned_dma_.back().get());
  }
  Dma& dma = *free_dma_.back();
  free_dma_.pop_back();
  dma.client = &client;
  dma.tag = tag;
  sc_core::sc_time delay = params_.upstream_latency();
  dma.ok = address < memory_end_ && bytes <= memory_end_ - address;
  if (dma.ok) {
    tlm::tlm_generic_payload payload;
    set_access(payload, command, address, data, bytes);
    memory_initiator->b_transport(payload, delay);
    dma.ok = payload.get_response_status() == tlm::TLM_OK_RESPONSE;
  }
  if (dma.ok) {
    dma_bytes.add(bytes);
  } else {
    dma_failures.add();
  }
  if (command == tlm::TLM_READ_COMMAND) delay += params_.downstream_latency();
  dma.over.set(now_ps() + to_ps(delay));
}

}  // namespace longhaul::hostbus
