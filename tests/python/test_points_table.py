# SPDX-License-Identifier: Apache-2.0
"""The table of a sweep's points: lines where they fit, columns and blocks where they do not."""

from io import StringIO

from longhaul.sweeps.points_table import Row, tables
from rich.console import Console
from rich.table import Table

SETTINGS = [Row("system", ("linux-2.4.20", "freebsd-5.1"))]
FIGURES = [
    Row("goodput, Gb/s", ("0.941", "0.749")),
    Row("published", ("–", "0.800"), beside=True),
    Row("pause, us", ("–", "–")),
    Row("limited by", ("wire", "sender's kernel lock"), words=True),
]


def shown(table: Table, width: int) -> list[str]:
    """Return a table's lines, without the blanks at their ends."""
    file = StringIO()
    Console(width=width, file=file, color_system=None).print(table)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def lines(width: int) -> list[list[str]]:
    """Return the lines of the tables of so wide a terminal."""
    return [shown(table, width) for table in tables(SETTINGS, FIGURES, width)]


def test_a_point_is_a_line_where_lines_fit():
    assert lines(100) == [
        [
            "system        goodput, Gb/s  published  pause, us  limited by",
            "linux-2.4.20          0.941          –          –  wire",
            "freebsd-5.1           0.749      0.800          –  sender's kernel lock",
        ]
    ]


def test_headings_are_broken_between_words_before_the_table_is_turned():
    (table,) = lines(65)
    assert table == [
        "              goodput,             pause,",
        "system            Gb/s  published      us  limited by",
        "linux-2.4.20     0.941          –       –  wire",
        "freebsd-5.1      0.749      0.800       –  sender's kernel lock",
    ]
    assert lines(64) != [table]


def test_a_long_text_is_broken_between_words():
    words = Row("limited by", ("the sender's and the receiver's adapter", "wire"), words=True)
    (table,) = tables([], [words], 30)
    assert shown(table, 30) == [
        "limited by",
        "the sender's and the",
        "receiver's adapter",
        "wire",
    ]


def test_a_point_is_a_column_where_lines_do_not_fit_and_what_nobody_has_is_left_out():
    assert lines(64) == [
        [
            "system         linux-2.4.20           freebsd-5.1",
            "goodput, Gb/s         0.941                 0.749",
            "  published               –                 0.800",
            "limited by             wire  sender's kernel lock",
        ]
    ]


def test_columns_that_do_not_fit_stand_in_blocks():
    first, second = lines(37)
    assert first[:2] == ["system         linux-2.4.20", "goodput, Gb/s         0.941"]
    assert second[:2] == [
        "system                  freebsd-5.1",
        "goodput, Gb/s                 0.749",
    ]


def test_one_point_is_shown_however_narrow_the_terminal_is():
    assert len(lines(10)) == 2


def test_nothing_is_cut_at_any_width_that_has_room_for_a_column():
    for width in range(37, 120):
        text = "\n".join(line for table in lines(width) for line in table)
        assert "…" not in text
        assert "0.941" in text and "0.800" in text and "linux-2.4.20" in text
