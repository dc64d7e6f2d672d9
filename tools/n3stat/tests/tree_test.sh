# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat tree: numbers, path and advice.

# has NAME EXPRESSION: the last output is JSON d, the first place p, its bottleneck b
has()
{
	python3 -c 'import json, sys
d = json.load(sys.stdin)
p = d["places"][0]
b = p["bottleneck"]
assert ('"$2"'), d' <"$tmp/out" 2>"$tmp/err"
	result $? "tree --json: $1"
}

"$here/check_tree.py" "$n3stat" "$many" >"$tmp/out" 2>"$tmp/err"
result $? "tree and tree --json: every number, path, loss and share of 32 trees, and intervals"

made=$many/tree-retiring-2
run -r "$made" tree --cpu 1
matches 'perf record -e armv8_pmuv3_0/.* -C 1 ' \
	"tree: names the command that finds the code on the CPU"
matches '^  real N3:' "tree: with simulated counts the command is for a real N3"
run -r "$made" tree
same "tree: without options it prints the busiest CPU and the system" 2 \
	"$(grep -cE '^(cpu[0-9]+ .busiest.|system) +of all slots +of parent$' "$tmp/out")"
run -r "$made" tree --json
has "why the CPU is shown, if no place is named" \
	'[p.get("why") for p in d["places"]] == ["busiest", None]'
run -r "$made" tree --json -C 1 && ! grep -q '"why"' "$tmp/out" && run -r "$made" tree -C 1 &&
	! grep -q busiest "$tmp/out"
result $? "tree: no reason for a place that is named"
printf '%s\n' 'cpus 8' 'included 4' 'excluded 4' 'offline 3' 'disabled 1' >"$made/system/status"
run -r "$made" tree --per system
matches '^system \(4 of 8 CPUs\) +of all slots' "tree: excluded CPUs are behind the name"
run -r "$made" tree --per system --json
has "CPUs and included ones of the system" '(p["cpus"], p["included"]) == (8, 4)'

one_group 'frontend_bound 40.0\nbackend_bound 40.5\nbad_speculation 1.0\nretiring 18.5\n'
mkdir "$tmp/one/cpu0/quality"
awk '{ print $1, "value=" $2, "low=" $2 - 1, "high=" $2 + 1, "coverage=50.00 slices=50" }' \
	"$tmp/one/cpu0/topdown_l1" >"$tmp/one/cpu0/quality/topdown_l1"
run -r "$tmp/one" tree --cpu 0
grep -q '^  mixed:    backend_bound and frontend_bound ' "$tmp/out" &&
	grep -q '^> backend_bound' "$tmp/out"
result $? "tree: mixed if two losses are closer than their errors; the path leads to the larger"
matches '^  groups:   Topdown_Backend' "tree: names the groups to look at if it is mixed"
one_group 'frontend_bound 10.0\nbackend_bound 70.5\nbad_speculation 1.0\nretiring 18.5\n'
mkdir "$tmp/one/cpu0/quality"
awk '{ print $1, "value=" $2, "low=none high=none coverage=6.00 slices=3" }' \
	"$tmp/one/cpu0/topdown_l1" >"$tmp/one/cpu0/quality/topdown_l1"
run -r "$tmp/one" tree --cpu 0
matches 'counted in too few slices' "tree: mixed with too few slices, and the reason"
one_group 'frontend_bound idle\nbackend_bound idle\nbad_speculation idle\nretiring idle\n'
run -r "$tmp/one" tree --cpu 0
matches 'no bottleneck can be named: idle' "tree: reports why no bottleneck can be named"

# The module's file "bottleneck" takes precedence: here it differs from the numbers.
one_group 'frontend_bound 10.0\nbackend_bound 70.5\nbad_speculation 1.0\nretiring 18.5\n'
path=$tmp/one/cpu0/bottleneck
printf 'path retiring 18.5 0.1\nfound retiring\nnext operation_mix\n' >"$path"
run -r "$tmp/one" tree --cpu 0
same "tree: marks the module's own path" retiring "$(sed -n 's/^> *\([^ ]*\) .*/\1/p' "$tmp/out")"
printf '%s\n' 'path backend_bound 70.5 none' 'path backend_mem_bound 40.0 3.1' \
	'loss backend_mem_bound 28.2 3.1' 'loss backend_core_bound 27.5 2.9' \
	'mixed backend_mem_bound backend_core_bound' 'next topdown_backend' >"$path"
