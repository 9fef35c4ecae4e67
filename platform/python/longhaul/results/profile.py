# SPDX-License-Identifier: Apache-2.0
"""Where a guest's kernel spent its simulated cycles: by function, and by call path.

The simulator leaves two files per machine. One has the basic blocks that ran in the measured
window, with their cycles and their waits for the instruction cache (exact). The other has sampled
stacks of four kinds. Code and fetches come from the blocks. Copies, checksums, entries, stalls on
MMIO and cache misses of data come from the samples. In call paths fetches are part of the code.
`profile-MACHINE.csv` and `profile-MACHINE.folded` (as `flamegraph.pl` and speedscope read it;
values are thousands of cycles) are made from them.
"""

from __future__ import annotations

import bisect
import copy
import csv
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from longhaul.errors import LonghaulError

STATES = ("user", "system", "softirq", "hardirq")  # enum lh_state
KINDS = ("code", "work", "mmio", "cold")  # enum lh_sample_kind
MARKS = {"work": "[copy, checksum, entry]", "mmio": "[MMIO]", "cold": "[cold lines]"}
OTHERS = "[rarer paths]"
COSTS = ("code", "fetch", "work", "mmio", "cold")
COLUMNS = ("function", "cycles", *COSTS, "blocks")
# Functions of the accounting itself, and the copy loops, which belong to their callers.
_HIDDEN = {"due", "buffer_op", "do_op_one_page", "exchange_on_bus"}
_HIDDEN_PREFIXES = ("longhaul_", "copy_chunk_", "charge", "sample", "clear_chunk", "exchange_and_")
_IRQ_ENTRY = ("longhaul_take_irq", "do_IRQ", "longhaul_deliver_interrupts")


class Symbols:
    """Names of text addresses, from the kernel's System.map and a guest's list of its modules'."""

    def __init__(self, system_map: Path) -> None:
        found: list[tuple[int, str, str]] = []
        try:
            for line in system_map.read_text().splitlines():
                address, kind, name = line.split()
                if kind in "tTwW":
                    found.append((int(address, 16), name, ""))
        except ValueError:
            raise LonghaulError(
                f"{system_map}: is damaged; remove {system_map.parent}, and the next run makes the "
                "kernel again"
            ) from None
        self._take(found)

    def with_modules(self, listing: Path) -> Symbols:
        """Return these and those of a guest's modules; without a listing there are none of them."""
        if not listing.exists():
            return self
        more: list[tuple[int, str, str]] = []
        for line in listing.read_text().splitlines():
            address, name, module = line.split()  # the module in brackets, as in /proc/kallsyms
            more.append((int(address, 16), name, f" {module}"))
        both = copy.copy(self)
        both._take([*self._found, *more])
        return both

    def _take(self, found: list[tuple[int, str, str]]) -> None:
        self._found = sorted(found)
        self._addresses = [address for address, *_ in self._found]
        self._names = [name.split(".")[0] + module for _, name, module in self._found]

    def name(self, address: int) -> str:
        """Return the function that an address lies in; the address itself if there is none."""
        index = bisect.bisect_right(self._addresses, address) - 1
        return self._names[index] if index >= 0 else f"{address:#x}"


@dataclass(frozen=True)
class FunctionCost:
    """One function's own cycles in the measured window, by kind, and the basic blocks it ran."""

    function: str
    code: int
    fetch: int
    work: int
    mmio: int
    cold: int
    blocks: int

    @property
    def cycles(self) -> int:
        """All kinds together."""
        return sum(self.costs)

    @property
    def costs(self) -> tuple[int, ...]:
        """The kinds in the order of `COSTS`."""
        return tuple(getattr(self, kind) for kind in COSTS)


@dataclass(frozen=True)
class Profile:
    """A machine's profile: functions, dearest first, and thousands of cycles by call path."""

    functions: list[FunctionCost]
    paths: dict[tuple[str, ...], int]


