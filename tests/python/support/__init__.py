# SPDX-License-Identifier: Apache-2.0
"""Helpers of the Python tests: a simulator that plays a part, and a command line that uses it."""
