# SPDX-License-Identifier: Apache-2.0
"""An adapter under test against its twin: the recordings of both runs, and where they differ."""
