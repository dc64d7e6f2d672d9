# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat bottleneck, and the path of the text "bottleneck" instead of that of the numbers.

made path --cpus 2 --lean retiring
# errors of cpu0 are unknown, its path is not
sed -i 's/\(low\|high\)=[^ ]*/\1=none/g' "$made/cpu0/quality"/topdown_*
cat >"$made/cpu0/bottleneck" <<'END'
path backend_bound 71.3500 0.0001
path backend_mem_bound 91.0498 0.0000
path backend_mem_cache_bound 84.8975 0.0000
path backend_cache_l2d_bound 83.4750 0.0001
share 46.0387
loss backend_cache_l2d_bound 46.0387 0.0002
loss backend_cache_l1d_bound 9.1140 0.0002
loss backend_mem_tlb_bound 5.8543 0.0002
found backend_cache_l2d_bound
next dtlb_effectiveness l1d_cache_effectiveness l2_cache_effectiveness ll_cache_effectiveness
END
cat >"$made/cpu1/bottleneck" <<'END'
path frontend_bound 47.4351 0.1209
path frontend_mem_bound 81.7710 0.0099
path frontend_mem_cache_bound 82.9681 0.0007
share 20.0468
loss frontend_cache_l2i_bound 20.0468 5.0515
loss frontend_cache_l1i_bound 18.1348 4.0312
mixed frontend_cache_l2i_bound frontend_cache_l1i_bound
next topdown_frontend l1i_cache_effectiveness l2_cache_effectiveness ll_cache_effectiveness
END
cat >"$made/system/bottleneck" <<'END'
path bad_speculation 22.3488 0.0001
share 22.3488
loss bad_speculation 22.3488 0.0001
loss backend_core_bound 5.0700 0.0003
found bad_speculation
cpus 1 backend_cache_l2d_bound
cpus 1 frontend_cache_l2i_bound
next topdown_backend branch_effectiveness
END
run -r "$made" --json --per system --per cpu -g topdown_l1,topdown_frontend,topdown_backend
"$here/check_bottleneck.py" "$made" "$tmp/out" 2>"$tmp/err"
result $? "--json has the path and the losses of the text"
wanted=$(sed -n 's/^path \([^ ]*\).*/\1/p' "$made/cpu0/bottleneck")
run -r "$made" tree --cpu 0
[ "$(sed -n 's/^> *\([^ ]*\).*/\1/p' "$tmp/out")" = "$wanted" ] && ! grep -q 'too few' "$tmp/out"
result $? "tree marks the path of the text if no error is printed"
if command -v chromium >/dev/null; then
	run -r "$made" record -C 0 -q -o "$tmp/few.rec" 0.01 2 &&
		run report -o "$tmp/few.html" "$tmp/few.rec" &&
		"$shared/browser.py" "$tmp/few.html" >"$tmp/dom" 2>"$tmp/err"
	same "the report marks the path of the text as recorded" "$wanted" \
		"$(grep -o '<tr class="path"[^>]*data-metric="[^"]*' "$tmp/dom" | sed 's/.*"//')"
else
	skip "the report marks the path of the text as recorded" "no chromium"
fi

for place in cpu0 system; do
	prints "bottleneck: that of $place" bottleneck -r "$made" $place <"$made/$place/bottleneck"
done
prints "bottleneck: that of the system without a place" bottleneck -r "$made" \
	<"$made/system/bottleneck"
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
