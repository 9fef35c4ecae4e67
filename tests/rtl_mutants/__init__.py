# SPDX-License-Identifier: Apache-2.0
"""Bugs in the template NIC, and what a run says of each."""
