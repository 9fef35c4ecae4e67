# SPDX-License-Identifier: Apache-2.0
"""What Python knows of the models' types is what the simulator says of them."""

from longhaul.types import catalog, described


def test_every_file_of_types_is_what_the_simulator_says() -> None:
    assert described.stale(described.everything()) == [], "run: ./longhaul types --update"


def test_every_kind_has_types_and_every_parameter_its_sentence() -> None:
    types = described.everything()
    assert {each.kind for each in types} == set(catalog.KINDS)
    for each in types:
        assert each.title, each.name
        for group, parameters in each.parameters.items():
            for parameter in parameters:
                where = f"{each.kind} {each.name}: {group}.{parameter.name}"
                assert parameter.description and parameter.source, where
