# SPDX-License-Identifier: Apache-2.0
"""packets.bin, what `run --packets` keeps of each packet's way: read, shown, written as FTR."""
