# SPDX-License-Identifier: Apache-2.0
"""An adapter under test against its twin: what both runs recorded, and where they differ."""
