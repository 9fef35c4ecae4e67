# SPDX-License-Identifier: Apache-2.0
"""A page, read as a browser would."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """Collects what a page would fetch and whether its elements close."""

    VOID = {"meta", "input", "br", "link", "img"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.fetched += [str(given[k]) for k in ("src", "href") if k in given]
        if "id" in given:
            self.ids.append(str(given["id"]))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
