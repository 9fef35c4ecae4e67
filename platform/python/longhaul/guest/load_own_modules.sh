# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Loads the user's modules: LH_OWN_MODULES names them in their order, LH_FILES has them and their parameters. A guest reads this
# at the end of its settings. What the kernel's command line says to a module (`mynic.debug=1`) goes to it, too.
read -r words </proc/cmdline
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
done
