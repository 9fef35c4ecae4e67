# SPDX-License-Identifier: Apache-2.0
"""Pages of Python's public modules, from their docstrings and signatures."""

from __future__ import annotations

import importlib
import inspect
import re
from abc import ABC
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Unpack, get_args, get_origin

from longhaul.docs.tables import code, plain, table

MODULES = (
    "longhaul.api",
    "longhaul.topology",
    "longhaul.topology.machines",
    "longhaul.topology.nics",
    "longhaul.settings",
    "longhaul.units",
    "longhaul.gnet1.control",
)
FOLDER = "reference/python"
EMPTY = inspect.Parameter.empty


def pages() -> dict[str, str]:
    """Return the pages by their place in the site."""
    loaded = [importlib.import_module(name) for name in MODULES]
    text = "# Python API\n\nWhat scenarios and scripts import. docs/python_api.md shows how.\n\n"
    for module in loaded:
        text += f"- [`{module.__name__}`]({module.__name__}.md): {_first(module)}\n"
    made = {f"{FOLDER}/index.md": text}
    return made | {f"{FOLDER}/{each.__name__}.md": _page(each) for each in loaded}


def public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Yield the classes and functions of a module that others may use, in alphabetical order."""
    listed = getattr(module, "__all__", None)
    for name in sorted(listed or vars(module), key=str.lower):
        value = getattr(module, name)
        own = getattr(value, "__module__", "") == module.__name__ or listed
        if own and not name.startswith("_") and (inspect.isclass(value) or callable(value)):
            yield name, value


def _page(module: ModuleType) -> str:
    text = f"# {module.__name__}\n\n{_doc(module)}\n\n"
    for name, value in public(module):
        is_class = inspect.isclass(value)
        text += _class(name, value) if is_class else _function("##", name, value)
    return text


def _class(name: str, value: type[Any]) -> str:
    text = f"## {name}\n\n"
    if not issubclass(value, BaseException) and (signature := _signature(value)):
        text += _code(f"{name}{signature}")
    bases = [base.__name__ for base in value.__bases__ if base not in (object, ABC)]
    if bases:
        text += f"Extends {', '.join(f'`{name}`' for name in bases)}.\n\n"
    text += _doc(value) + "\n\n"
    for method, raw in vars(value).items():
        if method.startswith("_"):
            continue
        if isinstance(raw, property):
            kind = _annotation(raw.fget)
            text += f"### {name}.{method}\n\n" + (_code(f"{method}: {kind}") if kind else "")
            text += _doc(raw) + "\n\n"
        elif callable(raw) or isinstance(raw, classmethod | staticmethod):
            text += _function("###", f"{name}.{method}", getattr(value, method))
    return text


def _function(level: str, name: str, value: Any) -> str:
    signature = _signature(value)
    shown = _code(f"{name.rpartition('.')[2]}{signature}") if signature else ""
    return f"{level} {name}\n\n{shown}{_doc(value)}\n\n{_keywords(value)}"


def _keywords(value: Any) -> str:
    """Return what a function takes as `**name: Unpack[KIND]`, a keyword a row."""
    annotations: dict[str, Any] = getattr(value, "__annotations__", {})
    kinds: list[Any] = [kind for each in annotations.values() if (kind := _unpacked(each))]
    if not kinds:
        return ""
    (kind,) = kinds
    rows = (
        (code(name), code(re.sub(r"(?:\w+\.)+(?=[A-Z])", "", inspect.formatannotation(annotation))))
        for name, annotation in kind.__annotations__.items()
    )
    return f"`{kind.__name__}`: {_doc(kind)}\n\n" + table(("keyword", "takes"), rows)


def _unpacked(annotation: Any) -> Any:
    """Return KIND of an annotation `Unpack[KIND]`, else None."""
    return get_args(annotation)[0] if get_origin(annotation) is Unpack else None


def _code(text: str) -> str:
    """Return a signature as a block, an argument a line where it is long."""
    if len(text) > 88:
        text = re.sub(r"\(", "(\n    ", text, count=1)
        text = _between_arguments(text)
    return f"```python\n{text}\n```\n\n"


def _between_arguments(text: str) -> str:
    """Break a signature behind the commas that are in no inner bracket, and ahead of its end."""
    depth, made = 0, ""
    for place, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0 and sign == ")":
            return f"{made.rstrip()},\n)" + text[place + 1 :]
        made += ",\n   " if depth == 1 and sign == "," else sign
    return text


class _Shown:
    """Stands in a signature for a text that is shown as it is, without quotes."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _signature(value: Any) -> str:
    """Return arguments and result as the source has them; a default without a text is `...`."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    known = [each for each in signature.parameters.values() if each.name != "self"]
    result = _shown(signature.return_annotation)
    shown = signature.replace(
        parameters=[
            each.replace(annotation=_shown(each.annotation), default=_default(each.default))
            for each in known
        ],
        return_annotation=result,
    )
    return str(shown)


def _shown(annotation: Any) -> Any:
    if kind := _unpacked(annotation):
        return _Shown(f"Unpack[{kind.__name__}]")
    return _Shown(annotation) if isinstance(annotation, str) else annotation


def _default(value: Any) -> Any:
    return _Shown("...") if repr(value).startswith("<") and value is not EMPTY else value


def _annotation(getter: Any) -> str:
    return str(getattr(getter, "__annotations__", {}).get("return", ""))


def _doc(value: Any) -> str:
    text = inspect.getdoc(value) or ""
    return plain(text) if not text.startswith("Built-in") else ""


def _first(module: ModuleType) -> str:
    return plain((module.__doc__ or "").strip().splitlines()[0])
