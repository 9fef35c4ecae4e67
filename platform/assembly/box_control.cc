// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/box_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/common/param.h"

namespace longhaul::assembly {

std::vector<RegisterAccess> read_accesses(const nlohmann::json& json, const std::string& where) {
  const auto refuse = [&where](const nlohmann::json& what) {
    throw ConfigError(
        fmt::format("{}: wants [[ADDRESS] or [ADDRESS, VALUE], ...], numbers of 32 bits, got {}", where, what.dump()));
  };
  const auto word = [&refuse](const nlohmann::json& number) {
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() > UINT32_MAX) refuse(number);
    return number.get<std::uint32_t>();
  };
  if (!json.is_array()) refuse(json);
  std::vector<RegisterAccess> accesses;
  for (const nlohmann::json& each : json) {
    if (!each.is_array() || each.empty() || each.size() > 2) refuse(each);
    accesses.push_back({word(each[0]), {}});
    if (accesses.back().address % 4 != 0)
      throw ConfigError(fmt::format("{}: address {:#x} is no multiple of 4", where, accesses.back().address));
    if (each.size() == 2) accesses.back().value = word(each[1]);
  }
  return accesses;
}

BoxControl::BoxControl(const sc_core::sc_module_name& name, const Targets& targets, std::vector<ControlStep> steps,
                       const std::string& folder, observe::Ticker& ticker)
    : sc_module(name), steps_(std::move(steps)), socket_(folder + "/" + kSocketFile), log_(folder + "/" + kLogFile) {
  std::vector<std::string> names;
  for (const auto& [box, target] : targets) {
    names.push_back(box);
    boxes_[box] = std::make_unique<Initiator>(("to_" + box).c_str());
    boxes_[box]->bind(*target);
  }
  for (const ControlStep& step : steps_) {
    if (boxes_.count(step.box) == 0)
      throw ConfigError(
          fmt::format("control: no box '{}' has registers; nearest is '{}'", step.box, nearest(step.box, names)));
  }
  const std::string header = "time_ps,box,address,access,value,by\n";
  log_.write(header.data(), header.size());
  ticker.every(poll_period(), [this] { poll_socket(); });
  SC_HAS_PROCESS(BoxControl);
  SC_THREAD(work_thread);
}

void BoxControl::window_opened() {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  for (const ControlStep& step : steps_) add({now + step.at, step.box, step.accesses, {}, step.times, step.every});
}

void BoxControl::add(Job job) {
  const auto later = std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& other) { return other.due > job.due; });
  jobs_.insert(later, std::move(job));
  work_event_.notify(std::max(jobs_.front().due, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp());
}

void BoxControl::poll_socket() {
  for (const ControlSocket::Request& request : socket_.poll()) {
    try {
      const auto json = nlohmann::json::parse(request.line, nullptr, false);
      if (!json.is_object() || !json.contains("box") || !json["box"].is_string() || !json.contains("accesses"))
        throw ConfigError(R"(wants {"box": NAME, "accesses": [[ADDRESS] or [ADDRESS, VALUE], ...]} in a line)");
      const auto box = json["box"].get<std::string>();
      std::vector<std::string> names;
      for (const auto& [name, socket] : boxes_) names.push_back(name);
      if (boxes_.count(box) == 0)
        throw ConfigError(fmt::format("no box '{}' has registers; nearest is '{}'", box, nearest(box, names)));
      Job job{sc_core::sc_time_stamp(), box, read_accesses(json["accesses"], "accesses"), request.client, 1, {}};
      add(std::move(job));
    } catch (const ConfigError& error) {
      socket_.answer(request.client, nlohmann::json{{"error", error.what()}}.dump());
    }
  }
}

void BoxControl::work_thread() {
  for (;;) {
    while (!jobs_.empty() && jobs_.front().due <= sc_core::sc_time_stamp()) {
      Job job = std::move(jobs_.front());
      jobs_.pop_front();
      perform(job);
      if (--job.times_left == 0) continue;
      job.due += job.every;
      add(std::move(job));
    }
    if (!jobs_.empty()) work_event_.notify(jobs_.front().due - sc_core::sc_time_stamp());
    wait(work_event_);
  }
}

void BoxControl::perform(const Job& job) {
  nlohmann::json values = nlohmann::json::array();
  for (const RegisterAccess& what : job.accesses) {
    const std::optional<std::uint32_t> value = access(*boxes_.at(job.box), what);
    values.push_back(value ? nlohmann::json(*value) : nlohmann::json());
    const std::string line = fmt::format("{},{},{:#x},{},{},{}\n", sc_core::sc_time_stamp().value(), job.box,
                                         what.address, what.value ? "write" : "read",
                                         value ? std::to_string(*value) : "", job.client ? "socket" : "scenario");
    log_.write(line.data(), line.size());
  }
  if (!job.client) return;
  socket_.answer(*job.client, nlohmann::json{{"time_ps", sc_core::sc_time_stamp().value()}, {"values", values}}.dump());
}

std::optional<std::uint32_t> BoxControl::access(Initiator& box, const RegisterAccess& what) {
  std::uint32_t word = what.value.value_or(0);
  sc_core::sc_time delay;
  tlm::tlm_generic_payload payload;
  payload.set_command(what.value ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(what.address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  payload.set_data_length(sizeof word);
  payload.set_streaming_width(sizeof word);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  box->b_transport(payload, delay);
  if (payload.is_response_error()) return std::nullopt;
  return word;
}

}  // namespace longhaul::assembly
