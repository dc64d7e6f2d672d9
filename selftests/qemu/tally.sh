# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Adds up test reports. Sourced behind lib.sh.

# One line a report: PASSED FAILED SKIPPED NAME. Over several programs when the
# caller has set TALLY.
TALLY=${TALLY:-$BUILD/tally.$$}
export TALLY

# tally NAME FILE RC [INDENT] - counts a TAP report and shows what failed in it
tally() {
	local name=$1 file=$2 rc=$3 indent=${4:-0} counts

	counts=$(awk -v rc="$rc" -v indent="$indent" -f "$QEMU_DIR/tap.awk" "$file")
	echo "$counts $name" >> "$TALLY"
	# shellcheck disable=SC2086 # three numbers
	set -- $counts
	if [ "$2" -gt 0 ]; then
		echo "$name: $1 passed, $2 FAILED, $3 skipped (exit status $rc)"
		# a failure and the lines of diagnosis beside it
		grep -E -B 4 -A 8 '^(\[.*\])? *not ok ' "$file" | head -n 60 ||
			tail -n 20 "$file"
	else
		echo "$name: $1 passed, $3 skipped"
	fi
}

# report NAME COMMAND... - runs what prints TAP and counts it; $logs/NAME has the text
report() {
	local name=$1 rc=0
	shift

	"$@" > "$logs/$name" 2>&1 </dev/null || rc=$?
	tally "$name" "$logs/$name" "$rc"
}

# tally_end - the sum; true when nothing failed and something passed
tally_end() {
	local sum

	sum=$(awk '{ p += $1; f += $2; s += $3 }
		END { printf "%d %d %d", p, f, s }' "$TALLY")
	rm -f "$TALLY"
	# shellcheck disable=SC2086 # three numbers
	set -- $sum
	[ "$3" -eq 0 ] || echo "$3 skipped"
	echo "$1 passed, $2 failed"
	[ "$2" -eq 0 ] && [ "$1" -gt 0 ]
}
