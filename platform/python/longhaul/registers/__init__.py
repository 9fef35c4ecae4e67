# SPDX-License-Identifier: Apache-2.0
"""Registers as data: a box's `RegisterMap`, `load`ed from what its SystemRDL file says.

`generate` makes these data, constants and tables from rtl/*/*.rdl; rtl/README.md shows how to add
a register.
"""

from longhaul.registers.description import Access, Block, Field, Register, RegisterMap
from longhaul.registers.stored import load

__all__ = ["Access", "Block", "Field", "Register", "RegisterMap", "load"]
