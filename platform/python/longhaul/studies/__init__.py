# SPDX-License-Identifier: Apache-2.0
"""Studies of a block: its TLM twin's sweep predicts, runs of its RTL confirm (docs/studies.md)."""
