# SPDX-License-Identifier: Apache-2.0
"""Cases and findings of an attack, kept in a file so that it goes on where it stopped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from longhaul import json_file, outdir
from longhaul.attack.kind import Verdict
from longhaul.errors import UsageError

FILE = "attack.json"
MOST_CASES = 20  # of a finding that are listed


@dataclass
class OfKind:
    """Cases of a kind: which are done, how they ended, how long they took."""

    done: set[int] = field(default_factory=set[int])
    ends: dict[str, int] = field(default_factory=dict[str, int])
    seconds: float = 0.0
    longest: float = 0.0
    longest_case: int = 0

    def next(self) -> int:
        """Return the first case that is not done."""
        number = 0
        while number in self.done:
            number += 1
        return number

    def as_json(self) -> dict[str, Any]:
        """Return it for the file."""
        return {**vars(self), "done": _ranges(self.done)}

    @staticmethod
    def of(saved: Mapping[str, Any]) -> OfKind:
        """Return it from the file."""
        done = {number for first, last in saved["done"] for number in range(first, last + 1)}
        others = {name: value for name, value in saved.items() if name != "done"}
        return OfKind(done, **others)


@dataclass
class Finding:
    """A fault of one or several cases."""

    kind: str
    fault: str
    text: str
    label: str
    command: str
    repeat: str
    count: int = 0
    cases: list[int] = field(default_factory=list[int])


@dataclass
class Tally:
    """All of it; `findings` by their signature.

    `target` is the checksum of what is attacked, `options` are those that choose the simulator.
    """

    seed: int
    target: str
    options: str = ""
    kinds: dict[str, OfKind] = field(default_factory=dict[str, OfKind])
    findings: dict[str, Finding] = field(default_factory=dict[str, Finding])

    def of(self, kind: str) -> OfKind:
        """Return what is counted of a kind."""
        return self.kinds.setdefault(kind, OfKind())

    def add(self, verdict: Verdict) -> list[str]:
        """Count a verdict; return the signatures of what is wrong that no case before it had."""
        of = self.of(verdict.kind)
        if verdict.number in of.done:
            return []
        of.done.add(verdict.number)
        of.ends[verdict.end] = of.ends.get(verdict.end, 0) + 1
        of.seconds += verdict.seconds
        if verdict.seconds > of.longest:
            of.longest, of.longest_case = verdict.seconds, verdict.number
        new: list[str] = []
        for fault in verdict.faults:
            signature = f"{verdict.kind}, {fault.signature}"
            if signature not in self.findings:
                self.findings[signature] = Finding(
                    verdict.kind,
                    fault.kind,
                    fault.text,
                    verdict.label,
                    verdict.command,
                    self.again(verdict),
                )
                new.append(signature)
            finding = self.findings[signature]
            finding.count += 1
            if len(finding.cases) < MOST_CASES:
                finding.cases.append(verdict.number)
        return new

    def again(self, verdict: Verdict) -> str:
        """Return the options of an attack that repeat a case."""
        one = f"--seed {self.seed} --only {verdict.kind} --case {verdict.number}"
        return f"{one} {self.options}".rstrip()

    def cases(self) -> int:
        """Return how many cases are done."""
        return sum(len(of.done) for of in self.kinds.values())

    def save(self, folder: Path) -> None:
        """Write the file."""
        findings = {signature: vars(finding) for signature, finding in self.findings.items()}
        kinds = {name: of.as_json() for name, of in self.kinds.items()}
        saved = {"seed": self.seed, "target": self.target, "kinds": kinds}
        outdir.write_json(folder / FILE, saved | {"findings": findings})

    @staticmethod
    def load(folder: Path, seed: int, target: str, options: str = "") -> Tally:
        """Return what was done before in a folder; a UsageError if that was another attack."""
        path = folder / FILE
        if not path.exists():
            return Tally(seed, target, options)
        try:
            saved = json_file.read(path)
            tally = Tally(
                saved["seed"],
                saved["target"],
                options,
                {name: OfKind.of(of) for name, of in saved["kinds"].items()},
                {name: Finding(**finding) for name, finding in saved["findings"].items()},
            )
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise UsageError(f"{path}: is damaged ({error}); remove {folder}") from None
        if tally.seed != seed:
            raise UsageError(f"{path}: is of --seed {tally.seed}; choose another --out")
        if tally.target != target:
            raise UsageError(
                f"{path}: is of another simulator or other Python code; choose another --out or "
                "remove it"
            )
        return tally


def _ranges(numbers: Iterable[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found
