# SPDX-License-Identifier: Apache-2.0
"""Faults by signals: to the command line, the simulator, a guest's kernel or its programs."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections.abc import Callable

import psutil

from longhaul.attack.kinds import launches
from longhaul.attack.kinds.plans import GUESTS, MODELLED, Basis, Plan, at, when
from longhaul.attack.oracle import DONE, FAILED, INTERRUPTED, codes
from longhaul.attack.processes import Disturbance, Running

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_CRASHING = (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS)
_LEAST_PAUSE_S, _MOST_PAUSE_S = 0.05, 2.0
KILLED_SETTLE_S = 60.0  # for a simulator and its guests whose command line was killed

Find = Callable[[Running], psutil.Process | None]


def _kernel(running: Running) -> psutil.Process | None:
    kernels = launches.kernels_of(running)
    return kernels[0] if kernels else None


def _program(running: Running) -> psutil.Process | None:
    programs = launches.programs_of(running)
    return programs[-1] if programs else None


def _send(find: Find, number: signal.Signals) -> Disturbance:
    def act(running: Running) -> None:
        with contextlib.suppress(psutil.NoSuchProcess):
            process = find(running)
            if process:
                process.send_signal(number)

    return act


def _pause(find: Find, seconds: float) -> Disturbance:
    def act(running: Running) -> None:
        with contextlib.suppress(psutil.NoSuchProcess):
            process = find(running)
            if process:
                process.suspend()
                try:
                    time.sleep(seconds)
                finally:
                    process.resume()

    return act


def command_line(chance: random.Random, basis: Basis, *, guests: bool) -> Plan:
    """Return a signal to the command line itself, or to all that it has started."""
    launch = GUESTS if guests else MODELLED
    number = chance.choice([*_ENDING, *_ENDING, signal.SIGKILL])
    whole = chance.random() < 0.3
    moment = basis.moment(chance, launch)

    def act(running: Running) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, number) if whole else os.kill(running.pid, number)

    # Before Python runs our code, SIGTERM and SIGHUP end the shell as they end any.
    ended = codes(DONE, INTERRUPTED, *([] if number == signal.SIGINT else [-number]))
    return Plan(
        f"{number.name} to {'the group of ' if whole else ''}the command line after {moment:.2f} s",
        launch,
        ended,
        front_door=True,
        disturb=at(moment, act),
        litters=number == signal.SIGKILL,
        leaves=["run.partial"],
        settle=KILLED_SETTLE_S if number == signal.SIGKILL else 3.0,
    )


def simulator(chance: random.Random, basis: Basis, *, guests: bool) -> Plan:
    """Return a signal to the simulator."""
    launch = GUESTS if guests else MODELLED
    number = chance.choice([*_CRASHING, signal.SIGTERM, signal.SIGINT])
    moment = basis.moment(chance, launch, 0.5)
    asked = number in _ENDING
    return Plan(
        f"{number.name} to the simulator {moment:.2f} s after its start",
        launch,
        codes(DONE, FAILED, INTERRUPTED) if asked else codes(DONE, FAILED),
        disturb=when(launches.simulator_of, moment, _send(launches.simulator_of, number)),
        leaves=["run.partial"],
        says="" if asked else f"simulator was killed by {number.name}",
    )


def guest(chance: random.Random, basis: Basis) -> Plan:
    """Return a signal to a guest's kernel, or to a program of its."""
    kernel = chance.random() < 0.6
    find = _kernel if kernel else _program
    number = chance.choice([*_CRASHING, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
    moment = basis.moment(chance, GUESTS, 0.6)
    what = "a guest's kernel" if kernel else "a process of a guest's programs"
    return Plan(
        f"{number.name} to {what} {moment:.2f} s after its start",
        GUESTS,
        codes(DONE, FAILED),
        disturb=when(find, moment, _send(find, number)),
        leaves=["run.partial"],
        says="guest '|receiver|sender",
    )


def pause(chance: random.Random, basis: Basis, *, guests: bool) -> Plan:
    """Return SIGSTOP and, a little later, SIGCONT: as if nothing had been."""
    launch = GUESTS if guests else MODELLED
    targets: list[tuple[str, Find]] = [
        ("the simulator", launches.simulator_of),
        ("the command line", lambda running: psutil.Process(running.pid)),
    ]
    if guests:
        targets += [("a guest's kernel", _kernel), ("a guest's program", _program)]
    name, find = chance.choice(targets)
    moment = basis.moment(chance, launch, 0.5)
    seconds = chance.uniform(_LEAST_PAUSE_S, _MOST_PAUSE_S)
    return Plan(
        f"SIGSTOP to {name} {moment:.2f} s after its start, for {seconds:.2f} s",
        launch,
        codes(DONE),
        disturb=when(find, moment, _pause(find, seconds)),
    )
