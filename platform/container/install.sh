#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh GROUP...: installs the packages of these groups of debian-packages.txt, which lies beside this file. Runs as
# root while the image is built.
set -eu
cd "$(dirname "$0")"
packages=$(awk -F'|' -v groups=" $* " '
  /^#/ || NF < 4 { next }
  {
    gsub(/[ \t]/, "", $1)
    n = split($3, own, " ")
    for (i = 1; i <= n; i++) if (index(groups, " " own[i] " ")) { print $1; next }
  }' debian-packages.txt)
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
# shellcheck disable=SC2086 # one word a package
apt-get -q install -y --no-install-recommends $packages
# The lists of packages would age with the image: Longhaul reads its own where there are none.
apt-get clean
rm -rf /var/lib/apt/lists/*
