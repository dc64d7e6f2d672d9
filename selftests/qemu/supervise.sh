#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# supervise.sh MINUTES DIR COMMAND... - runs a program that has parts (tally.sh) and ends with
# "N passed, N failed". On a terminal the last line shows the running parts. A run that
# has not ended after MINUTES, or RUN_MINUTES, has failed, and the parts that were still
# running are named. Processes left by the run are ended. DIR is emptied and keeps the
# output of the parts, and the verdict.
#
# COMMAND finds in its environment:
#	TALLY	a file with a line for each report: PASSED FAILED SKIPPED NAME
#	RUNNING	a directory with a file for each part that runs: START NAME
#	LOGS	DIR
#	N3T_RUN	the mark of the run: processes with it in their environment belong to the
#		run, whatever their current parent or session

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

minutes=${RUN_MINUTES:-${1:?usage: supervise.sh MINUTES DIR COMMAND...}}
dir=$2
shift 2
begun=$EPOCHSECONDS
# for stty, which needs the terminal as its input
exec 3>&1
end=$(awk -v begun="$begun" -v minutes="$minutes" 'BEGIN { printf "%d", begun + minutes * 60 }')
rm -rf "$dir"
export LOGS=$dir TALLY=$dir/tally RUNNING=$dir/running N3T_RUN=$$
mkdir -p "$RUNNING"
: > "$TALLY"

# minutes_of SECONDS - as 12:05, in $text
minutes_of() { printf -v text '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# parts_running - "check 3:10, kunit 0:12", in $parts
parts_running() {
	local file since name text

	parts=''
	for file in "$RUNNING"/??????; do
		read -r since name 2>/dev/null < "$file" || continue
		minutes_of $((EPOCHSECONDS - since))
		parts+="${parts:+, }$name $text"
	done
}

# sum - "PASSED FAILED SKIPPED" so far
sum() {
	awk '{ p += $1; f += $2; s += $3 } END { printf "%d %d %d", p, f, s }' "$TALLY"
}

terminal=
[ ! -t 1 ] || [ "${TERM:-dumb}" = dumb ] || terminal=1

# show_status - below all lines; updated at most once a second
show_status() {
	local text parts columns

	[ -n "$terminal" ] || return 0
	if [ "${status_of:-}" != "$EPOCHSECONDS" ]; then
		status_of=$EPOCHSECONDS
		minutes_of $((EPOCHSECONDS - begun))
		parts_running
		# shellcheck disable=SC2046 # three numbers
		set -- $(sum)
		read -r _ columns < <(stty size <&3 2>/dev/null) || true
		status="[$text] $1 passed, $2 failed; running: $parts"
		status=${status:0:$((${columns:-80} - 1))}
	fi
	printf '\r\e[K%s' "$status"
}

# show - prints the lines of the run until it ends or times out. It does not wait for all
# writers of the pipe to exit: a leftover process would block it.
show() {
	local line rc partial=''

	while [ "$EPOCHSECONDS" -lt $end ]; do
		rc=0
		IFS= read -r -t 1 line || rc=$?
		if [ $rc -eq 0 ]; then
			printf '%s%s\n' "${terminal:+$'\r\e[K'}" "$partial$line"
			partial=''
		elif [ $rc -gt 128 ]; then
			partial+=$line
			[ ! -e "$dir/ended" ] || break
		else
			break
		fi
		show_status
	done
	printf '%s' "${terminal:+$'\r\e[K'}"
}

# marked - process IDs of the run
marked() {
	local file

	for file in $(env -u N3T_RUN grep -lzxs "N3T_RUN=$N3T_RUN" /proc/[0-9]*/environ); do
		file=${file#/proc/}
		echo "${file%/environ}"
	done
}

end_all() {
	local signal pids

	for signal in TERM KILL; do
		for _ in {1..50}; do
			mapfile -t pids < <(marked)
			[ ${#pids[@]} -gt 0 ] || return 0
			kill -$signal "${pids[@]}" 2>/dev/null || true
			sleep 0.1
		done
	done
}

mkfifo "$dir/pipe"
stopped=
trap 'stopped=${stopped:-interrupted}' INT TERM HUP
{
	rc=0
	"$@" || rc=$?
	echo "$rc" > "$dir/ended"
} > "$dir/pipe" 2>&1 </dev/null &
# two jobs, not one pipeline, which would end only after both
show < "$dir/pipe" &
shown=$!
wait $shown || true

if [ -z "$stopped" ] && [ ! -e "$dir/ended" ]; then
	stopped="not finished after $minutes minutes (RUN_MINUTES)"
fi
trap '' INT TERM HUP
if [ -n "$stopped" ]; then
	parts_running
	echo
	echo "$stopped; running: ${parts:-nothing}"
	for file in "$RUNNING"/??????; do
		read -r _ name 2>/dev/null < "$file" || name=${1##*/}
		echo "0 1 0 $name" >> "$TALLY"
	done
elif [ "$(cat "$dir/ended")" -ne 0 ]; then
	echo "${1##*/} ends with status $(cat "$dir/ended")"
	echo "0 1 0 ${1##*/}" >> "$TALLY"
fi
end_all
kill $shown 2>/dev/null || true

# shellcheck disable=SC2046 # three numbers
set -- $(sum)
rm -rf "$RUNNING" "$TALLY" "$dir/ended" "$dir/pipe"
minutes_of $((EPOCHSECONDS - begun))
[ "$3" -eq 0 ] || echo "$3 skipped"
echo "in $text"
echo "$1 passed, $2 failed" | tee "$dir/verdict"
[ "$2" -eq 0 ] && [ "$1" -gt 0 ]
