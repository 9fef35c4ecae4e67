# SPDX-License-Identifier: Apache-2.0
"""`longhaul attack`: wrong inputs, faults and guests' misdeeds from a seed; each end is judged."""
