# SPDX-License-Identifier: Apache-2.0
"""Settings of a scenario: typed, with unit, default, range, help and evidence."""

from longhaul.settings.fields import (
    Setting,
    as_in,
    changed,
    parse,
    setting,
    setting_called,
    settings_of,
    values,
    with_default,
)
from longhaul.settings.kinds import (
    Choice,
    ChoiceOrCount,
    Count,
    CountOr,
    Flag,
    Kind,
    Number,
    Quantities,
    RingPair,
    Rings,
    Share,
    Text,
    WorkloadName,
)

__all__ = [
    "Choice",
    "ChoiceOrCount",
    "Count",
    "CountOr",
    "Flag",
    "Kind",
    "Number",
    "Quantities",
    "RingPair",
    "Rings",
    "Setting",
    "Share",
    "Text",
    "WorkloadName",
    "as_in",
    "changed",
    "parse",
    "setting",
    "setting_called",
    "settings_of",
    "values",
    "with_default",
]
