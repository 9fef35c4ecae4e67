# SPDX-License-Identifier: Apache-2.0
"""Effects of packages' maintainer scripts, as far as possible without running them.

A maintainer script wants root and a system that runs, so none is run. Most of them are read
from their text and done here: users and groups, and alternatives. Packages whose scripts do more
than that are reported.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from longhaul.errors import LonghaulError

SCRIPTS = ("preinst", "postinst")
FIRST_ID = 100  # of users that a package makes: Debian policy 9.2.2

_AUTOMATIC = re.compile(
    r"^# Automatically added by.*?^# End automatically added section$", re.MULTILINE | re.DOTALL
)
_USER_TOOLS = ("adduser", "addgroup", "useradd", "groupadd")
# Options of these tools that take a value; of others, what follows is no name.
_WITH_VALUE = (
    *("--home", "-d", "--home-dir", "--ingroup", "--gid", "-g", "--uid", "-u", "--shell", "-s"),
    *("--gecos", "--comment", "-c", "--firstuid", "--lastuid", "-G", "--groups", "-K", "--key"),
)
# Lines of a script that do nothing by themselves.
_SCAFFOLD = re.compile(
    r"set -|case |esac|;;|\S+\)$|fi\b|else|then|exit|return|true|:|if \[|echo |[A-Z_a-z]+=\S*$"
    r"|shift|done|\{|\}|\. /usr/share/debconf/confmodule|db_version|db_stop|ldconfig|#"
)
_UNKNOWN = "$`*"  # in a command: its words are known when it runs
_DONE_HERE = re.compile(rf"(\S+=\S* )*({'|'.join(_USER_TOOLS)}|update-alternatives)\b")


@dataclass
class Done:
    """What was read from scripts: users and groups by name, links, and whose scripts do more."""

    users: dict[str, str] = field(default_factory=dict[str, str])
    """Home by user; each has a group of its name."""
    groups: list[str] = field(default_factory=list[str])
    links: dict[str, tuple[int, str, str]] = field(default_factory=dict[str, tuple[int, str, str]])
    """By alternative: priority, link, target."""
    left: list[str] = field(default_factory=list[str])


def scripts(deb: Path) -> str:
    """Return the text of a package's scripts that run when it is installed."""
    unpacked = subprocess.run(
        ["dpkg-deb", "--ctrl-tarfile", str(deb)], capture_output=True, check=False
    )
    if unpacked.returncode:
        raise LonghaulError(f"{deb.name}: dpkg-deb cannot unpack it")
    found: list[str] = []
    with tarfile.open(fileobj=BytesIO(unpacked.stdout)) as archive:
        for member in archive:
            file = archive.extractfile(member) if Path(member.name).name in SCRIPTS else None
            if file is not None:
                found.append(file.read().decode(errors="replace"))
    return "\n".join(found)


def read(package: str, text: str, done: Done) -> None:
    """Add what a package's scripts do to `done`."""
    for words in _commands(text):
        tool = Path(words[0]).name
        if tool in _USER_TOOLS:
            _account(tool, words[1:], done)
        elif tool == "update-alternatives":
            _alternative(words[1:], done)
    own = (line.strip() for line in _AUTOMATIC.sub("", text).replace("\\\n", " ").splitlines())
    if any(line and not _SCAFFOLD.match(line) and not _is_done(line) for line in own):
        done.left.append(package)


def read_sysusers(text: str, done: Done) -> None:
    """Add the users and groups of a file of sysusers.d(5)."""
    for line in text.splitlines():
        words = _words(line)
        if len(words) > 1 and words[0] in ("u", "u!"):
            home = words[4] if len(words) > 4 and words[4] != "-" else "/"
            done.users.setdefault(words[1], home)
        elif len(words) > 1 and words[0] == "g":
            done.groups.append(words[1])


def write_accounts(root: Path, done: Done) -> None:
    """Write etc/passwd and etc/group: root, base-passwd's own, and those that packages make.

    The numbers follow the names' order, so that the same packages give the same ones.
    """
    masters = root / "usr" / "share" / "base-passwd"
    passwd, group = (_master(masters / f"{name}.master") for name in ("passwd", "group"))
    passwd |= {"root": (root / "etc" / "passwd").read_text().splitlines()[0]}
    number = FIRST_ID
    for name in sorted({*done.users, *done.groups} - {*group} - {*passwd}):
        group[name] = f"{name}:x:{number}:"
        if name in done.users:
            home = done.users[name]
            passwd[name] = f"{name}:x:{number}:{number}::{home}:/usr/sbin/nologin"
        number += 1
    (root / "etc" / "passwd").write_text("".join(f"{line}\n" for line in passwd.values()))
    (root / "etc" / "group").write_text("".join(f"{line}\n" for line in group.values()))


def link_alternatives(root: Path, done: Done) -> None:
    """Make the links of the alternatives, each to the one of the highest priority."""
    for name, (_, link, target) in sorted(done.links.items()):
        place = root / "etc" / "alternatives" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)
        public = root / link.lstrip("/")
        if not public.exists() and not public.is_symlink():
            public.parent.mkdir(parents=True, exist_ok=True)
            public.symlink_to(f"/etc/alternatives/{name}")


def _commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each command that names all that it does: no variable, no pattern."""
    for line in text.replace("\\\n", " ").splitlines():
        for piece in re.split(r"\|\||&&|;|\bthen\b|\bif !?", line.strip()):
            words = _words(piece)
            if words and not any(c in word for word in words for c in _UNKNOWN):
                yield words


def _is_done(line: str) -> bool:
    return bool(_DONE_HERE.match(line)) and not any(c in line for c in _UNKNOWN)


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line, comments=True)
    except ValueError:  # a quote that goes on in the next line
        return []


def _account(tool: str, words: list[str], done: Done) -> None:
    values: dict[str, str] = {}
    names: list[str] = []
    rest = iter(words)
    for word in rest:
        option, _, value = word.partition("=")
        if option in _WITH_VALUE:
            values[option] = value or next(rest, "")
        elif re.fullmatch(r"[a-z_][a-z0-9_-]*", word):
            names.append(word)
    if not names:
        return
    if tool in ("addgroup", "groupadd") or "--group" in words and "--system" not in words:
        done.groups.append(names[0])
    elif len(names) == 1:  # with two, a user joins a group
        home = next((values[o] for o in ("--home", "-d", "--home-dir") if o in values), "/")
        done.users.setdefault(names[0], home)


def _alternative(words: list[str], done: Done) -> None:
    """Read `--install LINK NAME TARGET PRIORITY [--slave LINK NAME TARGET]...`."""
    if "--install" not in words:
        return
    at = words.index("--install")
    given = words[at + 1 : at + 5]
    if len(given) < 4 or not given[3].isdigit():
        return
    priority = int(given[3])
    rows = [given[:3]]
    rows += [words[i + 1 : i + 4] for i, word in enumerate(words) if word == "--slave"]
    for row in rows:
        if len(row) == 3 and priority > done.links.get(row[1], (-1, "", ""))[0]:
            done.links[row[1]] = (priority, row[0], row[2])


def _master(file: Path) -> dict[str, str]:
    """Read a file of base-passwd: its lines by name, with no password where `*` is one."""
    lines: Iterable[str] = file.read_text().splitlines() if file.is_file() else []
    return {line.split(":")[0]: line for line in lines if line}
