# SPDX-License-Identifier: Apache-2.0
"""Every published figure of the tree: runs, comparison, fits and the one page."""
