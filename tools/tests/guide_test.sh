# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154,SC2016 # run.sh and lib.sh set the rest
# Loops of guides in Documentation/admin-guide.

# --- n3stat.rst: start a recording

made guide --cpus 4 --lean frontend_bound
values=$made/cpu3/quality/topdown_l1
bin=$tmp/guide-bin
slept=$tmp/guide-slept
loop=$tmp/guide-loop
mkdir "$bin" "$tmp/guide"

# the block, without its prompt
awk 'BEGIN { RS = "" } /^\t/ && /high\.rec/' "$shared/../../Documentation/admin-guide/n3stat.rst" |
	sed 's/^\t//; 1s/^# //' >"$loop"
[ "$(wc -l <"$loop")" -le 8 ] && grep -q 'n3stat --json ' "$loop" &&
	grep -qw 'n3stat record -qo high.rec 2 5' "$loop"
result $? "guide: a loop of at most eight lines"
# the same recording in less time
sed -i 's/high.rec 2 5/high.rec 0.1 5/' "$loop"

# estimate FILE ESTIMATE LOW HIGH: CPU 3 with this frontend_bound, or with a word
estimate()
{
	estimate="estimate=$2 estimate_low=$3 estimate_high=$4"
	estimate="value=$2 low=$3 high=$4 coverage=48.50 slices=48 $estimate"
	sed "s/^frontend_bound .*/frontend_bound $estimate/" "$values" >"$1"
}
estimate "$tmp/guide-0" 49.5 49.1 49.9
estimate "$tmp/guide-1" 50.5 50.0 51.0
estimate "$tmp/guide-2" 57.5 none none
estimate "$tmp/guide-3" idle none none
estimate "$tmp/guide-4" 50.5 50.1 50.9
cp "$tmp/guide-0" "$values"

printf '#!/bin/sh\nexec "%s" -r "%s" "$@"\n' "$plain_n3stat" "$made" >"$bin/n3stat"
# the next values, instead of a pause
printf '#!/bin/sh\necho "$*" >>"%s"\nmv "%s-$(wc -l <"%s")" "%s" || kill $PPID\n' \
	"$slept" "$tmp/guide" "$slept" "$values" >"$bin/sleep"
chmod 755 "$bin/n3stat" "$bin/sleep"

# loops: runs it in an empty directory
loops()
{
	rm -rf "$tmp/guide/high.rec" "$slept"
	(cd "$tmp/guide" && PATH=$bin:$PATH sh "$loop") >"$tmp/out" 2>"$tmp/err"
}
loops && [ "$(snapshots "$tmp/guide/high.rec")" -eq 5 ] && [ ! -s "$tmp/err" ]
result $? "guide: the loop records when a value is above the bound"
same "guide: it waits while the 95 % interval includes the bound, and without one" "2 2 2 2" \
	"$(xargs <"$slept")"
mv "$made" "$made.gone"
loops
[ ! -e "$tmp/guide/high.rec" ] && [ ! -e "$slept" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	has_message no_directory
result $? "guide: it ends when the module is unloaded"

# --- fleet.rst: a machine without hardware

trial=$tmp/guide-trial
# its second command runs meanwhile
sed -n '/^	\$ while tools\/tests\/make_tree.py/s/^	\$ //p' \
	"$shared/../../Documentation/admin-guide/fleet.rst" |
	sed "s,/tmp/n3 ,$trial ,; s/sleep 5/sleep 0.1/" >"$loop"
(cd "$shared/../.." && exec bash "$loop") >"$tmp/out" 2>"$tmp/err" &
pid=$!
# has_grown: the machine is real, and its total is above 0
has_grown()
{
	"$(dirname "$plain_n3stat")/n3-exporter" --source "$trial" --once >"$tmp/series" 2>/dev/null &&
		grep -q '^n3_telemetry_info.*simulated="0"' "$tmp/series" &&
		grep -q '^n3_telemetry_slots_total [1-9]' "$tmp/series"
}
within 60 "a growing total" has_grown
result $? "guide: the loop makes a machine whose totals grow"
kill "$pid"
wait "$pid"
