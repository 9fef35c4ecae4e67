# SPDX-License-Identifier: Apache-2.0
"""What can be wrong with a part of a port map: its place in the map, and a sentence."""

from __future__ import annotations

from collections.abc import Sequence

PathOf = Sequence[str | int]
Problem = tuple[PathOf, str]
