# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat tree: numbers, answer and advice.

# has NAME EXPRESSION: the last output is JSON d, the first place p, its answer a
has()
{
	python3 -c 'import json, sys
d = json.load(sys.stdin)
p = d["places"][0]
a = p["answer"]
assert ('"$2"'), d' <"$tmp/out" 2>"$tmp/err"
	result $? "tree --json: $1"
}

"$here/check_tree.py" "$n3stat" "$many" >"$tmp/out" 2>"$tmp/err"
result $? "tree and tree --json: every number, answer, loss and share of 32 trees, and intervals"

made=$many/tree-retiring-2
run -r "$made" tree --cpu 1
matches 'perf record -e armv8_pmuv3_0/.* -C 1 ' \
	"tree: names the command that finds the code on the CPU"
matches '^  real N3:' "tree: with simulated counts the command is for a real N3"
run -r "$made" tree
same "tree: without options it prints the system" 'system ' \
	"$(sed -n 's/ *of all slots *of parent$/ /p' "$tmp/out")"
printf '%s\n' 'cpus 8' 'included 4' 'excluded 4' 'offline 3' 'disabled 1' >"$made/system/status"
run -r "$made" tree --per system
matches '^system \(4 of 8 CPUs\) +of all slots' "tree: excluded CPUs are behind the name"
run -r "$made" tree --per system --json
has "CPUs and included ones of the system" '(p["cpus"], p["included"]) == (8, 4)'

one_group 'frontend_bound 40.0\nbackend_bound 40.5\nbad_speculation 1.0\nretiring 18.5\n'
run -r "$tmp/one" tree --cpu 0
same "tree: areas within the margin are mixed, and all are marked" 'frontend_bound backend_bound' \
	"$(sed -n 's/^> *\([^ ]*\) .*/\1/p' "$tmp/out" | xargs)"
matches '^mixed: backend_bound ~40%, frontend_bound ~40%$' "tree: the answer names mixed areas"
matches '^  groups:   Topdown_Backend' "tree: names the groups to look at if it is mixed"
for word in idle contended; do
	one_group "frontend_bound $word\nbackend_bound $word\nbad_speculation $word\nretiring $word\n"
	run -r "$tmp/one" tree --cpu 0
	same "tree: the answer is $word, and what that is about" "$word cpu0 is $word" \
		"$(head -n 2 "$tmp/out" | sed 's/:.*//' | xargs)"
done

# The advice fits the machine: with SPE if available.
made wide --cpus 1 --lean backend_bound --spe
# memory_bound PLACE: the answer is the rest of backend_mem_bound
memory_bound()
{
	set_values "$made/$1" frontend_bound:10 backend_bound:60 bad_speculation:10 retiring:20 \
		backend_mem_bound:90 backend_core_bound:0 backend_busy_bound:0 \
		backend_mem_cache_bound:0 backend_mem_tlb_bound:0 backend_mem_store_bound:0
}
memory_bound cpu0
command='n3stat spe record -C 0 --seconds 5 --load --store --min-latency 60'
command="$command && n3stat spe report"
run -r "$made" tree --cpu 0
grep -A 1 '^  real N3:' "$tmp/out" | grep -qxF "$command"
result $? "tree: recommends SPE if the CPUs have it"
memory_bound system
run -r "$made" tree --per system
grep -A 1 '^  real N3:' "$tmp/out" | grep -q 'n3stat spe record --seconds 5 --' &&
	! grep -q perf "$tmp/out"
result $? "tree: recommends SPE on all CPUs for the system"
made none --cpus 1 --lean backend_bound
memory_bound cpu0
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
memory_bound cpu0
memory_bound cpu1
printf 'usable no\nreason owned\n' >"$made/cpu1/spe"
run -r "$made" tree --json -C 0,1
has "SPE is recommended only on CPUs that have it" '[sorted(
	{"be_mem_find", "be_mem_find_spe"} & set(p["advice"]["ids"]))
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

made=$many/tree-retiring-1
run -r "$made" tree -C 1
sed -n 's/^  real N3:  //p; /^  real N3:$/{n;s/^ *//p}' "$tmp/out" >"$tmp/printed"
sed -n '/^  means: /,/^  look at:/{/look at/d;s/^  means: *//;s/^  *//;p}' "$tmp/out" |
	xargs >>"$tmp/printed"
run -r "$made" tree --json -C 1
python3 -c 'import json, sys
advice = json.load(sys.stdin)["places"][0]["advice"]
print(advice["find_it"], advice["means"], sep="\n")' <"$tmp/out" | diff "$tmp/printed" - >"$tmp/err"
result $? "tree --json: the same advice as in the text"
one_group 'frontend_bound idle\nbackend_bound idle\nbad_speculation idle\nretiring idle\n'
run -r "$tmp/one" tree --json --cpu 0
has "the word and no advice where there are no values" \
	'a["text"] == "idle" and p["advice"] is a["share"] is None and a["areas"] == [] and
	 all(n["values"]["word"] == "idle" and n["values"]["value"] is None for n in p["tree"])'
one_group 'frontend_bound 10.0\nbackend_bound 70.5\nbad_speculation 1.0\nretiring 18.5\n'
run -r "$tmp/one" tree --json --cpu 0
has "an area without values below it" \
	'a["areas"] == ["backend_bound"] and a["causes"] == [] and a["error"] is None and
	 p["advice"]["groups"] == ["topdown_backend"]'
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
	grep -qx 'backend_bound 68% (group topdown_backend is not chosen)' "$tmp/out" &&
	! grep -q 'single reason' "$tmp/out"
