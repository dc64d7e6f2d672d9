# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat tree: numbers, the way down, what to do next.

status=0
for lean in backend_bound frontend_bound bad_speculation retiring; do
	for seed in 1 2 3 4 5; do
		made tree-$lean --cpus 2 --seed $seed --lean $lean
		for place in cpu0 cpu1 system; do
			case $place in
			system) run -r "$made" tree --per system ;;
			*) run -r "$made" tree --cpu "${place#cpu}" ;;
			esac
			"$here/check_tree.py" "$made" $place <"$tmp/out" >"$tmp/err" 2>&1 || {
				status=1
				break 3
			}
		done
	done
done
result $status "60 trees: every number, and the way down as the specification's tree has it"

run -r "$made" tree --cpu 1
matches 'perf record -e n3_sim/.* -C 1 ' "names the command that finds the code on that CPU"
run -r "$made" tree
[ "$(grep -cE '^(cpu[0-9]+|system)$' "$tmp/out")" -eq 2 ]
result $? "without options: the busiest CPU and the system"

one_group 'frontend_bound 40.0\nbackend_bound 40.5\nbad_speculation 1.0\nretiring 18.5\n'
mkdir "$tmp/one/cpu0/quality"
awk '{ print $1, "value=" $2, "low=" $2 - 1, "high=" $2 + 1, "coverage=50.00 slices=50" }' \
	"$tmp/one/cpu0/topdown_l1" >"$tmp/one/cpu0/quality/topdown_l1"
run -r "$tmp/one" tree --cpu 0
grep -q 'undetermined: backend_bound or frontend_bound' "$tmp/out" && ! grep -q '^>' "$tmp/out"
result $? "undetermined when two are closer than their errors"
one_group 'frontend_bound 10.0\nbackend_bound 70.5\nbad_speculation 1.0\nretiring 18.5\n'
mkdir "$tmp/one/cpu0/quality"
awk '{ print $1, "value=" $2, "low=none high=none coverage=6.00 slices=3" }' \
	"$tmp/one/cpu0/topdown_l1" >"$tmp/one/cpu0/quality/topdown_l1"
run -r "$tmp/one" tree --cpu 0
matches 'counted in too few slices to tell' "undetermined for want of slices, and it says so"
one_group 'frontend_bound idle\nbackend_bound idle\nbad_speculation idle\nretiring idle\n'
run -r "$tmp/one" tree --cpu 0
matches 'no bottleneck can be named: idle' "a word instead of a way"
