# SPDX-License-Identifier: Apache-2.0
"""A run's figures: from the simulator's files to results.json, series, waves and words."""
