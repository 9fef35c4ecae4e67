# SPDX-License-Identifier: Apache-2.0
"""The figures of docs/results.md: what each is, the command that gives it, and its last value."""
