# SPDX-License-Identifier: Apache-2.0
"""Coverage of the user's RTL: kept by runs, merged over them, shown (coverage.md)."""
