# SPDX-License-Identifier: Apache-2.0
"""A built site for browsers of this machine, until Ctrl-C."""

from __future__ import annotations

import errno
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from longhaul.errors import LonghaulError

HOST = "127.0.0.1"


class _Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as it is there
        """Tell nothing of single requests."""


def opened(port: int, folder: Path) -> ThreadingHTTPServer:
    """Return a server of the folder; port 0 is any that is free. A LonghaulError: it is taken."""
    try:
        return ThreadingHTTPServer((HOST, port), partial(_Handler, directory=str(folder)))
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        why = "is taken" if taken else error.strerror
        raise LonghaulError(f"--port {port}: {why}; choose another one, such as --port 0") from None


def serve(server: ThreadingHTTPServer, say: Callable[[str], None]) -> None:
    """Serve until Ctrl-C."""
    with server:
        say(f"http://{HOST}:{server.server_port}/ (Ctrl-C ends it)")
        server.serve_forever()