run -r "$tmp/one" tree --cpu 0
tr -s '\n ' ' ' <"$tmp/out" >"$tmp/words"
grep -q 'losses: backend_mem_bound ~28% ±3, backend_core_bound ~28% ±3 ' "$tmp/words" &&
	grep -q 'mixed: backend_mem_bound and backend_core_bound ' "$tmp/words" &&
	! grep -q 'too few' "$tmp/out" &&
	[ "$(sed -n 's/^> *\([^ ]*\) .*/\1/p' "$tmp/out" | xargs)" = 'backend_bound backend_mem_bound' ]
result $? "tree: names the losses of the module's file, and that they are mixed"
sed -i 's/2\.9$/none/' "$path"
run -r "$tmp/one" tree --cpu 0
matches 'counted in too few slices' "tree: reports too few slices if a loss has no error"
printf 'verdict contended\nnext none\n' >"$path"
run -r "$tmp/one" tree --cpu 0
matches 'no bottleneck can be named: contended' \
	"tree: prints the word that the module gives instead of a path"
status=0
for text in '' 'path backend_bound' 'path new_metric 1 1\nfound new_metric' 'mixed a b' \
	'path retiring 1 1\nmixed a b' 'path retiring 1 1\nloss new_metric 1 1\nfound retiring'; do
	# shellcheck disable=SC2059
	printf "$text\n" >"$path"
	run -r "$tmp/one" tree --cpu 0
	[ "$(sed -n 's/^> *\([^ ]*\) .*/\1/p' "$tmp/out")" = backend_bound ] || status=1
done
result $status "tree: uses the numbers if the file bottleneck is not understood"

# The advice fits the machine: with SPE if available.
made wide --cpus 1 --lean backend_bound --spe
printf 'path backend_bound 50 1\npath backend_mem_bound 50 1\nfound backend_mem_bound\n' \
	>"$made/cpu0/bottleneck"
command='n3stat spe record -C 0 --seconds 5 --load --store --min-latency 60'
command="$command && n3stat spe report n3stat.spe"
run -r "$made" tree --cpu 0
grep -A 1 '^  real N3:' "$tmp/out" | grep -qxF "$command"
result $? "tree: recommends SPE if the CPUs have it"
cp "$made/cpu0/bottleneck" "$made/system/"
run -r "$made" tree --per system
grep -A 1 '^  real N3:' "$tmp/out" | grep -q 'n3stat spe record --seconds 5 --' &&
	! grep -q perf "$tmp/out"
result $? "tree: recommends SPE on all CPUs for the system"
made none --cpus 1 --lean backend_bound
cp "$many/wide/cpu0/bottleneck" "$made/cpu0/"
run -r "$made" tree --cpu 0
grep -q 'perf record -e armv8_pmuv3_0/stall_backend_membound/ -g -C 0 ' "$tmp/out" &&
	! grep -q 'n3stat spe' "$tmp/out"
result $? "tree: recommends an event if the CPUs lack SPE"
rm "$made/cpu0/spe"
run -r "$made" tree --cpu 0
grep -q 'perf record -e armv8_pmuv3_0/stall_backend_membound/ -g -C 0 ' "$tmp/out" &&
	! grep -q 'n3stat spe' "$tmp/out"
result $? "tree: recommends an event if the module does not report SPE"

# Each CPU has its own file: CPU 1 lacks what CPU 0 has.
made wide --cpus 2 --lean backend_bound --spe
cp "$made/cpu0/bottleneck" "$made/cpu1/"
printf 'usable no\nreason owned\n' >"$made/cpu1/spe"
run -r "$made" tree --json -C 0,1
has "SPE is recommended only on CPUs that have it" '[sorted(
	{"be_mem_find", "be_mem_find_spe"} & set(p["bottleneck"]["advice"]["ids"]))
	for p in d["places"]] == [["be_mem_find_spe"], ["be_mem_find"]]'
rm "$made/cpu1" -r

