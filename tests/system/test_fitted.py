# SPDX-License-Identifier: Apache-2.0
"""The table of fitted numbers in docs/accuracy.md is what the code says."""

from longhaul.docs import fitted
from longhaul.paths import ROOT


def test_the_page_has_every_fitted_number_of_the_code() -> None:
    numbers = fitted.everything()
    assert {each.of for each in numbers} >= {"machine", "adapter", "bridge", "system", "scenario"}
    text = (ROOT / fitted.PAGE).read_text()
    assert fitted.with_table(text, fitted.rows(numbers)) == text
