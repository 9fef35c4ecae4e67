# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# The module is unloaded below programs. Then a fifth of the requests for memory that cannot wait
# fail in the kernel.

in_use() { ! rmmod t110 2>/tmp/rmmod && grep -qi 'in use\|unavailable' /tmp/rmmod || { cat /tmp/rmmod; return 1; }; }
churn() { python3 /root/socket_churn.py "$LH_PEER4" 5999 >/tmp/churn 2>&1 & churn=$!; sleep 0.3; }
churn_has_ended() { ! kill -0 $churn 2>/dev/null; }
stop_churn() {
  kill $churn
  until_true 20 churn_has_ended || { ss -tinaem; cat /proc/$churn/wchan /proc/$churn/syscall; kill -9 $churn; }
  cat /tmp/churn
}
unload() { until_true 20 rmmod t110 2>/dev/null && [ ! -e /sys/class/net/eth0 ] && ! grep -q '^t110 ' /proc/modules; }
load() { insmod /run/longhaul/modules/t110.ko offload=1 && up_with_addresses; }
fail() {
  mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
  cd /sys/kernel/debug/failslab && echo -1 >times && echo 0 >verbose && echo 1 >ignore-gfp-wait && echo "$1" >probability
}

crowd held 0.5 500 in_use
churn
check unload unload
sleep 0.3
check load load
sleep 0.3
show churn stop_churn
check quiet-so-far kernel_is_quiet
churn
crowd poor 2 3000 fail 20
check memory-is-back fail 0
show poor-churn stop_churn
check none-left until_true 20 none_left
show statistics ethtool -S eth0
check unload-again unload
check load-again load
crowd after 0.2 500 true
check quiet kernel_is_quiet
