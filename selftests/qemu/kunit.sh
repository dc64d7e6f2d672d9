#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kunit.sh [KERNEL] - builds the modules with their KUnit suites, loads them into the debug
# kernel, or another one from kernel.sh, on an emulated Neoverse N3 and counts the cases.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tally.sh
. "$QEMU_DIR/tally.sh"

kernel=${1:-debug}
out=$BUILD/kunit${1:+-$1}
supervised 60 "$BUILD/kunit-run" "$@"
begin "kunit on $kernel"
rc=0
{
	"$QEMU_DIR/modules.sh" "$kernel" &&
		"$QEMU_DIR/run.sh" -k "$kernel" -s 2 -t 600 -o "$out" kunit
} > "$out.log" 2>&1 || rc=$?
log=$out/results/dmesg
# without results, the console shows how far the guest got
[ -e "$log" ] || log=$out.log
count "$part" kunit "$log" "$rc" 4
[ "$rc" -eq 0 ] || tail -n 20 "$out.log" >> "$part.said"
end "$part"
