# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
up_and_down() { ip link set dev eth0 down && sleep 0.01 && ip link set dev eth0 up && until_true 5 carrier_is 1; }
far_flap() {
  far "(sleep 0.01; ip link set dev eth0 down; sleep 0.02; ip link set dev eth0 up) >/dev/null 2>&1 &" && sleep 0.2 && answers
}
start_load
check load traffic_moves
for number in 1 2 3 4; do
  during "down-up-$number" up_and_down
done
during far-end far_flap
check load-ends stop_load
check file-there file_there 200000
check_quiet