"$here/check_advice.py" "$n3stat" "$many" >"$tmp/out" 2>"$tmp/err"
result $? "tree --json: every advice under each of its conditions, by id"

# A command is one line of any length; all other lines have at most 80 columns.
made=$many/wide
run -r "$made" tree --cpu 0
[ "$(grep -A 1 '^  real N3:$' "$tmp/out" | tail -n 1)" = "$command" ] &&
	[ "$(grep -vxF "$command" "$tmp/out" | wc -L)" -le 80 ]
result $? "tree: a long command has a line of its own"
script -qc "stty cols 140; '$n3stat' -r '$made' tree --cpu 0" /dev/null </dev/null 2>"$tmp/err" |
	tr -d '\r' >"$tmp/out"
grep -qxF "  real N3:  $command" "$tmp/out"
result $? "tree: a command is not moved to a line of its own on a wide terminal"

# For several CPUs the file has their numbers by end.
made cpus --cpus 2 --lean backend_bound
cat >"$made/system/bottleneck" <<-'END'
	path bad_speculation 28.0000 0.1000
	share 28.0000
	loss bad_speculation 28.0000 0.1000
	loss backend_cache_l1d_bound 16.8840 0.2000
	found bad_speculation
	cpus 3 bad_speculation
	cpus 1 backend_cache_l1d_bound
	cpus 1 idle
	next branch_effectiveness l1d_cache_effectiveness
END
run -r "$made" tree --per system
matches '^  CPUs:     3 bad_speculation, 1 backend_cache_l1d_bound, 1 idle$' \
	"tree: how many CPUs of the system lead to which end"
run -r "$made" tree --json --per system
has "how many CPUs of the system lead to which end" \
	'[(end["cpus"], end["end"]) for end in b["cpus"]] ==
	 [(3, "bad_speculation"), (1, "backend_cache_l1d_bound"), (1, "idle")] and
	 b["end"] == "bad_speculation" and b["share"] == 28 and not b["mixed"]'

made=$many/tree-retiring-1
run -r "$made" tree -C 1
sed -n 's/^  real N3:  //p; /^  real N3:$/{n;s/^ *//p}' "$tmp/out" >"$tmp/printed"
sed -n '/^  means: /,/^  look at:/{/look at/d;s/^  means: *//;s/^  *//;p}' "$tmp/out" |
	xargs >>"$tmp/printed"
run -r "$made" tree --json -C 1
python3 -c 'import json, sys
advice = json.load(sys.stdin)["places"][0]["bottleneck"]["advice"]
print(advice["find_it"], advice["means"], sep="\n")' <"$tmp/out" | diff "$tmp/printed" - >"$tmp/err"
result $? "tree --json: the same advice as in the text"
one_group 'frontend_bound idle\nbackend_bound idle\nbad_speculation idle\nretiring idle\n'
run -r "$tmp/one" tree --json --cpu 0
has "the word and no end where there are no values" \
	'b["word"] == "idle" and b["end"] is b["advice"] is None and b["path"] == [] and
	 all(n["values"]["word"] == "idle" and n["values"]["value"] is None for n in p["tree"])'
one_group 'frontend_bound 10.0\nbackend_bound 70.5\nbad_speculation 1.0\nretiring 18.5\n'
printf '%s\n' 'path backend_bound 70.5 none' 'path backend_mem_bound 40.0 3.1' \
	'loss backend_mem_bound 28.2 3.1' 'loss backend_core_bound 27.5 none' 'below stale' \
	'mixed backend_mem_bound backend_core_bound' 'next topdown_backend' >"$tmp/one/cpu0/bottleneck"
run -r "$tmp/one" tree --json --cpu 0
has "the losses that are mixed, that slices are too few, and the word below the end" \
	'[loss["metric"] for loss in b["losses"]] == ["backend_mem_bound", "backend_core_bound"] and
	 b["mixed"] and b["too_few_slices"] and b["losses"][1]["share_error"] is None and
	 b["end"] == "backend_mem_bound" and b["word"] == "stale" and b["look_at"] == ["topdown_backend"]'
has "a value that is not there at all has the word -" \
	'p["tree"][1]["below"][0]["values"]["word"] == "-"'
