# SPDX-License-Identifier: Apache-2.0
"""What --waves takes, and what it says otherwise."""

from pathlib import Path

import pytest
from longhaul import waves
from longhaul.errors import UsageError
from longhaul.units import ms


def test_what_is_drawn_from_when_and_for_how_long() -> None:
    drawn = waves.check(["pcix", "pcix"], "20ms", "1ms")
    assert drawn == waves.Drawn(("pcix",), ms(20), ms(1))


@pytest.mark.parametrize(
    ("what", "begin", "length", "said"),
    [
        (["pcx"], "0s", "1ms", "--waves: 'pcx' cannot be drawn, only pcix; did you mean pcix?"),
        (["pcix"], "0s", "1s", "--waves-length: 1s is out of range, wants up to 100ms"),
        (["pcix"], "0s", "0s", "--waves-length: 0s is out of range, wants up to 100ms"),
        (["pcix"], "20", "1ms", "--waves-from=20: a time needs its unit; did you mean"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(
    what: list[str], begin: str, length: str, said: str
) -> None:
    with pytest.raises(UsageError) as error:
        waves.check(what, begin, length)
    assert str(error.value).startswith(said)


def test_a_run_without_waveforms_says_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="run the scenario with --waves pcix"):
        waves.show(tmp_path)
