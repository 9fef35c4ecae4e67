# SPDX-License-Identifier: Apache-2.0
"""What of the user's RTL runs have reached: kept by runs, merged over them, shown (coverage.md)."""
