# SPDX-License-Identifier: Apache-2.0
"""One run: inputs, simulator, manifest, and the folder that it leaves."""
