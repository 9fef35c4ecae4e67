#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a CI job runs. It needs Debian 12 and `longhaul` in PATH (Longhaul's `./longhaul link` puts it
# there), or LONGHAUL=/path/to/longhaul. The first job builds the simulator: keep ~/.cache/longhaul
# from one job to the next. Packages are installed where sudo needs no password.
set -euo pipefail
cd "$(dirname "$0")"
longhaul=${LONGHAUL:-longhaul}

"$longhaul" run --check-only
"$longhaul" python -m pytest tests
