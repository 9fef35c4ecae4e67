# SPDX-License-Identifier: Apache-2.0
"""`longhaul validate`: what an adapter has to do under its Linux driver, test by test."""
