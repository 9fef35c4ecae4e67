#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Answers one control call of another guest; standard input and output are the connection to it. A word that is said twice counts once.
read -r word
if mkdir "$LH_TMP/hears-$word" 2>/dev/null; then
  case $word in
    hello) ;;
    client-*) echo client >"$LH_TMP/heard" ;;
    *) echo "$word" >"$LH_TMP/heard" ;;
  esac
fi
echo "heard $word"
