# SPDX-License-Identifier: Apache-2.0
"""The guests' kernel, root folder and files: built once and kept in the cache."""
