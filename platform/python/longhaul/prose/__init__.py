# SPDX-License-Identifier: Apache-2.0
"""The tree's English: the vocabulary, rules of plain English, and a check of every text."""
