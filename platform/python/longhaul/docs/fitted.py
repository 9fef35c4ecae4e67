# SPDX-License-Identifier: Apache-2.0
"""`python -m longhaul.docs.fitted`: the table of all fitted numbers in docs/accuracy.md.

The rows come from the descriptors of all types, from the parameters of a machine of each preset,
and from the scenarios' settings. With --update the table is written, without it is compared.
"""

from __future__ import annotations

import argparse
import os
import posixpath
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longhaul import registry
from longhaul.docs.tables import code, plain, table
from longhaul.errors import LonghaulError
from longhaul.outdir import write_text
from longhaul.paths import ROOT, simulator
from longhaul.process import QUIET_SYSTEMC
from longhaul.results import simdata
from longhaul.runs import manifest, runner
from longhaul.topology import NetperfRr, Scenario, System, machines, nics, presets
from longhaul.types import described
from longhaul.units import ms

PAGE = "docs/accuracy.md"
FITTED = "fitted"
BEGIN = "<!-- fitted: platform/python/longhaul/docs/fitted.py -->\n"
END = "<!-- end of fitted -->"
_BLOCK = re.compile(rf"(?<={re.escape(BEGIN)}).*?(?=^{re.escape(END)}$)", re.M | re.S)
_PATH = re.compile(r"\b(?:models|docs|scenarios)/[\w./-]*\w(#[\w-]+)?")


@dataclass(frozen=True)
class Number:
    """One fitted number: `of` is the kind of thing that has it, `name` which one."""

    of: str
    name: str
    parameter: str
    value: str
    source: str


def of_types() -> Iterator[Number]:
    """Yield the fitted parameters of all types."""
    for each in described.everything():
        for group, parameters in each.parameters.items():
            for item in parameters:
                if item.evidence == FITTED:
                    part = "" if group in ("params", each.kind) else f"{group}."
                    value = str(item.default)
                    yield Number(each.kind, each.name, part + item.name, value, item.source)


def of_settings() -> Iterator[Number]:
    """Yield the fitted settings of all scenarios."""
    for name, entry in sorted(registry.scenarios().items()):
        for item in entry.settings.values():
            if item.evidence == FITTED:
                value = item.kind.show(item.default)
                yield Number("scenario", name, item.name, value, item.source)


def of_machines() -> Iterator[Number]:
    """Yield the fitted parameters of a machine of each preset, in the presets' order."""
    scenario = _machines()
    for row in manifest.parameters(_simulated(scenario), scenario, ()):
        machine, _, place = row["object"].partition(".")
        if row["evidence"] == FITTED and machine in presets.PRESETS:
            name = f"{place}.{row['name']}"
            yield Number("machine", machine, name, str(row["value"]), row["source"])


def _machines() -> Scenario:
    """Return a scenario with a machine of each preset, each on a cable with another one."""
    scenario = Scenario("presets")
    names = {kind: kind for kind in presets.PRESETS}
    if len(names) % 2:
        names |= {"peer": presets.PRESETS[0]}
    hosts = [
        scenario.add(
            machines.from_preset(
                kind,
                name,
                nic=nics.e1000(board="82545em-copper"),
                system=System(profile="linux-6.1"),
            )
        )
        for name, kind in names.items()
    ]
    for left, right in zip(hosts[::2], hosts[1::2], strict=True):
        ports = left.port("eth0"), right.port("eth0")
        scenario.link(*ports, name=f"{left.name}_cable", phy="1000base-t")
    scenario.run_workload(NetperfRr(sender=hosts[0], receiver=hosts[1], duration=ms(1)))
    return scenario


def _simulated(scenario: Scenario) -> Any:
    """Return the parameters that a short run of the scenario tells."""
    request = runner.RunRequest(registry.ScenarioEntry(scenario.name, Path()), None, Path("out"))
    config = runner.configuration(request, scenario, None, None)
    with tempfile.TemporaryDirectory(prefix="longhaul-fitted-") as folder:
        raw = Path(folder)
        write_text(raw / "config.json", config.model_dump_json() + "\n")
        done = subprocess.run(
            [str(simulator()), "config.json"],
            cwd=raw,
            env=os.environ | QUIET_SYSTEMC,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise LonghaulError(f"{simulator()}: {done.stderr.strip()}")
        return simdata.load(raw / "sim.json").params


def everything() -> list[Number]:
    """Return all fitted numbers; a machine's are left out where a type tells the same."""
    types = list(of_types())
    known = {(_leaf(each), each.source) for each in types}
    own = [each for each in of_machines() if (_leaf(each), each.source) not in known]
    return [*own, *types, *of_settings()]


def _leaf(number: Number) -> str:
    return number.parameter.rpartition(".")[2]


def rows(numbers: Iterable[Number]) -> str:
    """Return the table; things that share a number share its row."""
    shared: dict[tuple[str, str, str, str], list[str]] = {}
    for each in numbers:
        key = (each.of, each.parameter, each.value, each.source)
        shared.setdefault(key, []).append(each.name)
    return table(
        ("parameter", "value", "of", "fitted to"),
        (
            (code(parameter), value, _of(of, names), _linked(plain(source)))
            for (of, parameter, value, source), names in shared.items()
        ),
    )


def _of(of: str, names: Sequence[str]) -> str:
    if of == "machine" and len(names) == len(presets.PRESETS):
        return "every machine"
    return f"{of} {', '.join(map(code, names))}"


def _linked(source: str) -> str:
    """Return a source with each path in it as a link from the page."""

    def link(found: re.Match[str]) -> str:
        name, _, anchor = found[0].partition("#")
        if not name.endswith(".md"):
            name = f"{name}/{posixpath.basename(name)}.md"
        way = posixpath.relpath(name, posixpath.dirname(PAGE))
        return f"[{found[0]}]({way}{'#' if anchor else ''}{anchor})"

    return _PATH.sub(link, source)


def with_table(text: str, made: str) -> str:
    """Return the page's text with this table in the place of the one that it has."""
    changed, number = _BLOCK.subn(lambda _: f"\n{made}", text)
    if number != 1:
        raise LonghaulError(f"{PAGE}: has no place for the table of fitted numbers")
    return changed


def main(words: Sequence[str]) -> int:
    """Write the table, or end with 1 if it is stale."""
    parser = argparse.ArgumentParser(prog="python -m longhaul.docs.fitted", description=__doc__)
    parser.add_argument("--update", action="store_true", help=f"write {PAGE}")
    page = ROOT / PAGE
    update = parser.parse_args(words).update
    text = page.read_text()
    made = with_table(text, rows(everything()))
    if update:
        write_text(page, made)
    elif made != text:
        print(f"{PAGE}: is stale; run: python -m longhaul.docs.fitted --update", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
