# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Loads the user's modules: LH_OWN_MODULES names them in their order, LH_FILES has them and their parameters. A guest reads this
# at the end of its settings. What the kernel's command line says to a module (`mynic.debug=1`) goes to it, too.
read -r words </proc/cmdline

# take_devices MODULE: gives it the devices that its table has and that a built-in driver has probed. If it refuses one, the
# device has no driver: the guest then says that nobody has made its interface.
take_devices() {
  for driver in "/sys/module/$1/drivers"/pci:*; do
    [ -e "$driver/bind" ] || return 0
    for device in /sys/bus/pci/devices/*; do
      [ -e "$device/driver" ] && is_claimed "$(cat "$device/modalias")" "$LH_FILES/modules/$1.claims" || continue
      had=$(basename "$(readlink -f "$device/driver")")
      [ "$had" != "$(basename "$(readlink -f "$driver")")" ] || continue
      echo "${device##*/}" >"$device/driver/unbind" || fail "$had does not give up ${device##*/}"
      echo "${device##*/}" 2>/dev/null >"$driver/bind" || true
      echo "$1: gets ${device##*/}, which $had had" >/dev/kmsg
    done
  done
}

is_claimed() {
  while read -r pattern; do
    # shellcheck disable=SC2254  # a pattern
    case $1 in $pattern) return 0 ;; esac
  done <"$2"
  return 1
}

for module in $LH_OWN_MODULES; do
  parameters=''
  for word in $words; do
    case $word in
      "$module".*) parameters="$parameters ${word#*.}" ;;
    esac
  done
  if [ -r "$LH_FILES/modules/$module.parameters" ]; then
    read -r own <"$LH_FILES/modules/$module.parameters"
    parameters="$parameters $own"
  fi
  # One word: a value in double quotes may have blanks, and the kernel reads them.
  run insmod "$LH_FILES/modules/$module.ko" "${parameters# }"
  [ ! -r "$LH_FILES/modules/$module.claims" ] || take_devices "$module"
done
