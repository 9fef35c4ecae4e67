# SPDX-License-Identifier: Apache-2.0
"""Entry point of `python -m longhaul`."""

import sys

from longhaul.cli import main

if __name__ == "__main__":
    sys.exit(main())
