#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kunit.sh - builds the modules with their KUnit suites, loads them into the
# debug kernel on an emulated Neoverse N3 and counts the cases.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tally.sh
. "$QEMU_DIR/tally.sh"

out=$BUILD/kunit
"$QEMU_DIR/modules.sh" debug
rc=0
"$QEMU_DIR/run.sh" -k debug -s 2 -t 600 -o "$out" kunit > "$out.log" 2>&1 || rc=$?
if [ "$rc" -ne 0 ]; then
	tail -n 20 "$out.log"
fi
log=$out/results/dmesg
# without results, the console says how far it came
[ -e "$log" ] || log=$out.log
tally kunit "$log" "$rc" 4
[ -n "${TALLY_SHARED:-}" ] || tally_end
