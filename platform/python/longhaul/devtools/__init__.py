# SPDX-License-Identifier: Apache-2.0
"""Tools for those who change Longhaul: tests, checks, builds, benchmarks."""
