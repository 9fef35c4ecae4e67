# SPDX-License-Identifier: Apache-2.0
"""Adapters as a scenario asks for them."""

from collections.abc import Mapping, Sequence

from longhaul import types
from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.parts.machine import Nic
from longhaul.parts.part import ParamValue
from longhaul.units import Time

E1000_DELAY_STEP = Time(1_024_000)  # RDTR, RADV, TIDV, TADV: Intel 8254x manual, 13.4.30
E1000_RATES = {"off": 0, "dynamic": 1, "conservative": 3}  # e1000.rst: InterruptThrottleRate
GENESIS_LEAST_TX_RING = 24  # skge.c, skge_set_ring_param: more than TX_LOW_WATER, 18
IXGB_DELAY_STEP = Time(819_200)  # RDTR and TIDV count in 0.8192 us: Linux ixgb.rst
IXGB_TX_STEPS = 32  # ixgb_param.c: DEFAULT_TIDV
IXGB_ENGINES = ("adapter", "rtl")  # models/nic/ixgb/engines.cc


def adapter(
    type: str,  # noqa: A002 - as the configuration has it
    *,
    mtu: int = 1500,
    offloads: Mapping[str, bool] | None = None,
    module_args: Sequence[str] = (),
    name: str = "eth0",
    slot: int = 1,
    function: int = 0,
    params: Mapping[str, ParamValue] | None = None,
) -> Nic:
    """Return an adapter of any type of `./longhaul types`, of a plug-in too.

    `params` go to its model; `offloads` are what `ethtool -K` of a guest sets ("tso", "gso",
    "gro"), `module_args` ("ixgb.RxDescriptors=512") what its driver takes from the kernel's command
    line. The simulator refuses a type and parameters that there are not.
    """
    return Nic(
        type=type,
        name=name,
        slot=slot,
        function=function,
        mtu=mtu,
        offloads=dict(offloads or {}),
        module_args=tuple(module_args),
        params=dict(params or {}),
    )


def ixgb(
    *,
    mtu: int = 1500,
    tso: bool = True,
    gso: bool = True,
    gro: bool = True,
    gso_max_segs: int | None = None,
    rx_ring: int = 512,
    tx_ring: int = 256,
    rx_int_delay: Time = IXGB_DELAY_STEP * 72,
    tx_int_delay: Time = IXGB_DELAY_STEP * IXGB_TX_STEPS,
    engines: str = "adapter",
    name: str = "eth0",
    slot: int = 1,
    params: Mapping[str, ParamValue] | None = None,
) -> Nic:
    """Return an Intel PRO/10GbE (82597EX) under the unmodified Linux driver.

    Rings are numbers of descriptors; `gso_max_segs` is how many segments the stack may hand down in
    one packet (None: the kernel's default). The delays are rounded to the registers' step of
    0.8192 us. `engines` is "adapter" or "rtl": with "rtl" the TLM model's engines are as fast as
    those of `rtl/nic`. `params` go ahead of it.
    """
    if engines not in IXGB_ENGINES:
        raise UsageError(f"no engines {engines!r}{did_you_mean(engines, IXGB_ENGINES)}")
    _check_ring("rx", rx_ring, 64, 512)
    _check_ring("tx", tx_ring, 64, 4096)
    tx_steps = ixgb_delay_steps(tx_int_delay)
    # The driver's own default is not said again: a kernel's command line is part of its run.
    more = (f"ixgb.TxIntDelay={tx_steps}",) if tx_steps != IXGB_TX_STEPS else ()
    return Nic(
        type="ixgb",
        name=name,
        slot=slot,
        mtu=mtu,
        offloads={"tso": tso, "gso": gso, "gro": gro},
        gso_max_segs=gso_max_segs,
        module_args=(
            f"ixgb.RxIntDelay={ixgb_delay_steps(rx_int_delay)}",
            f"ixgb.RxDescriptors={rx_ring}",
            f"ixgb.TxDescriptors={tx_ring}",
            *more,
        ),
        params={**({"engines": engines} if engines != "adapter" else {}), **(params or {})},
    )


def ixgb_delay_steps(delay: Time) -> int:
    """Return an interrupt delay in steps of the 82597EX's registers."""
    return _steps(delay, IXGB_DELAY_STEP)


