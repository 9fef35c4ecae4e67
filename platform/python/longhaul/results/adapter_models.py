# SPDX-License-Identifier: Apache-2.0
"""Which model each adapter of a run was: TLM, or RTL, perhaps in the place of a TLM type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KEY = "adapter_models"  # of results.json and manifest.json
NOT_COUNTED = "how busy its engines are, and frames that it loses inside"


def replaced(of: str, block: str, left_out: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry of an adapter whose TLM type `of` has its RTL in its place."""
    return {
        "type": of,
        "model": "rtl",
        "rtl": block,
        "left_out": dict(left_out),
        "not_counted": NOT_COUNTED,
    }


def notes(results: Mapping[str, Any]) -> list[str]:
    """Say of each adapter with RTL in its type's place what that leaves out."""
    return [
        f"{place} is RTL: {each['rtl']} in the place of {each['type']}{_left_out(each)}. "
        f"Not counted: {each['not_counted']}. So no verdict names this adapter"
        for place, each in results.get(KEY, {}).items()
        if "rtl" in each
    ]


def _left_out(each: Mapping[str, Any]) -> str:
    if not each["left_out"]:
        return ""
    values = ", ".join(f"{name}={value}" for name, value in each["left_out"].items())
    return f". Left out, since only the TLM model has it: {values}"


def of_run(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return the model of each adapter as a value of its parameter, for comparisons."""
    return {f"{place}.model": each["model"] for place, each in manifest.get(KEY, {}).items()}
