#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# pair.sh ROOT DIR: plays DIR/sender and DIR/receiver (each with settings, and pipes proc/phase and
# proc/report) as two machines joined by a veth pair. Run it in `unshare --map-root-user --net
# --mount --uts --pid --fork --kill-child`.
set -u
root=$1 dir=$2 self=$0

# machine NAME: the role, in a root of its own, as the guest's init would start it.
if [ "${3:-}" ]; then
  mount --rbind "$root" "$dir/mnt"
  for place in proc dev; do mount --rbind "/$place" "$dir/mnt/$place"; done
  mount -t sysfs none "$dir/mnt/sys"
  for place in tmp run var; do mount -t tmpfs none "$dir/mnt/$place"; done
  mkdir "$dir/mnt/run/longhaul"
  mount --bind "$dir/$3" "$dir/mnt/run/longhaul"
  until chroot "$dir/mnt" /bin/ip link show dev eth0 >/dev/null 2>&1; do sleep 0.02; done
  PATH=/run/longhaul/shim:/usr/sbin:/usr/bin LH_PROC=/run/longhaul/proc \
    chroot "$dir/mnt" /bin/sh /longhaul/role /run/longhaul/settings
  code=$?
  # The veth pair goes with the namespace of either end: the receiver's stays.
  [ "$3" = receiver ] || exit $code
  : >"$dir/receiver-ended"
  sleep 1000
fi

unshare --net --mount --uts sh "$self" "$root" "$dir" receiver &
receiver=$!
sleep 0.3
chroot "$root" /bin/ip link add eth0 type veth peer name eth0 netns "$receiver"
# A receiver whose sender has failed waits without end; it goes with this process namespace.
unshare --mount --uts sh "$self" "$root" "$dir" sender || exit 1
until [ -e "$dir/receiver-ended" ]; do sleep 0.02; done
