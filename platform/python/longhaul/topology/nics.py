# SPDX-License-Identifier: Apache-2.0
"""Adapters as a scenario asks for them."""

from collections.abc import Mapping

from longhaul.errors import UsageError
from longhaul.topology.parts import Nic, ParamValue
from longhaul.units import Time

IXGB_DELAY_STEP = Time(819_200)  # RDTR and TIDV count in 0.8192 us: Linux ixgb.rst
IXGB_LEAST_MTU = 68  # ixgb_main.c: ETH_MIN_MTU
IXGB_LARGEST_MTU = 16114  # Linux ixgb.rst


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
    name: str = "eth0",
    slot: int = 1,
    params: Mapping[str, ParamValue] | None = None,
) -> Nic:
    """Return an Intel PRO/10GbE (82597EX) under the unmodified Linux driver.

    Rings are numbers of descriptors; `gso_max_segs` is how many segments the stack may hand down in
    one packet (None: the kernel's default); `rx_int_delay` is rounded to the register's step of
    0.8192 us.
    """
    for what, ring, most in (("rx", rx_ring, 512), ("tx", tx_ring, 4096)):
        if not 64 <= ring <= most or ring % 8:
            raise UsageError(
                f"{what} ring of {ring} descriptors: the driver takes multiples of 8 "
                f"from 64 to {most}"
            )
    steps = (rx_int_delay.ps + IXGB_DELAY_STEP.ps // 2) // IXGB_DELAY_STEP.ps
    return Nic(
        type="ixgb",
        name=name,
        slot=slot,
        mtu=mtu,
        offloads={"tso": tso, "gso": gso, "gro": gro},
        gso_max_segs=gso_max_segs,
        module_args=(
            f"ixgb.RxIntDelay={steps}",
            f"ixgb.RxDescriptors={rx_ring}",
            f"ixgb.TxDescriptors={tx_ring}",
        ),
        params=dict(params or {}),
    )
