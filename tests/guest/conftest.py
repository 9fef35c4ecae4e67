# SPDX-License-Identifier: Apache-2.0
"""Several files run at a time, in the order of rig/order.py."""

from rig.order import pytest_collection_modifyitems, pytest_xdist_make_scheduler

__all__ = ["pytest_collection_modifyitems", "pytest_xdist_make_scheduler"]