def load(
    raw: Path, machine: str, symbols: Symbols, *, clock_hz: float, period_s: float
) -> Profile | None:
    """Read the simulator's two files; None when it wrote none."""
    blocks_file, stacks_file = raw / f"profile-{machine}.blocks", raw / f"profile-{machine}.stacks"
    if not blocks_file.exists():
        return None
    cycles: dict[str, Counter[str]] = defaultdict(Counter)
    runs: Counter[str] = Counter()
    for line in blocks_file.read_text().splitlines():
        address, count, block_cycles, fetch_cycles = line.split()
        name = symbols.name(int(address, 16))
        cycles[name]["code"] += int(block_cycles)
        cycles[name]["fetch"] += int(fetch_cycles)
        runs[name] += int(count)
    paths: Counter[tuple[str, ...]] = Counter()
    per_sample = clock_hz * period_s
    for line in stacks_file.read_text().splitlines():
        kind_text, state, weight, *addresses = line.split()
        kind = KINDS[int(kind_text)]
        frames = _frames([symbols.name(int(a, 16) - 1) for a in addresses])
        sampled = round(int(weight) * per_sample)
        if kind != "code" and frames:
            cycles[frames[0]][kind] += sampled
        mark = (MARKS[kind],) if kind in MARKS else ()
        if not addresses:  # more distinct stacks than the simulator keeps
            frames = [OTHERS]
        paths[(STATES[int(state)], *reversed(frames), *mark)] += round(sampled / 1000)
    functions = [
        FunctionCost(name, **{kind: kinds[kind] for kind in COSTS}, blocks=runs[name])
        for name, kinds in cycles.items()
    ]
    functions.sort(key=lambda f: (-f.cycles, f.function))
    return Profile(functions, dict(paths))


def _frames(names: list[str]) -> list[str]:
    """Leave out the accounting's own frames and what an interrupt interrupted; innermost first."""
    frames: list[str] = []
    for name in names:
        if name in _IRQ_ENTRY and frames:
            break
        accounting = name in _HIDDEN or name.startswith(_HIDDEN_PREFIXES)
        if not frames and accounting and not name.endswith("]"):  # a module's
            continue
        frames.append(name)
    return frames


def write(profile: Profile, folder: Path, machine: str) -> None:
    """Write `profile-MACHINE.csv` and `profile-MACHINE.folded` into `folder`."""
    with (folder / f"profile-{machine}.csv").open("w", newline="") as out:
        table = csv.writer(out)
        table.writerow(COLUMNS)
        for f in profile.functions:
            table.writerow([f.function, f.cycles, *f.costs, f.blocks])
    lines = [
        f"{';'.join(path)} {value}\n" for path, value in sorted(profile.paths.items()) if value
    ]
    (folder / f"profile-{machine}.folded").write_text("".join(lines))


def read_functions(folder: Path, machine: str) -> list[FunctionCost]:
    """Read `profile-MACHINE.csv` back; empty when there is none."""
    path = folder / f"profile-{machine}.csv"
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [
            FunctionCost(row["function"], *(int(row[k]) for k in (*COSTS, "blocks")))
            for row in csv.DictReader(file)
        ]


def read_paths(folder: Path, machine: str) -> dict[tuple[str, ...], int]:
    """Read `profile-MACHINE.folded` back; empty when there is none."""
    path = folder / f"profile-{machine}.folded"
    if not path.exists():
        return {}
    pairs = (line.rpartition(" ") for line in path.read_text().splitlines())
    return {tuple(frames.split(";")): int(value) for frames, _, value in pairs}


def tree(
    paths: dict[tuple[str, ...], int], *, least_share: float = 0.002
) -> dict[str, list[object]]:
    """Return the call paths as an icicle's ids, labels, parents and values.

    Paths below `least_share` of the whole are in their parents' values and not drawn.
    """
    total: Counter[tuple[str, ...]] = Counter()
    for path, value in paths.items():
        for depth in range(len(path) + 1):
            total[path[:depth]] += value
    whole = total[()]
    ids: list[object] = []
    labels: list[object] = []
    parents: list[object] = []
    values: list[object] = []
    for path, value in sorted(total.items()):
        if whole == 0 or value < least_share * whole:
            continue
        ids.append("/".join(path) or "all")
        labels.append(path[-1] if path else "busy")
        parents.append(("/".join(path[:-1]) or "all") if path else "")
        values.append(value)
    return {"ids": ids, "labels": labels, "parents": parents, "values": values}
