# SPDX-License-Identifier: Apache-2.0
"""Many runs: sweeps, repetitions, their tables, rankings and pages."""
