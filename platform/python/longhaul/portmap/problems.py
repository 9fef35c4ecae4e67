# SPDX-License-Identifier: Apache-2.0
"""A mistake in a part of a port map: its place in the map, and a sentence."""

from __future__ import annotations

from collections.abc import Sequence

PathOf = Sequence[str | int]
Problem = tuple[PathOf, str]
