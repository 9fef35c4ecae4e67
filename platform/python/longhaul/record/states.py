# SPDX-License-Identifier: Apache-2.0
"""Names of states that probes are split by."""

CORE_STATES = ("user", "system", "softirq", "hardirq", "mmio_stall")
"""What a processor's core does while it is not idle (models/cpu/README.md)."""
