# SPDX-License-Identifier: Apache-2.0
"""`longhaul attack`: inputs, faults and misdeeds without end, and a judge of how each ended."""
