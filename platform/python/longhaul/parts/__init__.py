# SPDX-License-Identifier: Apache-2.0
"""The parts that a topology joins, each with its ports: machines, switches, boxes.

`longhaul.topology` has them all; boxes of a type of their own are in `longhaul.boxes`.
"""
