# SPDX-License-Identifier: Apache-2.0
"""The papers' testbeds: machines, cables and programs that several scenarios share."""
