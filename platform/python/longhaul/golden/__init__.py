# SPDX-License-Identifier: Apache-2.0
"""Golden runs: short runs whose every artefact has a checksum in the tree (tests/golden)."""
