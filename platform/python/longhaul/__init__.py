# SPDX-License-Identifier: Apache-2.0
"""Longhaul's command line, its Python interface for scenarios, and its reports."""

__version__ = "0.1.0"
