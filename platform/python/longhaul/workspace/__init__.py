# SPDX-License-Identifier: Apache-2.0
"""Folders of a user's own, outside of Longhaul's tree: scenarios, machines, plug-ins, modules."""
