# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Parts of a test run: each has a limit and prints a line when it has ended. Sourced after
# lib.sh, in programs run by supervise.sh: see there for TALLY, RUNNING and LOGS.

# A part that has not ended by then hangs. Slow is not hung: this is three times the
# duration on a busy host.
PART_MINUTES=${PART_MINUTES:-45}

# supervised MINUTES DIR [ARGUMENT...] - runs the calling script, with these arguments,
# under supervise.sh, unless it already is
supervised() {
	local minutes=$1 dir=$2
	shift 2

	[ -n "${N3T_RUN:-}" ] || exec "$QEMU_DIR/supervise.sh" "$minutes" "$dir" "$0" "$@"
}

# begin NAME - starts a part; $part is the argument of count and end
begin() {
	part=$(mktemp "$RUNNING/XXXXXX")
	echo "$EPOCHSECONDS $1" > "$part"
}

# count PART NAME FILE RC [INDENT] - adds a TAP report, and its failures
count() {
	local part=$1 name=$2 file=$3 rc=$4 indent=${5:-0} counts

	counts=$(awk -v rc="$rc" -v indent="$indent" -f "$QEMU_DIR/tap.awk" "$file")
	echo "$counts $name" | tee -a "$TALLY" >> "$part.counts"
	# shellcheck disable=SC2086 # three numbers
	set -- $counts
	{
		[ "$3" -eq 0 ] || echo "  $name: $3 skipped"
		[ "$2" -gt 0 ] || return 0
		echo "  $name: $1 passed, $2 FAILED, $3 skipped (exit status $rc)"
		# a failure with the diagnostics around it
		grep -E -B 4 -A 8 '^(\[.*\])? *not ok ' "$file" | head -n 60 || tail -n 20 "$file"
	} >> "$part.said"
}

# fails PART NAME WHY - counts one failure
fails() {
	echo "0 1 0 $2" | tee -a "$TALLY" >> "$1.counts"
	echo "  $2: $3" >> "$1.said"
}

# end PART - prints its line, and its failures below
end() {
	local since name sum='done' seconds said=''

	read -r since name < "$1"
	seconds=$((EPOCHSECONDS - since))
	[ ! -e "$1.counts" ] ||
		sum=$(awk '{ p += $1; f += $2; s += $3 }
			END { printf "%d passed, %d failed%s", p, f, s ? ", " s " skipped" : "" }' \
			"$1.counts")
	if [ "$sum" = 'done' ] && [ $seconds -le 1 ]; then
		rm -f "$1"
		return 0
	fi
	[ ! -e "$1.said" ] || said=$(cat "$1.said")
	# one write: other parts end at the same time
	printf '%-44s %s  %d:%02d\n%s' "$name" "$sum" $((seconds / 60)) $((seconds % 60)) \
		"${said:+$said$'\n'}"
	rm -f "$1" "$1".*
}

# limited COMMAND... - returns 124 if it had to be ended
limited() { timeout -k 10 $((PART_MINUTES * 60)) "$@" </dev/null; }

# why STATUS - in words
why() {
	if [ "$1" -eq 124 ]; then
		echo "not finished after $PART_MINUTES minutes (PART_MINUTES): ended"
	else
		echo "exit status $1"
	fi
}

# report NAME COMMAND... - a part that prints TAP; $LOGS/NAME has the text
report() {
	local name=$1 rc=0 part
	shift

	begin "$name"
	limited "$@" > "$LOGS/$name" 2>&1 || rc=$?
	[ "$rc" -ne 124 ] || fails "$part" "$name" "$(why "$rc")"
	count "$part" "$name" "$LOGS/$name" "$rc"
	end "$part"
}

# build NAME COMMAND... - a part that only has to succeed; no line if it takes no time
build() {
	local name=$1 rc=0 part
	shift

	begin "$name"
	limited "$@" > "$LOGS/$name" 2>&1 || rc=$?
	if [ "$rc" -ne 0 ]; then
		fails "$part" "$name" "$(why "$rc")"
		tail -n 20 "$LOGS/$name" >> "$part.said"
	fi
	end "$part"
}

# step NAME COMMAND... - a program with separate parts
step() {
	local name=$1 rc=0
	shift

	"$@" </dev/null || rc=$?
	if [ "$rc" -ne 0 ]; then
		echo "$name stops with status $rc"
		echo "0 1 0 $name" >> "$TALLY"
	fi
}
