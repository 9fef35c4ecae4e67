# SPDX-License-Identifier: Apache-2.0
"""`longhaul validate`: tests of an adapter under its Linux driver."""
