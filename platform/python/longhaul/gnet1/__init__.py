# SPDX-License-Identifier: Apache-2.0
"""GNET-1 from outside: its `registers` by name, and `control` of the box of a run that goes on."""
