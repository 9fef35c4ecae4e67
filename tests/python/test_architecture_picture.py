# SPDX-License-Identifier: Apache-2.0
"""docs/images/architecture.svg is what its script draws."""

from xml.etree import ElementTree

from rig import architecture_picture


def test_the_picture_is_what_the_script_draws() -> None:
    """A change of the script needs a new picture."""
    drawn = architecture_picture.draw()
    assert architecture_picture.PICTURE.read_text() == drawn
    ElementTree.fromstring(drawn)
