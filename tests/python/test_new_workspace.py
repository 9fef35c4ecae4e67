# SPDX-License-Identifier: Apache-2.0
"""`longhaul new`: names, places and kinds that are refused, and what a workspace is made of."""

import os
import subprocess
from pathlib import Path

import pytest
from longhaul import registry
from longhaul.cli import main
from longhaul.paths import ROOT
from longhaul.workspace import folder, kinds

KINDS = tuple(kinds.all_of())


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder.load.cache_clear()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("my-nic", "'my-nic' cannot be a workspace's name: wants letters, digits and underscores, "
         "no digit first; for example: longhaul new my_nic"),
        ("10gig", "'10gig' cannot be a workspace's name: wants letters, digits and underscores, "
         "no digit first; for example: longhaul new n10gig"),
        ("../x", "'../x' cannot be a workspace's name: wants letters, digits and underscores, "
         "no digit first; for example: longhaul new x"),
        ("class", "'class' cannot be a workspace's name: wants letters, digits and underscores, "
         "no digit first; for example: longhaul new nclass"),
        (f"{'a' * 41}", f"'{'a' * 41}': a workspace's name has 40 characters at most"),
        ("mine --kind stdy", f"--kind stdy: there is no such kind of workspace ({kinds.TEMPLATES}"
         "/stdy/kind.toml is not there); did you mean study?"),
        ("full", "{here}/full exists and is not empty; take another name, another folder "
         "(--in DIR), or move it away"),
        ("file", "{here}/file exists and is not empty; take another name, another folder "
         "(--in DIR), or move it away"),
        ("there", "{here}/there is a workspace already; cd there and start longhaul run"),
        (f"mine --in {ROOT}/docs", f"{ROOT}/docs/mine lies in Longhaul's own tree, which no "
         "workspace is written into; give another folder: --in DIR"),
    ],
)  # fmt: skip
def test_what_cannot_be_made_is_one_line_with_the_remedy(
    words: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").touch()
    (tmp_path / "file").touch()
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "longhaul.toml").touch()
    before = sorted(tmp_path.rglob("*"))
    assert main(["new", *words.split()]) == 2
    assert capsys.readouterr().err == f"longhaul: {said.format(here=tmp_path)}\n"
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.chmod(0o555)
    assert main(["new", "mine"]) == 1
    assert "Permission denied; --in DIR takes another folder" in capsys.readouterr().err


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_makes_a_workspace_that_says_how_it_is_run(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").mkdir()  # an empty folder will do
    assert main(["new", "mine", "--kind", kind]) == 0
    said = capsys.readouterr().out
    assert "Run it: cd mine && " in said and kinds.find(kind).needs in said
    made = tmp_path / "mine"
    files = {path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()}
    assert {"longhaul.toml", "README.md", "ci.sh", ".gitignore", "tests/test_mine.py"} <= files
    assert not [name for name in files if ".j2" in name or "__name__" in name or "kind" in name]
    assert os.access(made / "ci.sh", os.X_OK)
    assert subprocess.run(["bash", "-n", made / "ci.sh"], check=False).returncode == 0
    assert not [name for name in files if "{{ " in (made / name).read_text()]
    monkeypatch.chdir(made)
    entry = registry.only()
    assert (entry.name, entry.workspace) == ("mine", "mine")
    assert entry.title and entry.settings and entry.question != "Other questions"


def test_a_study_elaborates_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["new", "wan", "--in", "a/b", "--kind", "study"]) == 0
    monkeypatch.chdir(tmp_path / "a" / "b" / "wan" / "tests")
    scenario = registry.only()
    built = scenario.build(scenario.parse(["rtt=4ms"]), seed=1)
    assert built.name == "wan" and not built.has_guests()


def test_the_copy_of_a_tree_folder_is_its_sources(tmp_path: Path) -> None:
    assert main(["new", "nic", "--kind", "tlm-adapter"]) == 0
    source, made = ROOT / "examples" / "adapter", tmp_path / "nic" / "adapter"
    names = {path.name for path in source.iterdir() if path.suffix in (".cc", ".h", ".txt")}
    assert {path.name for path in made.iterdir()} == names
    assert all((made / name).read_bytes() == (source / name).read_bytes() for name in names)


def test_check_only_makes_nothing(tmp_path: Path) -> None:
    assert main(["--check-only", "new", "mine"]) == 0
    assert not (tmp_path / "mine").exists()


def test_a_damaged_kind_is_told_with_its_line(tmp_path: Path) -> None:
    from longhaul.errors import UsageError

    (tmp_path / "kind.toml").write_text('[kind]\ntitle = "a"\nneeds = "b"\ncopy = ["no/where"]\n')
    with pytest.raises(UsageError, match=rf"kind\.toml:4: copy: there is no {ROOT}/no/where"):
        kinds.Kind.load(tmp_path)
    (tmp_path / "kind.toml").write_text('[kind]\ntitel = "a"\n')
    with pytest.raises(UsageError, match="2: unknown key 'titel' in .kind.; did you mean title"):
        kinds.Kind.load(tmp_path)
