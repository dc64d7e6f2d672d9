# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# Output of the real module: machine.txt holds all its files ("path:line"), read with
# n3_sim on four emulated CPUs, each in another scenario, CPU 1 alternating between two
# (frontend_bound 170 ms, backend_memory_bound 40 ms): its estimates differ from its values.

real=$tmp/real
python3 - "$shared/machine.txt" "$real" <<-'END'
	import os, sys
	for line in open(sys.argv[1]):
	    path, text = line.split(":", 1)
	    path = os.path.join(sys.argv[2], path)
	    os.makedirs(os.path.dirname(path), exist_ok=True)
	    open(path, "a").write(text)
END

# only CPUs have "custom", and "all" selects the groups of the first place
run -r "$real" --json -g all --per system --per node &&
	"$shared/check_json.py" "$real" system node0 node1 <"$tmp/out" >"$tmp/err" 2>&1
result $? "the module's files: --json has every value of node and system"
run -r "$real" --json -g all --per cpu &&
	"$shared/check_json.py" "$real" cpu0 cpu1 cpu2 cpu3 <"$tmp/out" >"$tmp/err" 2>&1
result $? "the module's files: --json has every value of every CPU"

# the difference is 1.6 points in cpu1
[ "$(grep -c ' estimate=[0-9]' "$shared/machine.txt")" -gt 400 ] &&
	python3 - "$tmp/out" <<-'END' 2>"$tmp/err"
	import json, sys
	places = json.load(open(sys.argv[1]))["places"]
	value = places[1]["groups"]["topdown_backend"]["backend_mem_bound"]
	assert abs(value["value"] - value["estimate"]) > 1, value
	assert value["low"] < value["estimate"] < value["high"], value
	assert value["estimate_high"] - value["estimate_low"] < (value["high"] - value["low"]) / 10, value
END
result $? "the module's files: estimates are closer than values if the workload changes"

# same_path NAME TREE POINTS: --json has the path and the losses of the tree's files "bottleneck";
# shares differ by no more than POINTS, as the files were read one after another
same_path()
{
	run -r "$2" --json --per system --per node --per cpu -g topdown_l1 -g topdown_frontend \
		-g topdown_backend
	python3 - "$real" "$tmp/out" "$3" <<-'END' 2>"$tmp/err"
	import json, os, sys
	tree, path, points = sys.argv[1:]
	for place in json.load(open(path))["places"]:
	    lines = [line.split() for line in open(os.path.join(tree, place["place"], "bottleneck"))]
	    have = place["bottleneck"]
	    assert have["path"] == [line[1] for line in lines if line[0] == "path"], place["place"]
	    losses = [line[1:] for line in lines if line[0] == "loss"]
	    metrics = [loss["metric"] for loss in have["losses"]]
	    assert metrics == [loss[0] for loss in losses], place["place"]
	    for loss, (metric, share, error) in zip(have["losses"], losses):
	        assert abs(loss["share"] - float(share)) <= float(points), (place["place"], metric)
	        assert abs(loss["share_error"] - float(error)) <= float(points), (place["place"], metric)
	    groups = {group for loss in have["losses"] for group in loss["look_at"]}
	    assert groups | set(have["look_at"]) == set(lines[-1][1:]), (place["place"], have)
	    assert have["mixed"] == any(line[0] == "mixed" for line in lines), place["place"]
	END
	result $? "$1"
}
same_path "the module's files: --json has the path of the files bottleneck" "$real" 0
cp -r "$real" "$tmp/without"
rm "$tmp/without"/*/bottleneck
same_path "the module's files: the same path is found without the files bottleneck" "$tmp/without" \
	0.2
cp -r "$real" "$tmp/few"
sed -i 's/\(low\|high\)=[^ ]*/\1=none/g' "$tmp/few"/*/quality/topdown_*
same_path "the module's files: --json has the module's path if no error is printed" "$tmp/few" 0
run -r "$tmp/few" tree --cpu 0
[ "$(sed -n 's/^> *\([^ ]*\).*/path \1/p' "$tmp/out")" = \
	"$(sed -n 's/^\(path [^ ]*\).*/\1/p' "$real/cpu0/bottleneck")" ] &&
	! grep -q 'too few' "$tmp/out"
result $? "the module's files: tree marks the module's path if no error is printed"
cp -r "$real" "$tmp/expensive"
sed -i 's/=[^ ]*/=idle/' "$tmp/expensive"/*/quality/*
run -r "$real" --per cpu -g topdown_l1 --values
mv "$tmp/out" "$tmp/expected"
run -r "$tmp/expensive" --per cpu -g topdown_l1 --values && cmp -s "$tmp/out" "$tmp/expected"
result $? "the module's files: a table of values reads no quality files"
run -r "$tmp/few" record -C 0 -q -o "$tmp/few.rec" 0.01 2 &&
	run report -o "$tmp/few.html" "$tmp/few.rec" &&
	"$shared/browser.py" "$tmp/few.html" >"$tmp/dom" 2>"$tmp/err"
[ "$(grep -o '<tr class="path"[^>]*data-metric="[^"]*' "$tmp/dom" | sed 's/.*"/path /')" = \
	"$(sed -n 's/^\(path [^ ]*\).*/\1/p' "$real/cpu0/bottleneck")" ]
result $? "the module's files: the report marks the module's path as recorded"
run -r "$real" -g custom
same "the module's files: prints a word instead of all lines of custom" 4 \
	"$(grep -c disabled "$tmp/out")"
run -r "$real" record -q -o "$tmp/real.rec" 0.01 2 &&
	run report -o "$tmp/real.html" "$tmp/real.rec" &&
	grep -q '</html>' "$tmp/real.html"
result $? "the module's files: a page of their recording"
run -r "$real" --csv -g all --per system --per cpu && [ "$(wc -l <"$tmp/out")" -eq 6 ]
result $? "the module's files: --csv has a line for each place"

for place in cpu0 system; do
	prints "bottleneck: that of $place" bottleneck -r "$real" $place <"$real/$place/bottleneck"
done
prints "bottleneck: that of the system without a place" bottleneck -r "$real" \
	<"$real/system/bottleneck"
refuses 4 "no_such_place cpu77" "bottleneck: names a CPU that does not exist" \
	bottleneck -r "$real" cpu77
refuses 4 "no_such_place cpu77" "bottleneck: names the CPU of a set that does not exist" \
	bottleneck -r "$real" cpu0,77
refuses 4 "no_such_place cpu0" "bottleneck: a set needs moments" \
	bottleneck -r "$real" cpu0,0
for set in cpu3-1 cpu0,99999 cpu cpu0, cpu0-1x; do
	refuses 2 "bad_value $set" "bottleneck: $set is not a set of CPUs" bottleneck -r "$real" $set
done
refuses 2 "bad_value general" "bottleneck: names a word that is not a place" \
	bottleneck -r "$real" general

# as a copy of the module before moments
rm "$real/results"
for command in '' 'tree --json' bottleneck; do
	# shellcheck disable=SC2086 # words
	refuses 1 "unknown_version cpu[0-3] has no moments" \
		"n3stat $command: a tree without moments is of an older version" \
		$command -r "$real"
done
cp "$tmp/real.rec" "$tmp/kept.rec"
refuses 1 "unknown_version" "n3stat record -g: an error before the first snapshot" \
	record -r "$real" -q -g topdown_l1 -o "$tmp/kept.rec" 0.05 1
cmp "$tmp/real.rec" "$tmp/kept.rec" && [ ! -e "$tmp/kept.rec.old" ]
result $? "n3stat record -g: an error before the first snapshot leaves the output alone"
