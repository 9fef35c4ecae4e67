// SPDX-License-Identifier: Apache-2.0
// Python's view of a simulation. longhaul.api builds the comfortable interface on it
// (docs/python_api.md).
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <systemc>

#include "models/common/param.h"
#include "platform/python/bindings/session.h"

namespace nb = nanobind;
using longhaul::bindings::Session;

/// SystemC's library needs this function. It is never called, because Python has the program's
/// main().
extern "C" __attribute__((visibility("default"))) int sc_main(int /*argc*/, char** /*argv*/) {
  return 1;
}

NB_MODULE(longhaul_native, module) {  // NOLINT: the macro's names are nanobind's
  nb::set_leak_warnings(false);       // a script may end with its simulation open
  const nb::exception<longhaul::ConfigError> config_error(module, "ConfigError");
  const nb::exception<longhaul::bindings::CallError> call_error(module, "CallError");
  nb::class_<Session>(module, "Session")
      .def(nb::init<const std::string&>(), nb::arg("config"))
      .def_prop_ro("now", [](const Session&) { return Session::now(); })
      .def_prop_ro("over", &Session::over)
      .def_prop_ro("limit", &Session::limit)
      .def("whereabouts", &Session::whereabouts)
      .def("run", &Session::run, nb::arg("duration_ps"), nb::arg("condition").none())
      .def("every", &Session::every, nb::arg("period_ps"), nb::arg("look"))
      .def("on_change", &Session::on_change, nb::arg("probe"), nb::arg("told"))
      .def("remove", &Session::remove, nb::arg("watch"))
      .def("probes", &Session::probes)
      .def("value", &Session::value, nb::arg("probe"))
      .def("highest", &Session::highest, nb::arg("probe"))
      .def("params", &Session::params)
      .def("change_param", &Session::change_param, nb::arg("object"), nb::arg("name"),
           nb::arg("json"))
      .def("access_box", &Session::access_box, nb::arg("box"), nb::arg("accesses"))
      .def("registers", &Session::registers, nb::arg("adapter"))
      .def("read_register", &Session::read_register, nb::arg("adapter"), nb::arg("offset"),
           nb::arg("peek"))
      .def("write_register", &Session::write_register, nb::arg("adapter"), nb::arg("offset"),
           nb::arg("value"))
      .def("write_results", &Session::write_results);
}
