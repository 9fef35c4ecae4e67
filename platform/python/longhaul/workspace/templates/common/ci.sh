#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a CI job runs. It needs `longhaul` in PATH (Longhaul's `./longhaul link` puts it there), or
# LONGHAUL=/path/to/longhaul, and Debian 12, or podman or docker on any other Linux. The first job
# builds the simulator: keep ~/.cache/longhaul from one job to the next, or with a container the
# folder LONGHAUL_CONTAINER_CACHE=DIR. Packages are installed where sudo needs no password.
set -euo pipefail
cd "$(dirname "$0")"
longhaul=${LONGHAUL:-longhaul}
# On another Linux the commands run in Longhaul's container; LONGHAUL_CONTAINER=0 or =1 decides.
if ! grep -qx VERSION_CODENAME=bookworm /etc/os-release; then
  export LONGHAUL_CONTAINER=${LONGHAUL_CONTAINER:-1}
fi

"$longhaul" --check-only run
"$longhaul" python -m pytest tests
