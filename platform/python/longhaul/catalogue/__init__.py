# SPDX-License-Identifier: Apache-2.0
"""The figures of docs/results.md: the meaning of each, its command, and its last value."""
