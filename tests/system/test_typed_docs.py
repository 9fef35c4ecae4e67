# SPDX-License-Identifier: Apache-2.0
"""Documents whose commands run in seconds: each is run as it stands, and says what is quoted."""

from pathlib import Path

import pytest
from rig import documents


@pytest.mark.parametrize("document", documents.TYPED)
def test_the_commands_say_what_the_document_quotes(document: str, tmp_path: Path) -> None:
    wrong = documents.differences(document, tmp_path / "home")
    assert not wrong, "\n\n".join(wrong)
