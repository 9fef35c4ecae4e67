# SPDX-License-Identifier: Apache-2.0
"""Types of models: adapters, boxes, bridges, drivers, systems, workloads, congestion controls.

A type is described where it is made, in C++ (docs/plugins.md). `catalog` has names and limits of
each, from the types.json beside its source. `described` asks the simulator for all, those of
plug-ins too. `plugins` are the files that this process was given.
"""

from longhaul.types.catalog import LinuxDriver, Type, choices, find, linux_driver, names

__all__ = ["LinuxDriver", "Type", "choices", "find", "linux_driver", "names"]
