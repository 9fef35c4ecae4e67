# SPDX-License-Identifier: Apache-2.0
"""The check of the tree's English: each rule catches its sentence, in each kind of file."""

from __future__ import annotations

from pathlib import Path

import pytest
from longhaul.docs import tree
from longhaul.errors import LonghaulError
from longhaul.prose import __main__ as command
from longhaul.prose import check, rules, terms
from longhaul.prose.passages import KINDS, Passage, passages
from longhaul.prose.rules import Finding, Rule
from longhaul.prose.sentences import COLUMNS, WORDS

RULES = check.all_rules()
RIDDLE = "It reports what is told of a run."


def lines(name: str, text: str, rule: str = "told") -> list[int]:
    return [each.line for each in check.of_text(name, text) if each.rule == rule]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.name}: {rule.wrong}")
def test_a_rule_catches_its_sentence_and_lets_the_other_pass(rule: Rule) -> None:
    assert list(rule.within(rule.wrong)) != []
    assert list(rule.within(rule.right)) == []


def test_rules_of_one_name_are_of_one_term() -> None:
    names = [rule.name for rule in rules.load()]
    assert len(names) == len(set(names))
    every = terms.load()
    assert len({term.name for term in every}) == len(every)
    assert {rule.name for term in every for rule in term.rules}.isdisjoint(names)


def test_a_word_that_is_not_used_is_no_term() -> None:
    for term in terms.load():
        for rule in term.rules:
            assert list(rule.within(f"The {term.name} is here.")) == []


def test_the_vocabulary_page_is_made_of_its_data() -> None:
    assert (tree.ROOT / terms.PAGE).read_text() == terms.page(terms.load())


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.md", f"# A\n\n{RIDDLE}\n\n```\n{RIDDLE}\n```\n`{RIDDLE}`\n| a | {RIDDLE} |\n", [3, 9]),
        ("a.md", "It reports what\nis told.\n", [1]),
        ("a.py", f'"""A.\n\n{RIDDLE}\n"""\n# {RIDDLE}\nX = 1  # {RIDDLE}\n', [3, 5, 6]),
        ("a.py", "# It reports what\n# is told.\n", [1]),
        ("a.py", "X = 1  # It reports what\n# is told.\n", []),
        ("a.py", f'raise ValueError("{RIDDLE}")\n', [1]),
        ("a.py", 'raise ValueError(f"what is told {1} of a run")\n', [1]),
        ("a.py", 'help(\n    "It reports what "\n    "is told of a run."\n)\n', [2]),
        ("a.py", "what = is_told\n", []),
        ("tests/a.py", f'run("{RIDDLE}")  # {RIDDLE}\n', [1]),
        ("a.h", f"/// {RIDDLE}\nint a;  // {RIDDLE}\n/* a\n * {RIDDLE}\n */\n", [1, 2, 4]),
        ("a.cc", 'throw Error("It reports what "\n            "is told of {}.");\n', [1]),
        ("a.cc", f'auto a = "\\"// {RIDDLE}";\n', [1]),
        ("a.cc", f'auto a = "no"; // {RIDDLE}\nchar b = \'"\'; // {RIDDLE}\n', [1, 2]),
        ("a.sv", f"// It reports what\n// is told.\nlogic a; // {RIDDLE}\n", [1, 3]),
        ("a.rdl", f'desc = "{RIDDLE}";\n', [1]),
        ("a.toml", f"# {RIDDLE}\nabout = \"{RIDDLE}\"\nfind = '{RIDDLE}'\n", [1, 2]),
        ("a.cmake", f"# {RIDDLE}\n", [1]),
        ("a.sh", f'# {RIDDLE}\nsay "{RIDDLE}"\nx="$(y)"  # {RIDDLE}\n', [1, 2, 3]),
        ("longhaul", f'die "{RIDDLE}"\n', [1]),
        ("a.html.j2", f"<p class='what is told'>{{{{ x }}}} {RIDDLE}</p>\n", [1]),
        ("a.json", f'{{"a": "{RIDDLE}"}}', []),
    ],
)
def test_english_is_found_in_each_kind_of_file(name: str, text: str, found: list[int]) -> None:
    assert lines(name, text) == found


def test_code_and_addresses_are_not_english() -> None:
    (passage,) = passages("a.md", "`waveform` https://example.org/waveform waveforms\n")
    found = [each.words for each in check.of_passage(passage)]
    assert found == ["waveforms"]