result $? "tree: names the unselected group below the area, and how to select it"
run -r "$made" tree --json -C 0
has "the unselected group" 'p["not_chosen"] == ["topdown_backend"] and
	a["areas"] == ["backend_bound"] and a["causes"] == []'
unchoose topdown_l1 topdown_frontend
echo mpki >"$made/groups"
run -r "$made" tree
unchosen='disabled: Topdown_L1, Topdown_Frontend and Topdown_Backend are not chosen (groups)'
[ "$(tr -s ' \n' ' ' <"$tmp/out" | grep -o "$unchosen try: echo all" | wc -l)" -eq 1 ]
result $? "tree: reports that none of its groups is selected"
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

# Causes of bad_speculation are counts below it; nothing else in the tree changes.
made causes --cpus 1 --lean bad_speculation
run -r "$made" tree -C 0
sed '/^    causes: /d' "$tmp/out" >"$tmp/without"
select='echo all speculation_causes > /sys/kernel/n3_telemetry/groups'
same "tree: the command that selects the causes of bad_speculation is below it" \
	"    causes:   $select" "$(grep -A 1 '^[> ] bad_speculation' "$tmp/out" | tail -n 1)"
run -r "$made" tree --json -C 0
has "the group of the causes, and the command that selects it" "p['causes'] == [{
	'of': 'bad_speculation', 'group': 'speculation_causes', 'command': '$select',
	'metrics': []}]"
# metric, decimals and error that are printed: the estimate with the decimals of its error
while read -r metric value estimate half _; do
	echo "$metric $value" >&3
	echo "$metric value=$value low=$value high=$value coverage=3.50 slices=4 estimate=$estimate" \
		"$(awk "BEGIN { printf \"estimate_low=%.4f estimate_high=%.4f\",
			$estimate - $half, $estimate + $half }")" >&4
done 3>"$made/cpu0/speculation_causes" \
	4>"$made/cpu0/quality/speculation_causes" <<'END'
branch_direct_mpki 12.3456 12.4321 0.1000
branch_indnr_mpki 900.5000 901.2345 20.0000
branch_return_mpki 0.0100 0.0123 0.0010
flush_pki 14.0000 15.0000 1.5000
END
echo 'flush_isb_pki unplaced' | tee -a "$made/cpu0/speculation_causes" |
	sed 's/ /=/; s/.*/flush_isb_pki value=unplaced/' >>"$made/cpu0/quality/speculation_causes"
sed -i 's/$/ memory_traffic speculation_causes/' "$made/groups"
run -r "$made" tree -C 0
sed '/^    \(branch\|flush\)_[a-z_]*_\?pki  *[-0-9a-z]/d; /^    branch_[a-z_]*_mpki /d' "$tmp/out" |
	diff "$tmp/without" - >"$tmp/err"
result $? "tree: causes change no share, mark, loss or answer"
same "tree: causes in their order, by estimate and error" \
	"branch_direct_mpki 12.4 MPKI ±0.1, branch_indnr_mpki 901 MPKI ±20, \
branch_return_mpki 0.01 MPKI ±<0.01, flush_pki 15 /kinst ±2, flush_mem_pki -, \
flush_bad_branch_pki -, flush_isb_pki unplaced, flush_other_pki -" \
	"$(grep -E '^    (branch|flush)_' "$tmp/out" | tr -s ' ' | sed 's/^ //' | paste -sd , |
		sed 's/,/, /g')"
run -r "$made" tree --json -C 0
has "causes have their values" 'p["causes"][0]["command"] is None and
	[m["metric"] for m in p["causes"][0]["metrics"]] == ["branch_direct_mpki",
		"branch_indnr_mpki", "branch_return_mpki", "flush_pki", "flush_mem_pki",
		"flush_bad_branch_pki", "flush_isb_pki", "flush_other_pki"] and
	[m["values"].get("estimate") for m in p["causes"][0]["metrics"]][:4] ==
		[12.4321, 901.2345, 0.0123, 15]'
# a core without the N3's debug events, and a count whose interval has no information
for metric in flush_pki flush_mem_pki flush_bad_branch_pki flush_isb_pki flush_other_pki; do
	sed -i "/^$metric[ =]/d" "$made/cpu0/speculation_causes" \
		"$made/cpu0/quality/speculation_causes"
	echo "$metric disabled" >>"$made/cpu0/speculation_causes"
	echo "$metric value=disabled" >>"$made/cpu0/quality/speculation_causes"
done
sed -i '/^branch_return_mpki/s/estimate=.*/estimate=1.5000 estimate_low=none estimate_high=none/' \
	"$made/cpu0/quality/speculation_causes"
run -r "$made" tree -C 0
same "tree: causes that the core cannot count are left out; ~ marks an unknown error" \
	"branch_direct_mpki 12.4 MPKI ±0.1, branch_indnr_mpki 901 MPKI ±20, \
branch_return_mpki ~1.5 MPKI" \
	"$(grep -E '^    (branch|flush)_' "$tmp/out" | tr -s ' ' | sed 's/^ //' | paste -sd , |
		sed 's/,/, /g')"
sed -i 's/ speculation_causes//' "$made/groups"
run -r "$made" tree -C 0
matches '^    echo all memory_traffic speculation_causes > /sys/' \
	"tree: the command keeps extra groups that are selected"
rm "$made/groups"
run -r "$made" tree -C 0 && ! grep -q 'causes:' "$tmp/out"
result $? "tree: no command for a copy without settings"

golden_tree
run -r "$made" tree -C 0
golden tree.txt "tree: the whole tree of a CPU"
