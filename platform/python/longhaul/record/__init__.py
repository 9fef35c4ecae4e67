# SPDX-License-Identifier: Apache-2.0
"""record.bin, what `run --record` keeps: read, put into words, and compared."""
