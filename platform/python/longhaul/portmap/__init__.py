# SPDX-License-Identifier: Apache-2.0
"""Port maps: the user's own RTL in the simulation, by a TOML file (docs/port_maps.md)."""
