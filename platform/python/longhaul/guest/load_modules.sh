# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Loads the drivers that the kernel does not have built in: LH_MODULES names them, LH_FILES has them. A guest reads this at the
# end of its settings. What the kernel's command line says to a driver (`ns83820.ihr=4`) goes to it.
read -r words </proc/cmdline
for module in $LH_MODULES; do
  parameters=''
  for word in $words; do
    case $word in
      "$module".*) parameters="$parameters ${word#*.}" ;;
    esac
  done
  # shellcheck disable=SC2086  # a list of words
  run insmod "$LH_FILES/modules/$module.ko" $parameters
done
