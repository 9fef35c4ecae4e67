# SPDX-License-Identifier: Apache-2.0
"""`longhaul docs`: the site builds without a warning, needs no network, and has every page."""

import json
import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
import typer
from longhaul import cli, registry
from longhaul.docs import commands_page, python_pages, site, tree
from longhaul.errors import LonghaulError
from rig import browser_picture

ADDRESS = re.compile(r"(?:src|href)=\"?(https?:)?//[^\s\">]+")


def docs(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "longhaul", "docs", *words],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("docs") / "site"
    done = docs("--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    return out


def test_every_document_is_a_page(built: Path) -> None:
    for name in tree.pages():
        page = built / tree.page_of(name)
        page = page.with_name("index") if page.name == "README.md" else page
        assert page.with_suffix(".html").is_file(), name


def test_every_command_scenario_and_setting_is_in_the_reference(built: Path) -> None:
    commands = (built / "reference/commands.html").read_text()
    for name in commands_page.names(typer.main.get_command(cli.app)):
        assert f'<h2 id="{name.replace(" ", "-")}"' in commands, name
    assert "--no-waves" in commands
    for name, entry in registry.scenarios().items():
        page = (built / f"reference/scenarios/{name}.html").read_text()
        assert all(f"<code>{setting}</code>" in page for setting in entry.settings)
    types = (built / "reference/types/adapter.html").read_text()
    assert "tx_kib_clocks" in types and "fitted" in types
    assert "p0" in (built / "reference/registers/gnet1.html").read_text()
    for module in python_pages.MODULES:
        assert (built / f"reference/python/{module}.html").is_file()


def test_a_link_into_a_table_that_is_a_page_of_its_own_leads_there(built: Path) -> None:
    kinds = "reference/port_maps.html#kinds-of-interfaces"
    assert f'href="{kinds}"' in (built / "tutorial.html").read_text()
    assert 'id="kinds-of-interfaces"' in (built / "reference/port_maps.html").read_text()
    assert 'id="fitted-numbers"' in (built / "accuracy.html").read_text()


def test_nothing_is_loaded_from_elsewhere(built: Path) -> None:
    for page in built.rglob("*.html"):
        loaded = re.findall(r"<(?:script|link|img|iframe)[^>]*>", page.read_text())
        assert [tag for tag in loaded if ADDRESS.search(tag)] == [], page
    for sheet in built.rglob("*.css"):
        assert not re.search(r"url\([\"']?https?:|@import", sheet.read_text()), sheet


def test_the_search_has_every_page_that_is_no_source(built: Path) -> None:
    index = json.loads((built / "search/search_index.json").read_text())
    found = {entry["location"].partition("#")[0] for entry in index["docs"]}
    assert {"cli.html", "reference/commands.html", "models/pcix/index.html"} <= found
    assert not [place for place in found if place.startswith("source/")]
    boost = {entry["location"]: entry.get("boost", 1) for entry in index["docs"]}
    assert boost["models/pcix/index.html"] < boost["cli.html"]
    # Opened as files, pages have no server to ask: the index is a script, a frame is the worker.
    assert (built / "search/search_index.js").is_file()
    assert "site/iframe-worker.js" in (built / "index.html").read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a](nowhere.md)", "'nowhere.md'"),
        ("[a](#none)", "#none"),
        ("[a](cli.md#none)", "#none"),
    ],
)
def test_a_warning_is_an_error_that_names_page_and_link(
    text: str, said: str, tmp_path: Path
) -> None:
    made = {"reference/" + name: "# A\n" for name in
            ("commands.md", "workspace.md", "port_maps.md", "rules.md")}  # fmt: skip
    made |= {f"reference/{name}/x.md": "# A\n" for name in
             ("scenarios", "types", "registers", "python")}  # fmt: skip
    made["reference/registers/gnet1.md"] = "# A\n"
    for paper in {each.paper for each in registry.scenarios().values()} - {""} | {"index"}:
        made[f"reference/papers/{paper}.md"] = "# A\n"
    made["reference/commands.md"] = f"# A\n\n{text.replace('cli.md', '../cli.md')}\n"
    with pytest.raises(LonghaulError) as error:
        site.build(tmp_path / "site", made, lambda scenario: f"Figures of {scenario}.\n")
    assert "reference/commands.md" in str(error.value) and said in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_pages_opened_as_files_can_be_searched(built: Path, tmp_path: Path) -> None:
    browser = browser_picture.program()
    if browser is None:
        pytest.skip("Chromium is not installed")
    words = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    words += [f"--user-data-dir={tmp_path}", f"{(built / 'index.html').as_uri()}?q=mmrbc"]
    # The search is a worker. On a busy machine it may take longer than the page's budget.
    for milliseconds in (20_000, 60_000, 180_000, 540_000):
        budget = f"--virtual-time-budget={milliseconds}"
        done = subprocess.run(
            [*words, budget], capture_output=True, text=True, check=True, timeout=300
        )
        found = done.stdout.count("md-search-result__item")
        if found:
            break
    assert found > 5


def test_a_folder_that_is_no_site_is_not_replaced(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear")
    done = docs("--out", str(mine))
    assert done.returncode == 2
    assert done.stderr == (
        f"longhaul: {mine} exists and is no site of longhaul docs; choose another --out\n"
    )
    assert [path.name for path in mine.iterdir()] == ["letter.txt"]


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = docs("--out", str(tmp_path / "file" / "site"))
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1 and "cannot write to" in done.stderr


def test_a_port_that_is_taken_is_one_line_before_the_build(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = docs("--serve", "--port", str(port), "--out", str(tmp_path / "site"))
    assert done.returncode == 1
    assert done.stderr == (
        f"longhaul: --port {port}: is taken; choose another one, such as --port 0\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_site_is_replaced_and_served_until_it_is_interrupted(built: Path) -> None:
    (built / "old.html").touch()
    with subprocess.Popen(
        [sys.executable, "-m", "longhaul", "docs", "--serve", "--port", "0",
         "--out", str(built)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout and process.stderr
        assert "pages: " in process.stdout.readline()
        address = process.stdout.readline().split()[0]
        with urllib.request.urlopen(f"{address}cli.html") as answer:
            assert b"exit-codes" in answer.read()
        process.terminate()
        assert process.wait() == 130
        assert process.stderr.read() == "longhaul: interrupted\n"
    assert [path.name for path in built.parent.iterdir()] == [built.name]
    assert (built / "cli.html").is_file() and not (built / "old.html").exists()
