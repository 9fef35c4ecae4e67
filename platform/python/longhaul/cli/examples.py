# SPDX-License-Identifier: Apache-2.0
"""A line that works for each command, for messages and documents."""

from longhaul import boxes

EXAMPLES = {
    "run": "longhaul run ixgb_b2b --set duration=100ms --out out/first",
    "sweep": "longhaul sweep ixgb_wan --over rtt=1ms,10ms --set duration=100ms",
    "warmup": "longhaul warmup ixgb_b2b --set mtu=1500",
    "validate": "longhaul validate e1000 --only ping --only rings",
    "coverage": "longhaul coverage out/first out/second",
    "report": "longhaul report out/first",
    "compare": "longhaul compare out/first out/second",
    "diverge": "longhaul diverge out/first out/second",
    "golden": "longhaul golden --list",
    "attack": "longhaul attack --minutes 5 --seed 1",
    "list": "longhaul list ixgb_wan",
    "results": "longhaul results --check published",
    "types": "longhaul types ixgb",
    "test": "longhaul test --only unit",
    "bench": "longhaul bench --only jumbo",
    "kernel": "longhaul kernel --verify",
    "tune": "longhaul tune",
    "python": "longhaul python examples/what_if.py",
    "demo": "longhaul demo",
    "container": "longhaul container demo",
    "new": "longhaul new mystudy --kind study",
    "prefix": "longhaul prefix",
    "link": "longhaul link",
    "study": "longhaul study buffer",
    "calibrate": "longhaul calibrate opteron_10g",
    "packets": "longhaul packets out/first 1234",
    "waves": "longhaul waves out/first",
    "registers": "longhaul registers ixgb",
    "rtl": "longhaul rtl mynic.toml",
    "synthesis": "longhaul synthesis mynic.toml",
    "docs": "longhaul docs --serve",
} | {
    f"{box} {command}": example
    for box, described in boxes.types().items()
    for command, example in described.examples.items()
}
