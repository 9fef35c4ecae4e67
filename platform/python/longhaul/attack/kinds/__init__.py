# SPDX-License-Identifier: Apache-2.0
"""The kinds of attack, by name."""

from __future__ import annotations

from longhaul.attack.kind import Kind
from longhaul.attack.kinds.commands import Commands
from longhaul.attack.kinds.configurations import Configurations
from longhaul.attack.kinds.faults import Faults
from longhaul.attack.kinds.misdeeds import Misdeeds
from longhaul.attack.kinds.results import Results
from longhaul.attack.kinds.traffic import Traffic
from longhaul.attack.kinds.wires import Wires

KINDS: dict[str, type[Kind]] = {
    kind.name: kind
    for kind in (Configurations, Commands, Results, Faults, Misdeeds, Wires, Traffic)
}
