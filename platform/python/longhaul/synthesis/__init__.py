# SPDX-License-Identifier: Apache-2.0
"""Synthesis of RTL for a generic target with Yosys: mistakes, cells and the longest path."""
