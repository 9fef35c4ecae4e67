# SPDX-License-Identifier: Apache-2.0
"""Tables of a port map that say what lies beside the block on its board."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from longhaul.portmap.platform_table import Integer

Word = Annotated[Integer, Field(ge=0, le=0xFFFF)]
Number = Annotated[str, Field(pattern=r"^(0x[0-9a-fA-F]{1,4}|[0-9]{1,5})$")]
"""A key that is a number: of a word or of a register."""

WORDS = 64
MAC_WORDS = 3


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Content(_Table):
    """Content of an EEPROM of 64 words."""

    words: dict[Number, Word] = Field(
        {}, description='Words by number: `{"0x0a" = "0x4000"}`; they go before those of `file`.'
    )
    file: str = Field(
        "", description="A file of hexadecimal words as $readmemh takes it, by the map's folder."
    )
    fill: Word = Field(0xFFFF, description="The other words.")
    mac_word: int | None = Field(
        None,
        ge=0,
        le=WORDS - MAC_WORDS,
        description="First of three words that hold the Ethernet address, low byte first.",
    )
    mac_maker: Annotated[str, Field(pattern=r"^[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){2}$")] = Field(
        "02:00:00", description="The first three bytes of an address that no parameter sets."
    )
    checksum_word: int | None = Field(
        None, ge=0, le=WORDS - 1, description="The word that makes the sum of all words right."
    )
    checksum: Word = Field(0xBABA, description="That sum, modulo 2^16.")

    def maker(self) -> list[int]:
        """Return the bytes of `mac_maker`."""
        return [int(each, 16) for each in self.mac_maker.split(":")]


class Device(_Table):
    """A device on a management bus."""

    type: str = Field(description="Its type: phy22, xpak, or one of a plug-in.")
    address: int = Field(0, ge=0, le=31, description="Its address on the bus (PHYAD, PRTAD).")
    port: str = Field(
        "", description="The port to the wire whose carrier it sees; a box has to say which."
    )
    params: dict[str, Any] = Field({}, description="Parameters of the type.")
    registers: dict[Number, Word] = Field(
        {}, description='Of phy22: registers 4 to 31 by number: `{"5" = "0x41e1"}`.'
    )


def numbered(table: dict[str, int]) -> dict[int, int]:
    """Return a table by its keys' values; a ValueError names two keys of the same value."""
    found: dict[int, int] = {}
    for key, value in table.items():
        number = int(key, 0) if key.startswith("0x") else int(key)
        if number in found:
            raise ValueError(f"{key} stands there twice")
        found[number] = value
    return found
