# SPDX-License-Identifier: Apache-2.0
"""report.html: one self-contained page for one or several runs."""

from longhaul.report.page import render, write_report

__all__ = ["render", "write_report"]
