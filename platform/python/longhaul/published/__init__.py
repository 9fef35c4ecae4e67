# SPDX-License-Identifier: Apache-2.0
"""Published figures beside a scenario, and reasons why a figure is far from one."""