def e1000(
    *,
    board: str = "82545em-fiber",
    mtu: int = 1500,
    tso: bool = True,
    gso: bool = True,
    gro: bool = True,
    gso_max_segs: int | None = None,
    gro_max_size: int | None = None,
    tx_queue_len: int | None = None,
    byte_queue_limits: bool = True,
    rx_ring: int = 256,
    tx_ring: int = 256,
    rx_int_delay: Time = E1000_DELAY_STEP * 0,
    rx_abs_int_delay: Time = E1000_DELAY_STEP * 8,
    tx_int_delay: Time = E1000_DELAY_STEP * 8,
    tx_abs_int_delay: Time = E1000_DELAY_STEP * 32,
    interrupt_rate: str | int = "conservative",
    flow_control: bool = True,
    link_partner: str = "alike",
    name: str = "eth0",
    slot: int = 1,
    function: int = 0,
    params: Mapping[str, ParamValue] | None = None,
) -> Nic:
    """Return an Intel PRO/1000 server adapter (82545, 82546) under the unmodified Linux driver.

    Rings are numbers of descriptors; delays are rounded to the registers' step of 1.024 us;
    `interrupt_rate` is a limit in interrupts per second, or one of the driver's own modes.
    `gro_max_size` is the bytes that GRO may join, `tx_queue_len` the packets that may wait ahead of
    the ring (None: the kernel's default); without `byte_queue_limits` the ring may fill up.
    `link_partner` is what the far end says in negotiation: "alike", "no-pause" or "silent".
    `function` 1 is the second port of an 82546 board whose first is in the same slot.
    """
    _check_board("PRO/1000", "e1000", board)
    if function not in range(2 if board.startswith("82546") else 1):
        raise UsageError(f"{board} has no function {function}")
    _check_ring("rx", rx_ring, 80, 4096)
    _check_ring("tx", tx_ring, 80, 4096)
    if isinstance(interrupt_rate, str):
        if interrupt_rate not in E1000_RATES:
            hint = did_you_mean(interrupt_rate, E1000_RATES)
            raise UsageError(f"no interrupt rate {interrupt_rate!r}{hint}; or a number")
        rate = E1000_RATES[interrupt_rate]
    elif 100 <= interrupt_rate <= 100_000:
        rate = interrupt_rate
    else:
        raise UsageError(
            f"{interrupt_rate} interrupts per second: the driver takes 100 to 100000, "
            "or off, dynamic, conservative"
        )

    arguments = {
        "RxDescriptors": rx_ring,
        "TxDescriptors": tx_ring,
        "RxIntDelay": _steps(rx_int_delay, E1000_DELAY_STEP),
        "RxAbsIntDelay": _steps(rx_abs_int_delay, E1000_DELAY_STEP),
        "TxIntDelay": _steps(tx_int_delay, E1000_DELAY_STEP),
        "TxAbsIntDelay": _steps(tx_abs_int_delay, E1000_DELAY_STEP),
        "InterruptThrottleRate": rate,
        "FlowControl": 3 if flow_control else 0,
    }
    return Nic(
        type="e1000",
        name=name,
        slot=slot,
        function=function,
        mtu=mtu,
        offloads={"tso": tso, "gso": gso, "gro": gro},
        gso_max_segs=gso_max_segs,
        gro_max_size=gro_max_size,
        tx_queue_len=tx_queue_len,
        byte_queue_limits=byte_queue_limits,
        module_args=tuple(f"e1000.{key}={value}" for key, value in arguments.items()),
        params={"board": board, "link_partner": link_partner, **(params or {})},
    )


def genesis(
    *,
    board: str = "sk-9843",
    mtu: int = 1500,
    gro: bool = True,
    gro_max_size: int | None = None,
    tx_queue_len: int | None = None,
    rx_ring: int = 512,
    tx_ring: int = 128,
    link_partner: str = "alike",
    name: str = "eth0",
    slot: int = 1,
    params: Mapping[str, ParamValue] | None = None,
) -> Nic:
    """Return a SysKonnect SK-98xx with GEnesis and XMAC II under the unmodified Linux skge driver.

    Rings are numbers of descriptors, 1 to 4096 and 24 to 1024. The adapter is of conventional PCI
    and has neither TSO nor checksum offload, so there is no GSO either. `gro_max_size`,
    `tx_queue_len` and `link_partner` are as for e1000. Receive interrupts are not moderated, those
    for sent frames come every 100 us at most: the driver's own setting.
    """
    _check_board("GEnesis", "genesis", board)
    _check_ring("rx", rx_ring, 1, 4096, multiple=1)
    _check_ring("tx", tx_ring, GENESIS_LEAST_TX_RING, 1024, multiple=1)
    return Nic(
        type="genesis",
        name=name,
        slot=slot,
        mtu=mtu,
        offloads={"gro": gro},
        gro_max_size=gro_max_size,
        tx_queue_len=tx_queue_len,
        rings=(rx_ring, tx_ring),
        params={"board": board, "link_partner": link_partner, **(params or {})},
    )


def _check_board(family: str, type_name: str, board: str) -> None:
    boards = types.choices("adapter", type_name, "board")
    if board not in boards:
        raise UsageError(f"no {family} board {board!r}{did_you_mean(board, boards)}")


def _check_ring(what: str, ring: int, least: int, most: int, *, multiple: int = 8) -> None:
    if not least <= ring <= most or ring % multiple:
        numbers = f"multiples of {multiple} from" if multiple > 1 else "numbers from"
        raise UsageError(
            f"{what} ring of {ring} descriptors: the driver takes {numbers} {least} to {most}"
        )


def _steps(delay: Time, step: Time) -> int:
    return (delay.ps + step.ps // 2) // step.ps
