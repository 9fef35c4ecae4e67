# SPDX-License-Identifier: Apache-2.0
"""Places in the built kernel of all that waves show: offsets of fields, addresses of variables.

The compiler says so, in the kernel's own tree with its own flags. One object file whose constants
are `offsetof` and `sizeof` of each field is compiled there and taken apart. It is never linked, so
not a byte of the kernel moves for it. Addresses come from System.map.

`layout-KEY.json`: {"hz", "symbols": {name: address}, "fields": {name: FIELD}};
a FIELD is {"offset", "bytes", "mask"}, the mask of bit fields only.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

# Names as the simulator asks for them (platform/guest/tcp_sockets.cc): structure and member.
COMMON = "inet_conn.icsk_inet.sk.__sk_common."
FIELDS: dict[str, tuple[str, str]] = {
    "ehash": ("inet_hashinfo", "ehash"),
    "ehash_mask": ("inet_hashinfo", "ehash_mask"),
    **{
        name: ("tcp_sock", COMMON + name)
        for name in (
            "skc_nulls_node",
            "skc_family",
            "skc_state",
            "skc_daddr",
            "skc_rcv_saddr",
            "skc_v6_daddr",
            "skc_v6_rcv_saddr",
            "skc_dport",
            "skc_num",
        )
    },
    "icsk_rto": ("tcp_sock", "inet_conn.icsk_rto"),
    "icsk_backoff": ("tcp_sock", "inet_conn.icsk_backoff"),
    **{
        name: ("tcp_sock", name)
        for name in (
            "snd_una",
            "snd_nxt",
            "rcv_nxt",
            "snd_wnd",
            "rcv_wnd",
            "snd_cwnd",
            "snd_ssthresh",
            "srtt_us",
            "packets_out",
            "sacked_out",
            "lost_out",
            "retrans_out",
            "total_retrans",
        )
    },
}
BIT_FIELDS = {"icsk_ca_state": ("tcp_sock", "inet_conn.icsk_ca_state")}
WHOLE = {"ehash_bucket": "inet_ehash_bucket"}  # of these only the size counts
SYMBOLS = ("uml_physmem", "tcp_hashinfo")

# Where the object is made, in the kernel's tree; the folder's Makefile learns of it there.
OBJECT = "arch/um/kernel/longhaul_layout.o"
_RECORD = struct.Struct("<40sQQ")


def source() -> str:
    """Return the C source whose constants are the layout."""
    records = [f'\t{{ "{n}", offsetof(struct {s}, {m}), sizeof_field(struct {s}, {m}) }},'
               for n, (s, m) in FIELDS.items()]  # fmt: skip
    records += [f'\t{{ "{name}", 0, sizeof(struct {kind}) }},' for name, kind in WHOLE.items()]
    records.append('\t{ "hz", HZ, 0 },')
    # A bit field has no offsetof: an object in which only its bits are set shows where they are.
    samples = [
        f"const struct {kind} longhaul_bits_{name}\n"
        f'\t__section(".longhaul.bits.{name}") __used = {{ .{member} = ~0 }};'
        for name, (kind, member) in BIT_FIELDS.items()
    ]
    return "\n".join(
        [
            "// SPDX-License-Identifier: GPL-2.0",
            "#include <linux/param.h>",
            "#include <linux/stddef.h>",
            "#include <linux/tcp.h>",
            "#include <net/inet_hashtables.h>",
            "#include <net/tcp.h>",
            "",
            "struct longhaul_record { char name[40]; u64 offset, bytes; };",
            "const struct longhaul_record longhaul_records[]",
            '\t__section(".longhaul.records") __used = {',
            *records,
            "};",
            *samples,
            "",
        ]
    )


def file_name() -> str:
    """Return the cached file's name: another set of fields is another file."""
    return f"layout-{hashlib.sha256(source().encode()).hexdigest()[:12]}.json"


def measure(tree: Path, system_map: Path, target: Path) -> None:
    """Ask the compiler in a configured kernel tree and write the layout; ValueError if it fails."""
    path = tree / OBJECT
    path.with_suffix(".c").write_text(source())
    with path.with_name("Makefile").open("a") as makefile:
        makefile.write(f"\nextra-y += {path.name}\n")
    compiler = ["CC=ccache gcc", "HOSTCC=ccache gcc"] if shutil.which("ccache") else []
    done = subprocess.run(
        ["make", "ARCH=um", *compiler, OBJECT],
        cwd=tree,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ValueError("\n".join(done.stderr.strip().splitlines()[-10:]))
    layout = read_object(path)
    layout["symbols"] = symbols(system_map.read_text())
    partial = target.with_suffix(".partial")
    partial.write_text(json.dumps(layout, indent=1))
    partial.rename(target)


def read_object(path: Path) -> dict[str, Any]:
    """Return "hz" and "fields" from the compiled object."""
    fields: dict[str, dict[str, int]] = {}
    hz = 0
    for name, offset, size in _RECORD.iter_unpack(_section(path, ".longhaul.records")):
        text = name.rstrip(b"\0").decode()
        if text == "hz":
            hz = offset
        else:
            fields[text] = {"offset": offset, "bytes": size}
    for name in BIT_FIELDS:
        fields[name] = bit_field(_section(path, f".longhaul.bits.{name}"))
    return {"hz": hz, "fields": fields}


def bit_field(image: bytes) -> dict[str, int]:
    """Return where in an object the bits are that are set."""
    first = next((i for i, byte in enumerate(image) if byte), None)
    if first is None:
        raise ValueError("a bit field leaves no bit in its object")
    mask = int.from_bytes(image[first:].rstrip(b"\0"), "little")
    size = (mask.bit_length() + 7) // 8
    if size > 4:
        raise ValueError(f"a bit field of {size} bytes")
    return {"offset": first, "bytes": size, "mask": mask}


def symbols(system_map: str) -> dict[str, int]:
    """Return the addresses that a reader starts from."""
    found = {
        match[2]: int(match[1], 16)
        for match in re.finditer(r"^([0-9a-f]+) \w (\w+)$", system_map, re.MULTILINE)
        if match[2] in SYMBOLS
    }
    missing = [name for name in SYMBOLS if name not in found]
    if missing:
        raise ValueError(f"System.map has no {missing[0]}")
    return found


def _section(path: Path, name: str) -> bytes:
    out = path.with_suffix(".section")
    subprocess.run(
        ["objcopy", "-O", "binary", f"--only-section={name}", f"--set-section-flags={name}=alloc",
         str(path), str(out)],
        check=True,
    )  # fmt: skip
    return out.read_bytes()
