# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat top: places without values.

# shellcheck source=screen.sh
. "$here/screen.sh"

# replaced PLACE WORD: its values are this word
replaced()
{
	sed -i "s/ .*/ value=$2/" "$made/$1"/quality/*
	for group in "$made/$1"/quality/*; do
		sed -i "s/ .*/ $2/" "$made/$1/${group##*/}"
	done
}

# --- places without values

made rows --cpus 8
for place in cpu0 cpu1 cpu2 cpu3 cpu4 cpu5 cpu6 cpu7 system; do
	replaced $place contended
done
replaced cpu2 idle
printf 'cpus 8\nincluded 0\nexcluded 8\ncontended 7\nidle 1\n' >"$made/system/status"
starts "'$n3stat' -r '$made' top 1"
shows '^cpu7 +[|]contended' "top: CPUs without values"
shows '^7 CPUs are contended: n3stat doctor$' "top: a tree without values ends with the next step" \
	Right
shows '^cpu0 is contended: n3stat doctor$' "top: so does that of a CPU" n
shows '^cpu2 is idle: ' "top: an idle CPU is no case for doctor" n n
! grep -q doctor "$tmp/out"
result $? "top: it has its reason"
tm kill-server
