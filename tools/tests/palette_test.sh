# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # test.sh and lib.sh set the rest
# Colours and letters of Topdown level 1 in all outputs.

"$here/palette.py" "$here/.." >"$tmp/out" 2>&1
result $? "one palette, at least 3:1 on light and dark backgrounds"
