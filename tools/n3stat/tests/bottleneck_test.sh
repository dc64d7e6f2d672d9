# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat bottleneck.

made path --cpus 2 --lean backend_bound
run -r "$made" tree --json --per system --per cpu && mv "$tmp/out" "$tmp/json"
for place in cpu0 cpu1 system; do
	run -r "$made" bottleneck $place
	"$here/check_bottleneck.py" $place "$tmp/json" "$tmp/out" 2>"$tmp/err"
	result $? "bottleneck: $place has what tree --json has"
done
mv "$tmp/out" "$tmp/of-system"
prints "bottleneck: that of the system without a place" bottleneck -r "$made" <"$tmp/of-system"
one_group 'frontend_bound idle\nbackend_bound idle\nbad_speculation idle\nretiring idle\n'
prints "bottleneck: the word instead of an answer" bottleneck -r "$tmp/one" cpu0 <<'END'
answer idle
next none
END
one_group 'frontend_bound 10\nbackend_bound 60.0\nbad_speculation 10\nretiring 20\n'
sed 's/ .*/ disabled/' "$made/cpu0/topdown_backend" >"$tmp/one/cpu0/topdown_backend"
prints "bottleneck: the word instead of causes" bottleneck -r "$tmp/one" cpu0 <<'END'
answer backend_bound ~60% (group topdown_backend is not chosen)
area backend_bound 60.0000 none
below disabled
loss backend_bound 60.0000 none
loss bad_speculation 10.0000 none
loss frontend_bound 10.0000 none
next topdown_backend
END
refuses 4 "no_such_place cpu77" "bottleneck: names a CPU that does not exist" \
	bottleneck -r "$made" cpu77
refuses 4 "no_such_place cpu77" "bottleneck: names the CPU of a set that does not exist" \
	bottleneck -r "$made" cpu0,77
refuses 4 "no_such_place cpu0" "bottleneck: a set needs moments" bottleneck -r "$made" cpu0,0
for set in cpu3-1 cpu0,99999 cpu cpu0, cpu0-1x; do
	refuses 2 "bad_value $set" "bottleneck: $set is not a set of CPUs" bottleneck -r "$made" $set
done
refuses 2 "bad_value general" "bottleneck: names a word that is not a place" \
	bottleneck -r "$made" general

# as a copy of the module before moments
run -r "$made" record -q -o "$tmp/real.rec" 0.01 2
rm "$made/results"
for command in '' 'tree --json' bottleneck; do
	# shellcheck disable=SC2086 # words
	refuses 1 "unknown_version cpu[0-1] has no moments" \
		"n3stat $command: a tree without moments is of an older version" \
		$command -r "$made"
done
cp "$tmp/real.rec" "$tmp/kept.rec"
refuses 1 "unknown_version" "n3stat record -g: an error before the first snapshot" \
	record -r "$made" -q -g topdown_l1 -o "$tmp/kept.rec" 0.05 1
cmp "$tmp/real.rec" "$tmp/kept.rec" && [ ! -e "$tmp/kept.rec.old" ]
result $? "n3stat record -g: an error before the first snapshot leaves the output alone"
