# SPDX-License-Identifier: Apache-2.0
"""The names of the files in which a run keeps its packets."""

NAME = "packets.bin"
TRACE = "packets.ftr"
HOW = "longhaul run NAME --packets makes one"