cp -r "$tmp/one" "$tmp/v2-tree"
printf '%s\n' 'pmu armv8_pmuv3_0' 'core Neoverse V2 (0xd4f): not a Neoverse N3' >"$tmp/v2-tree/spec"
run -r "$tmp/v2-tree" tree --json -C 0
has "a core other than Neoverse N3" \
	'd["core"] == "Neoverse V2 (0xd4f): not a Neoverse N3" and d["simulated"] is False'

# The groups to look at are named with the command that selects them, unless all are selected.
# look_at: the line of groups
look_at()
{
	sed -n '/^  groups: /,/^  [a-z]/p' "$tmp/out" | tr -s '\n ' ' '
}
made unchosen --cpus 1 --lean retiring
select=$(echo topdown_l1 topdown_frontend topdown_backend)
echo "$select operation_mix fp_arithmetic_intensity fp_precision_mix sve_effectiveness" \
	>"$made/groups"
run -r "$made" tree -C 0 && look_at | grep -q 'SVE_Effectiveness.*n3stat -g' &&
	! look_at | grep -q 'echo all'
result $? "tree: all groups to look at are selected"
echo "$select operation_mix fp_arithmetic_intensity fp_precision_mix" >"$made/groups"
run -r "$made" tree -C 0 && look_at |
	grep -q 'SVE_Effectiveness.*n3stat -g.* echo all > /sys/kernel/n3_telemetry/groups'
result $? "tree: the command that selects a group to look at"

# Unselected groups
made unchosen --cpus 1 --lean backend_bound
unchoose()
{
	for group; do
		for place in cpu0 system; do
			sed -i 's/ .*/ disabled/' "$made/$place/$group"
			sed -i 's/=[^ ]*/=disabled/; s/coverage=.*//' "$made/$place/quality/$group"
		done
	done
}
unchoose topdown_backend
echo topdown_l1 topdown_frontend >"$made/groups"
run -r "$made" tree -C 0
grep -qx '  disabled: Topdown_Backend is not chosen (groups)' "$tmp/out" &&
	grep -qx '  try:      echo all > /sys/kernel/n3_telemetry/groups' "$tmp/out" &&
	grep -q 'the path cannot be followed further: disabled' "$tmp/out" &&
	! grep -q 'single reason' "$tmp/out"
result $? "tree: names the unselected group at the path's end, and how to select it"
run -r "$made" tree --json -C 0
has "the unselected group" 'p["not_chosen"] == ["topdown_backend"] and
	b["word"] == "disabled" and b["end"] == "backend_bound"'
unchoose topdown_l1 topdown_frontend
echo mpki >"$made/groups"
run -r "$made" tree
unchosen='disabled: Topdown_L1, Topdown_Frontend and Topdown_Backend are not chosen (groups)'
[ "$(tr -s ' \n' ' ' <"$tmp/out" | grep -o "$unchosen try: echo all" | wc -l)" -eq 2 ]
result $? "tree: reports that none of its groups is selected"
! grep -q busiest "$tmp/out" && run -r "$made" tree --json && ! grep -q busiest "$tmp/out"
result $? "tree: no CPU is the busiest if none was counted"
echo 0 >"$made/enable"
run -r "$made" tree -C 0
grep -qx '  disabled: sampling is off (enable)' "$tmp/out" &&
	grep -qx '  try:      echo 1 > /sys/kernel/n3_telemetry/enable' "$tmp/out" &&
	! grep -q chosen "$tmp/out"
result $? "tree: reports that sampling is off"
rm "$made/groups" "$made/enable"
run -r "$made" tree -C 0 && ! grep -q 'chosen\|sampling is off' "$tmp/out"
result $? "tree: names no setting of a copy without settings"
made unchosen --cpus 1 --lean backend_bound
run -r "$made" tree -C 0 && ! grep -q '^  disabled' "$tmp/out"
result $? "tree: no message about groups if all are selected"
# a metric of the tree is counted if another group that has it is selected
echo topdown_backend >"$made/groups"
run -r "$made" tree -C 0 && ! grep -q '^  disabled' "$tmp/out"
result $? "tree: no message about a group whose metrics have values"

golden_tree
run -r "$made" tree -C 0
golden tree.txt "tree: the whole tree of a CPU"
