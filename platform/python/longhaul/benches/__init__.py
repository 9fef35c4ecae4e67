# SPDX-License-Identifier: Apache-2.0
"""Test benches that several scenarios share."""