def test_a_rule_holds_for_its_kinds_and_folders_only() -> None:
    rule = Rule("r", "a word", "no", "a word", "b", kinds=("comment",), where=("rtl/",))
    for path, kind in [("rtl/a.sv", "comment"), ("rtl/a.md", "markdown"), ("a.sv", "comment")]:
        found = list(rule.findings(Passage(path, 7, kind, "\na\nword")))
        assert [each.line for each in found] == ([8] if path == "rtl/a.sv" else [])


LIMIT = "word " * WORDS


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.py", f'"""{LIMIT}."""\n', []),
        ("a.py", f'"""Do.\n\n{LIMIT} more.\n"""\n', [3]),
        ("a.py", f"# {LIMIT}\n# more.\n", [1]),
        ("a.py", f"# {LIMIT}.\n# more.\n", []),
        ("a.py", f"X = 1  # {LIMIT}\n# more.\n", []),
        ("a.h", f"/// {LIMIT}\n/// more.\n", [1]),
        ("a.h", f"/// - {LIMIT}\n/// - more.\n", []),
        ("a.sv", f"// {LIMIT[5:]} `more words`\n", []),
        ("a.cc", f'auto a = "{LIMIT} more";\n', [1]),
    ],
)
def test_a_long_sentence_of_a_comment_is_found(name: str, text: str, found: list[int]) -> None:
    assert lines(name, text, "long-sentence") == found


WIDE = "w" * (COLUMNS - 2)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.sv", f"// a\n//{WIDE}\n//{WIDE}w\n", [3]),
        ("a.sv", f"{'a' * 90}  // a comment\n{'a' * 120}\n", [1]),
        ("a.c", f"/*\n * {WIDE}\n */\n", [2]),
        ("a.md", f"{WIDE}www\n", []),
    ],
)
def test_a_wide_line_of_a_comment_is_found(name: str, text: str, found: list[int]) -> None:
    assert lines(name, text, "long-line") == found


FOUND = [Finding("a.py", line, "told", "what is told", "the report") for line in (3, 9)]


def test_more_findings_than_known_are_wrong_and_fewer_can_be_taken_out() -> None:
    assert [(each.found, each.known) for each in check.compared(FOUND, {})] == [(2, 0)]
    assert check.compared(FOUND, {"a.py": {"told": 2}}) == []
    (fewer,) = check.compared(FOUND[:1], {"a.py": {"told": 2}})
    assert (fewer.found, fewer.known) == (1, 2)
    assert check.shrunk(FOUND[:1], {"a.py": {"told": 2}}) == {"a.py": {"told": 1}}
    assert check.shrunk(FOUND, {"a.py": {"told": 1}}) == {"a.py": {"told": 1}}
    assert check.shrunk(FOUND, {}) == {}
    assert check.shrunk(FOUND, None) == {"a.py": {"told": 2}}


def test_known_findings_are_read_as_they_are_written(tmp_path: Path) -> None:
    stand = {"a.py": {"told": 2, "term: run": 1}, "b/c d.md": {"now": 3}}
    (tmp_path / "known.toml").write_text(check.as_toml(stand))
    assert check.known(tmp_path / "known.toml") == stand


def test_a_finding_tells_file_line_rule_words_and_what_is_right() -> None:
    assert str(FOUND[0]) == 'a.py:3: told: "what is told"; the report'


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"kind": "x"}, "has no key 'kind'; did you mean kinds?"),
        ({"pattern": "("}, "'(' is no pattern"),
        ({"kinds": ["comments"]}, "no kind 'comments'; did you mean comment?"),
        ({"wrong": ""}, "needs 'wrong'"),
    ],
)
def test_a_wrong_rule_is_refused(changed: dict[str, object], said: str) -> None:
    whole = {"name": "r", "pattern": "a", "instead": "b", "wrong": "a", "right": "b"}
    with pytest.raises(LonghaulError) as refused:
        rules.reading({**whole, **changed}, rules.FILE)
    assert said in str(refused.value)
    assert str(refused.value).startswith("rules.toml: rule 'r'")


def test_what_quotes_and_what_is_known_is_there() -> None:
    names = check.files()
    assert len(names) > 1000
    every = tree.files()
    assert [name for name in check.QUOTING if not any(n.startswith(name) for n in every)] == []
    kinds = {each.kind for name in ("README.md", "longhaul") for each in passages(name, "# a b c")}
    assert kinds <= set(KINDS)


def test_the_command_names_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["none.py"]) == 2
    assert "none.py: is no file of" in capsys.readouterr().err
