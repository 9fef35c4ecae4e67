# SPDX-License-Identifier: Apache-2.0
"""The sweeps of a study: for each workload one of the twin, and one of the RTL."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from longhaul import registry
from longhaul.runs import given
from longhaul.studies.definition import Study
from longhaul.studies.tables import Load, merged
from longhaul.sweeps import sweep as sweeps
from longhaul.sweeps.plan import Plan
from longhaul.types.rtl_models import PARAMETER, RTL, TLM

MODELS = (TLM, RTL)


@dataclass(frozen=True)
class Part:
    """One sweep of a study."""

    load: Load
    model: str  # of the study's adapters
    plan: Plan

    def folder(self, value: str) -> Path:
        """Return the folder of the run with a value of the axis."""
        (case,) = (each for each in self.plan.cases if each[0].partition("=")[2] == value)
        return self.plan.folder(case)


def parts(study: Study, out: Path, seed: int) -> Iterator[Part]:
    """Yield the sweeps with their runs planned; a UsageError says what is wrong with one."""
    entry = registry.find(study.scenario)
    software = given.parse({"kernel-arg": study.kernel_args})
    for load in study.loads:
        for model in MODELS:
            values = study.twin if model == TLM else study.rtl
            models = [f"{each}.{PARAMETER}={RTL}" for each in study.adapters if model == RTL]
            plan = sweeps.plan(
                entry.spec,
                [f"{study.axis}={','.join(values)}"],
                merged(study.sets, load.sets),
                out / load.name / model,
                seed,
                params=[*study.params, *models],
                software=software,
            )
            yield Part(load, model, plan)
