#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kunit.sh [KERNEL] - builds the modules with their KUnit suites, loads them into the
# debug kernel, or another of ours, on an emulated Neoverse N3 and counts the cases.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tally.sh
. "$QEMU_DIR/tally.sh"

kernel=${1:-debug}
out=$BUILD/kunit${1:+-$1}
"$QEMU_DIR/modules.sh" "$kernel"
rc=0
"$QEMU_DIR/run.sh" -k "$kernel" -s 2 -t 600 -o "$out" kunit > "$out.log" 2>&1 || rc=$?
if [ "$rc" -ne 0 ]; then
	tail -n 20 "$out.log"
fi
log=$out/results/dmesg
# without results, the console says how far it came
[ -e "$log" ] || log=$out.log
tally "kunit${1:+ on $1}" "$log" "$rc" 4
[ -n "${TALLY_SHARED:-}" ] || tally_end
