# SPDX-License-Identifier: Apache-2.0
"""The test rig for real guests: small scenarios, runs of them, and what tshark says of the wire."""
