#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# samples.sh [compare|write] - runs the commands of guest/samples.sh in the emulated machine and
# compares their output with the documentation, or writes it there: see samples.py and picture.py.
# TAP; the output is in build/samples/output.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
cd "$TOP"

parts=(values story doctor)
out=$BUILD/samples
pictures=(Documentation/pictures/answer-{light,dark}.svg)
mapfile -t pages < <(echo README.md; find Documentation -name '*.rst' | sort)

# samples MODE - of today; a recording of a minute prints nothing, and a busy host takes long for it
samples() {
	"$QEMU_DIR/modules.sh" 6.1 > /dev/null &&
		"$QEMU_DIR/run.sh" -k 6.1 -m turns -t 1320 -o "$out" samples "${parts[@]}" &&
		cat "${parts[@]/#/$out/results/}" > "$out/output" &&
		"$QEMU_DIR/picture.py" "$1" "$out/output" "n3stat tree" "${pictures[@]}" &&
		"$QEMU_DIR/samples.py" "$1" "$out/output" "${pages[@]}"
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
rc=0
samples "${1:-compare}" > "$log" 2>&1 || rc=1
echo 1..1
[ $rc -eq 0 ] || echo -n 'not '
echo "ok 1 - samples in the documentation are today's ($(tail -n 1 "$log"))"
[ $rc -eq 0 ] || sed 's/^/# /' "$log"
exit $rc
