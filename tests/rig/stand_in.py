# SPDX-License-Identifier: Apache-2.0
"""A program in the simulator's place that says what a test wants."""

from __future__ import annotations

from pathlib import Path


def says(program: Path, text: str, errors: str = "", code: int = 0) -> None:
    """Make the program; it prints both texts, ends with the code, and notes its words in .args."""
    out, err = program.with_suffix(".out"), program.with_suffix(".err")
    out.write_text(text)
    err.write_text(errors)
    program.write_text(
        f"#!/bin/sh\necho $* >{program}.args\ncat {out}\ncat {err} >&2\nexit {code}\n"
    )
    program.chmod(0o755)
