# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # test.sh and lib.sh set the rest
# The picture of the README.

"$here/../../selftests/qemu/picture_test.py" "$tmp" >"$tmp/out" 2>&1
result $? "a picture has the text, places and colours of a command's output"
