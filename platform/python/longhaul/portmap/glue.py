# SPDX-License-Identifier: Apache-2.0
"""The C++ and the text that make an RTL object of a Verilated block (platform/cosim/object)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from longhaul.portmap import board, function, inputs, platform_table, rings, top_parameters
from longhaul.portmap.binding import Binding, Bits
from longhaul.portmap.read import MapFile
from longhaul.portmap.schema import Inout
from longhaul.portmap.verilated import RtlPort

HEADER = "// Made of a port map by longhaul.portmap.\n"


def model_source(
    prefix: str, ports: Mapping[str, RtlPort], key: str, *, traced: bool, covered: bool
) -> str:
    """Return the source that gives the simulator a block and its ports; `key` is the headers'."""
    lines = [
        f'  ports.push_back({{"{port.name}", &block.{port.member}, {port.width}, '
        f"{'true' if port.direction == 'input' else 'false'}}});"
        for port in ports.values()
    ]
    return f"""{HEADER}#include "{prefix}.h"

#include "platform/cosim/object/object_model.h"

namespace longhaul::cosim {{
extern const char kRtlMap[];
}}

namespace {{

using longhaul::cosim::RtlPort;

void list_ports({prefix}& block, std::vector<RtlPort>& ports) {{
{chr(10).join(lines)}
}}

longhaul::cosim::RtlInstance* make(const char* name, longhaul::cosim::TraceSink* sink,
                                   longhaul::cosim::RtlListener* listener) {{
  return new longhaul::cosim::ObjectModel<{prefix}, list_ports>(name, sink, listener);
}}

}}  // namespace

extern "C" {{
[[gnu::visibility("default")]] extern const char longhaul_rtl_interface[];
[[gnu::visibility("default")]] extern const longhaul::cosim::RtlObject longhaul_rtl_object;
const char longhaul_rtl_interface[] = "longhaul-rtl-interface: {key}";
const longhaul::cosim::RtlObject longhaul_rtl_object = {{longhaul::cosim::kRtlMap,
                                                        {_word(traced)}, {_word(covered)}, make}};
}}
"""


def _word(value: bool) -> str:
    return "true" if value else "false"


def wrapper_source(
    wrapper: str,
    top: str,
    ports: Mapping[str, RtlPort],
    parameters: Mapping[str, str | int | bool],
    inouts: Mapping[str, Inout],
) -> str:
    """Return a top module around another one, whose tri-state ports it ends with their pulls.

    An inout is an output of the wrapper: the level of its wires. Every wire has a pull, so there is
    no floating one. For each inout there are two inputs: a level, and whether that drives the wires
    from outside (board.driver_ports).
    """
    lines = [
        f"  {'input' if each.direction == 'input' else 'output'} wire "
        f"{_range(each)}{_escaped(each.name)}"
        for each in ports.values()
    ]
    for index, name in enumerate(inouts):
        lines += [f"  input wire {_range(ports[name])}{each}" for each in board.driver_ports(index)]
    listed = ",\n".join(lines)
    values = ", ".join(
        f".{name}({int(value) if isinstance(value, bool) else value})"
        for name, value in parameters.items()
    )
    pulls = "".join(
        f"  pull{inout.pull} pull_{index}_{bit}(wires_{index}[{bit}]);\n"
        for index, (name, inout) in enumerate(inouts.items())
        for bit in range(ports[name].width)
    )
    wires = "".join(
        f"  wire {_range(ports[name]) or '[0:0] '}wires_{index};\n"
        f"  assign {_escaped(name)} = wires_{index};\n" + "".join(_drivers(index, ports[name]))
        for index, name in enumerate(inouts)
    )
    places = {name: f"wires_{index}" for index, name in enumerate(inouts)}
    joined = ",\n".join(
        f"    .{_escaped(name)}({places.get(name, _escaped(name))})" for name in ports
    )
    return (
        f"{HEADER}module {wrapper} (\n{listed}\n);\n{wires}{pulls}"
        f"  {top}{f' #({values})' if values else ''} {top}_i (\n{joined}\n  );\nendmodule\n"
    )


def _drivers(index: int, port: RtlPort) -> Iterator[str]:
    level, drive = board.driver_ports(index)
    for bit in range(port.width):
        at = f"[{bit}]" if port.width > 1 else ""
        yield f"  assign wires_{index}[{bit}] = {drive}{at} ? {level}{at} : 1'bz;\n"


def _range(port: RtlPort) -> str:
    return f"[{port.width - 1}:0] " if port.width > 1 else ""


def _escaped(name: str) -> str:
    return f"\\{name} "


def map_source(text: str) -> str:
    """Return the source that holds the map's text."""
    pieces = "\n".join(f'    {json.dumps(line)} "\\n"' for line in text.splitlines())
    return f"""{HEADER}namespace longhaul::cosim {{
extern const char kRtlMap[];
const char kRtlMap[] =
{pieces};
}}
"""


EXPORTS = "{ global: longhaul_rtl_object; longhaul_rtl_interface; local: *; };\n"


def map_text(file: MapFile, binding: Binding, parameters: Sequence[str] = ()) -> str:
    """Return a map as the simulator reads it: every pin by port and bits, no text to interpret.

    `parameters`: names in a traced block that are no signals.
    """
    map_ = file.map
    document: dict[str, Any] = {
        "name": map_.block.name,
        "title": map_.block.title or f"{map_.block.top}, by a port map",
        "top": map_.block.top,
        "clocks": [
            {
                "name": name,
                "pin": _pin(binding.clocks[name]),
                "hertz": clock.hertz(),
                "ppm": clock.ppm,
                "phase_ps": clock.phase_ps(),
                "gating": clock.gating,
                "settle": clock.settle,
                "request": _pin(binding.requests[name]) if clock.request else None,
                "slot": clock.slot,
            }
            for name, clock in map_.clocks.items()
        ],
        "resets": [
            {
                "pin": _pin(binding.resets[name]),
                "active_high": reset.active == "high",
                "clock": reset.clock,
                "clocks": reset.clocks,
            }
            for name, reset in map_.resets.items()
        ],
        "constants": [
            {"pin": _pin(binding.constants[name]), "value": value}
            for name, value in map_.constants.items()
        ]
        + [{"pin": _pin(bits), "value": 0} for bits in binding.zeros],
        "inputs": inputs.document(map_, {name: _pin(at) for name, at in binding.inputs.items()}),
        "compiled": top_parameters.document(map_),
        "interfaces": [
            interface.model_dump(exclude={"prefix", "pins", "content", "devices"})
            | board.document(map_, interface, file.folder)
            | {
                "name": name,
                "pins": {signal: _pin(bits) for signal, bits in binding.interfaces[name].items()},
            }
            for name, interface in map_.interfaces.items()
        ],
        "streams": {
            name: stream.model_dump(exclude={"rate"})
            | {"bits_per_s": stream.bits_per_s(), "buffer": stream.buffer_bytes()}
            for name, stream in map_.streams.items()
        },
    }
    if parameters:
        document["parameters"] = list(parameters)
    if map_.pci:
        document["pci"] = function.document(map_)
    if map_.rings:
        document["rings"] = rings.document(map_.rings)
    if map_.platform:
        document["platform"] = platform_table.document(map_.platform)
    if map_.box:
        document["box"] = map_.box.model_dump()
    if map_.driver:
        document["driver"] = map_.driver.model_dump()
    return json.dumps(document, indent=1) + "\n"


def _pin(bits: Bits) -> list[str | int]:
    return [bits.port, bits.lsb, bits.width]
