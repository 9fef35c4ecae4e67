# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site: the tree's Markdown files, and pages made from what the code says.

`markdown` finds links and headings, and `tree` says which page stands for a file of the tree.
`staging` writes all pages into a folder. `site` has MkDocs build them, and `server` shows them.
"""
