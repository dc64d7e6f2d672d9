# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat record and report: what is kept, cut files, the page, differences.

# text FILE: prints the recording, as lines of text
text()
{
	"$n3stat" report --text "$1"
}
# has REGEX FILE: a line of the recording matches
has()
{
	text "$2" | grep -q -- "$1"
}

made load --cpus 5 --lean backend_bound
rec=$tmp/a.rec
run -r "$made" record -q -o "$rec" 0.05 3 && "$here/make_tree.py" "$made" --cpus 5 --seed 7 &&
	text "$rec" >"$tmp/a.txt" && [ "$(grep -c '^end$' "$tmp/a.txt")" -eq 3 ] &&
	[ "$(grep -c '^t ' "$tmp/a.txt")" -eq 3 ]
result $? "record: writes COUNT snapshots"
[ "$(stat -c %a "$rec")" = 600 ]
result $? "record: the file is readable by its owner only"
[ "$(grep -c '^[0-9]* =$' "$tmp/a.txt")" -eq 12 ]
result $? "record: what did not change is not written again"

"$n3stat" -r "$made" record -q -o "$tmp/shared.rec" 0.05 1000 2>"$tmp/err" &
first=$!
for _ in $(seq 100); do
	[ "$(text "$tmp/shared.rec" 2>/dev/null | grep -c '^end$')" -gt 0 ] && break
	sleep 0.1
done
refuses 1 "shared.rec: another n3stat is writing to it" "record: two do not write to one file" \
	-r "$made" record -o "$tmp/shared.rec" 0.05 1
kill "$first"
wait "$first"
run report -o "$tmp/shared.html" "$tmp/shared.rec"
result $? "record: the file of the first one stays a recording"

mkdir "$tmp/cwd"
(cd "$tmp/cwd" && "$n3stat" -r "$made" record -o - 0.05 2) >"$tmp/out" 2>"$tmp/err"
[ "$(head -n 1 "$tmp/out")" = 'n3stat-recording 2' ] && [ "$(text "$tmp/out" | grep -c '^end$')" -eq 2 ] &&
	[ -z "$(ls "$tmp/cwd")" ] && cp "$tmp/out" "$tmp/pipe.rec" && run report -o "$tmp/pipe.html" "$tmp/pipe.rec"
result $? "record: -o - writes to the standard output"
{ cd "$tmp/cwd" && "$n3stat" -r "$made" record -q -o - 0.05 40 2>"$tmp/err"; echo $? >"$tmp/out"; } |
	head -n 1 >"$tmp/line"
[ "$(cat "$tmp/out")" = 0 ] && [ ! -s "$tmp/err" ] && [ "$(cat "$tmp/line")" = 'n3stat-recording 2' ] &&
	[ -z "$(ls "$tmp/cwd")" ]
result $? "record: a pipe that closes is no error"

# each value of the last snapshot, and its quality, against the files: 22 of a CPU, 89 of the system
made load2 --cpus 2
run -r "$made" record -q -o "$tmp/b.rec" 0.05 1 &&
	"$here/compare_recording.py" "$made" "$tmp/b.rec" $((2 * 22 + 89)) >"$tmp/out" 2>"$tmp/err"
result $? "record: every value with its error and coverage, and its estimate"

"$n3stat" -r "$made" record -q -o "$tmp/killed.rec" 0.05 2>"$tmp/err" &
pid=$!
sleep 1.5
kill -9 $pid
wait $pid 2>/dev/null
run report -o "$tmp/killed.html" "$tmp/killed.rec" && grep -q '</html>' "$tmp/killed.html"
result $? "record: the file is readable after the program was killed"
[ "$(stat -c %a "$tmp/killed.html")" = 600 ]
result $? "report: the page is readable by its owner only"
"$n3stat" -r "$made" record -o "$tmp/stopped.rec" 0.05 2>"$tmp/err" >"$tmp/out" &
pid=$!
sleep 1
kill -INT $pid
wait $pid && grep -q 'recorded [0-9]* snapshots' "$tmp/err" && text "$tmp/stopped.rec" >"$tmp/out" 2>"$tmp/err" &&
	[ ! -s "$tmp/err" ] && tail -n 1 "$tmp/out" | grep -q '^end$'
result $? "record: an interrupt ends it with a complete file, and it says what it cost"

head -c -5 "$rec" >"$tmp/cut.rec"
run report -o "$tmp/cut.html" "$tmp/cut.rec" && grep -q 'cut off .*; 2 complete ones before it' "$tmp/err" &&
	grep -q 'id="cut"' "$tmp/cut.html"
result $? "report: the message and the page say that the file was cut"
cp "$rec" "$tmp/kept.rec"
ln -s kept.rec "$tmp/link.rec"
ln "$tmp/kept.rec" "$tmp/hard.rec"
for output in kept.rec link.rec hard.rec; do
	refuses 2 "$output: this is the recording" "report: does not write the page to $output, what it reads" \
		report -o "$tmp/$output" "$tmp/kept.rec"
done
"$n3stat" report "$tmp/kept.rec" >>"$tmp/link.rec" 2>"$tmp/err"
[ $? -eq 2 ] && grep -q 'this is the recording' "$tmp/err" && cmp "$rec" "$tmp/kept.rec" >"$tmp/out" 2>&1
result $? "report: a recording that is also the output stays as it was"
refuses 1 "not an n3stat recording" "report: says so when a file is not a recording" report -o - "$here/run.sh"
refuses 1 "nothing.rec" "report: says so when there is no file" report "$tmp/nothing.rec"
refuses 1 "no complete snapshot after 1000 s" "report: says so when there is no snapshot in the span" report --from 1000 -o - "$rec"

# ten snapshots of changing values, one CPU gone for some of them
made page --cpus 6 --lean frontend_bound
(
	for seed in 11 12 13 14 15 16; do
		sleep 0.4
		"$here/make_tree.py" "$made" --cpus 6 --seed $seed
		[ $seed != 13 ] || echo 'frontend_bound offline' >"$made/cpu4/quality/topdown_l1"
	done
) &
run -r "$made" record -q -o "$tmp/page.rec" 0.25 12
wait
run report "$tmp/page.rec"
cp "$tmp/out" "$tmp/page.html"
text "$tmp/page.rec" >"$tmp/page.txt"
if command -v chromium >/dev/null; then
	browser --dump-dom "file://$tmp/page.html" >"$tmp/dom"
	"$here/check_page.py" "$tmp/dom" "$tmp/page.txt" >"$tmp/out" 2>&1
	result $? "report: a browser shows charts, tree and every mean as recorded"
	browser --window-size=1000,2400 --screenshot="$tmp/page.png" "file://$tmp/page.html" >/dev/null
	python3 - "$tmp/page.png" >"$tmp/out" 2>&1 <<-'END'
		import struct, sys, zlib
		# the pixels of an 8-bit RGB or RGBA picture, without a library
		data = open(sys.argv[1], "rb").read()
		width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
		pos, packed = 8, b""
		while pos < len(data):
		    size, name = struct.unpack(">I4s", data[pos:pos + 8])
		    packed += data[pos + 8:pos + 8 + size] if name == b"IDAT" else b""
		    pos += 12 + size
		bytes_per = {2: 3, 6: 4}[kind]
		raw, stride, last, seen = zlib.decompress(packed), width * bytes_per, None, {}
		for y in range(height):
		    row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
		    how = raw[y * (stride + 1)]
		    for x in range(stride):
		        a = row[x - bytes_per] if x >= bytes_per else 0
		        b = last[x] if last else 0
		        c = last[x - bytes_per] if last and x >= bytes_per else 0
		        p = a + b - c
		        near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
		        row[x] = (row[x] + (0, a, b, (a + b) // 2, near)[how]) & 255
		    for x in range(0, stride, 7 * bytes_per):
		        colour = tuple(row[x:x + 3])
		        seen[colour] = seen.get(colour, 0) + 1
		    last = row
		for colour in ((0, 158, 115), (204, 121, 167), (230, 159, 0), (0, 114, 178)):
		    assert seen.get(colour, 0) > 100, (colour, seen.get(colour))
	END
	result $? "report: the picture in a browser has all four colours of the chart"
else
	skip "report: a browser shows charts, tree and every mean as recorded" "no chromium"
	skip "report: the picture in a browser has all four colours of the chart" "no chromium"
fi
[ "$(grep -c 'id="simulated"' "$tmp/page.html")" -eq 1 ]
result $? "report: says that the counts were simulated"

grep -q '<dt>PMU</dt><dd>n3_sim</dd>' "$tmp/page.html"
result $? "report: names the PMU"
made pmu --cpus 1 --lean frontend_bound
sed -i 's/^pmu .*/pmu armv8_test_7/' "$made/spec"
run -r "$made" record -q -o "$tmp/pmu.rec" 0.05 1
echo 'core Neoverse <V2> (0xd4f): not a Neoverse N3' >>"$made/spec"
run -r "$made" record -q -o "$tmp/core.rec" 0.05 1 && has '^about core Neoverse <V2> (0xd4f): not a Neoverse N3$' "$tmp/core.rec" &&
	run report -o "$tmp/core.html" "$tmp/core.rec" &&
	grep -q 'id="core">Neoverse &lt;V2&gt; (0xd4f): not a Neoverse N3: for rehearsal only' "$tmp/core.html"
result $? "record, report: say that the core is no Neoverse N3"
sed -i '/^core /d' "$made/spec"
text "$tmp/pmu.rec" >"$tmp/pmu.txt"
sed '/^about pmu /d' "$tmp/pmu.txt" >"$tmp/old.rec"
sed -n '/^t /,$p' "$tmp/pmu.txt" | cat "$tmp/pmu.txt" - | head -c -4 >"$tmp/one.rec"
run -r "$made" record -o "$tmp/pmu.rec" 0.05 1
grep -q '^recorded 1 snapshot in' "$tmp/err" && run report -o "$tmp/one.html" "$tmp/one.rec" &&
	grep -q '; 1 complete one before it$' "$tmp/err" &&
	run report --diff "$tmp/pmu.rec" "$tmp/pmu.rec" && grep -q ', 1 snapshot$' "$tmp/out"
result $? "record, report: the singular is used for one snapshot"
for name in pmu old; do
	run report -o "$tmp/$name.html" "$tmp/$name.rec"
done
has '^about pmu armv8_test_7$' "$tmp/pmu.rec" &&
	grep -q '<dd>armv8_test_7</dd>' "$tmp/pmu.html" &&
	grep -q '<code>perf record -e armv8_test_7/' "$tmp/pmu.html"
result $? "record: the PMU's name is kept, and used in the report's commands"
! has '^about simulated' "$tmp/pmu.rec" && ! grep -q 'id="simulated"' "$tmp/pmu.html"
result $? "record, report: the counts of a PMU that was named are not called simulated"
! has '^about \(host\|kernel\) ' "$tmp/pmu.rec" && ! grep -Eq '<dt>(Machine|Kernel)' "$tmp/pmu.html" &&
	has '^about interval ' "$tmp/pmu.rec"
result $? "record: this machine's name and kernel are not recorded with a copy of any machine's files"
! has '^about spe ' "$tmp/pmu.rec" && ! grep -q 'n3stat spe' "$tmp/pmu.html"
result $? "record, report: SPE is not recommended where the CPUs have none"
made spe --cpus 1 --lean backend_bound --spe
run -r "$made" record -q -o "$tmp/spe.rec" 0.05 1
run report -o "$tmp/spe.html" "$tmp/spe.rec"
has '^about spe 1$' "$tmp/spe.rec" &&
	[ "$(grep -o '<code>n3stat spe record -s 5 --' "$tmp/spe.html" | wc -l)" -eq 5 ] &&
	grep -q '<code>perf record -e n3_sim/stall_backend/ -g -a ' "$tmp/spe.html"
result $? "record, report: SPE is recommended where the CPUs have it"
! grep -q '<dt>PMU' "$tmp/old.html" && grep -q '<code>perf record -e armv8_pmuv3_0/' "$tmp/old.html"
result $? "report: reads older recordings without the PMU's name"

# Five snapshots in which the module took another path than the numbers lead to.
cat >"$tmp/paths.rec" <<'END'
n3stat-recording 1
about window_ms 2000
places cpu0
columns bottleneck.end bottleneck.why bottleneck.rival bottleneck.second topdown_l1.retiring topdown_l1.backend_bound topdown_l1.frontend_bound topdown_l1.bad_speculation
t 100
0 backend_bound undetermined backend_mem_bound backend_core_bound 70:69:71:50:50 20:19:21:50:50 6:5:7:50:50 4:3:5:50:50
end
t 102
0 backend_mem_bound found - - 70:69:71:50:50 20:19:21:50:50 6:5:7:50:50 4:3:5:50:50
end
t 104
0 none too_few_slices retiring backend_bound 70:69:71:50:50 20:19:21:50:50 6:5:7:50:50 4:3:5:50:50
end
t 106
0 frontend_core_bound idle - - 70:69:71:50:50 20:19:21:50:50 6:5:7:50:50 4:3:5:50:50
end
t 108
0 backend_mem_bound found - - 70:69:71:50:50 20:19:21:50:50 6:5:7:50:50 4:3:5:50:50
end
END
# paths FILE: each metric that is on some path, as the page shows it
paths()
{
	sed -n 's|<tr class="\([^"]*\)".* data-metric="\([^"]*\)".*<td>\([1-9][0-9]* of [0-9]*\)</td>.*|\2 \3 \1|p' "$1"
}
# said FILE: what it says of the end of the path
said()
{
	sed -n -e 's|^<p class="end" data-metric="\([^"]*\)"><b>\1</b>\..*|end \1|p' \
		-e 's|.*id="nowhere"> It led.*|nowhere|p' \
		-e 's|^<p id="undetermined" [^>]*>\(Und[^<]*\)</p>.*|\1|p' "$1" | tr '\n' ';'
}
run report -o "$tmp/paths.html" "$tmp/paths.rec"
paths "$tmp/paths.html" >"$tmp/out"
[ "$(cat "$tmp/out")" = "frontend_bound 1 of 5 
frontend_core_bound 1 of 5 
backend_bound 3 of 5 path
backend_mem_bound 2 of 5 " ] && [ "$(said "$tmp/paths.html")" = "end backend_bound;" ]
result $? "report: marks where the module's own path led more often than not"
if command -v chromium >/dev/null; then
	span 3 4 "$tmp/paths.html"
	paths "$tmp/dom" >"$tmp/out"
	[ "$(cat "$tmp/out")" = "frontend_bound 1 of 2 
frontend_core_bound 1 of 2 
backend_bound 1 of 2 
backend_mem_bound 1 of 2 " ] && [ "$(said "$tmp/dom")" = "nowhere;" ] &&
		span 1 1 "$tmp/paths.html" && [ "$(said "$tmp/dom")" = "end backend_mem_bound;" ]
	result $? "report: a browser marks the path of a chosen span, with its advice"
else
	skip "report: a browser marks the path of a chosen span, with its advice" "no chromium"
fi

# One snapshot that says where the cycles go, two that are too close, one without errors.
cat >"$tmp/ends.rec" <<'END'
n3stat-recording 1
about window_ms 2000
places cpu0
columns topdown_l1.retiring topdown_l1.backend_bound topdown_l1.frontend_bound topdown_l1.bad_speculation
t 100
0 20:19:21:50:50 70:69:71:50:50 6:5:7:50:50 4:3:5:50:50
end
t 102
0 48:43:53:50:50 49:44:54:50:50 6:5:7:50:50 4:3:5:50:50
end
t 104
0 48:43:53:50:50 51:46:56:50:50 6:5:7:50:50 4:3:5:50:50
end
t 106
0 20:-:-:50:3 70:-:-:50:3 6:-:-:50:3 4:-:-:50:3
end
END
close="Undetermined: backend_bound or retiring, which are closer to each other than their errors."
few="Undetermined: backend_bound or retiring, counted in too few slices to tell:"
run report -o "$tmp/ends.html" "$tmp/ends.rec"
[ "$(said "$tmp/ends.html")" = "$close;" ]
result $? "report: names two metrics that are too close to each other"
if command -v chromium >/dev/null; then
	span 0 3 "$tmp/ends.html" && [ "$(said "$tmp/dom")" = "$close;" ] &&
		span 1 2 "$tmp/ends.html" && [ "$(said "$tmp/dom")" = "$close;" ] &&
		span 0 0 "$tmp/ends.html" && [ "$(said "$tmp/dom")" = "end backend_bound;" ] &&
		span 3 3 "$tmp/ends.html" && said "$tmp/dom" | grep -q "^$few"
	result $? "report: a browser says of a chosen span whether it is undetermined, and why"
else
	skip "report: a browser says of a chosen span whether it is undetermined, and why" "no chromium"
fi

# Means and errors computed by hand: t for 1 and 3 degrees of freedom is 12.706 and 3.182.
errors()
{
	cat >"$tmp/errors.rec" <<-END
	n3stat-recording 1
	about window_ms $1
	places cpu0
	columns topdown_l1.retiring topdown_l1.backend_bound topdown_l1.frontend_bound topdown_l1.bad_speculation
	t 100
	0 10 70:69:71:50:50 50:47:53:50:50 idle
	end
	t 102
	0 20 70:69:71:50:50 50:-:-:50:3 idle
	end
	t 104
	0 30 70:69:71:50:50 50:-:-:50:3 idle
	end
	t 106
	0 40 70:69:71:50:50 50:-:-:50:3 idle
	end
	END
	run report -o "$tmp/errors.html" "$tmp/errors.rec"
}
# shown FILE: what stands in the rows of level 1
shown()
{
	sed -n -E 's/.*data-metric="(frontend_bound|backend_bound|bad_speculation|retiring)" .*<td[^>]*>\1<.td><td>([^<]*)<.td><td>([^<]*)<.*/\2 \3/p' \
		"$1" >"$tmp/out"
	tr '\n' ';' <"$tmp/out"
}
errors 2000
[ "$(shown "$tmp/errors.html")" = "50.00 % ± 1.50;70.00 % ± 0.50;idle ;25.00 % ± 20.54;" ] &&
	grep -q 'taken as independent' "$tmp/errors.html"
result $? "report: errors of snapshots that share nothing are those computed by hand"
errors 4000
[ "$(shown "$tmp/errors.html")" = "50.00 % ± 2.12;70.00 % ± 0.71;idle ;25.00 % ± 142.06;" ] &&
	grep -q 'overlap, up to 2 at a time.* independent (2 of 4)' "$tmp/errors.html"
result $? "report: errors of snapshots whose windows overlap are those computed by hand"
# the same as estimates, beside values that are far off
sed -E 's/([0-9]+):([0-9]+):([0-9]+):50:50/9:8:11:50:50:\1:\2:\3/g; s/ 50:-:-:50:3/ 8:7:9:50:3:50:-:-/
	s/^0 ([1-4]0) /0 99:-:-:50:50:\1:-:- /' "$tmp/errors.rec" >"$tmp/estimates.rec"
run report -o "$tmp/estimates.html" "$tmp/estimates.rec"
[ "$(shown "$tmp/estimates.html")" = "50.00 % ± 2.12;70.00 % ± 0.71;idle ;25.00 % ± 142.06;" ] &&
	grep -q 'id="estimates"' "$tmp/estimates.html" && ! grep -q 'id="estimates"' "$tmp/errors.html"
result $? "report: errors of estimates are those computed by hand, whatever the values are"
if command -v chromium >/dev/null; then
	span 2 3 "$tmp/errors.html"
	[ "$(shown "$tmp/dom")" = "50.00 % ;70.00 % ± 1.00;- ;35.00 % ;" ]
	result $? "report: a browser shows the errors of a span whose windows overlap"
	span 2 3 "$tmp/estimates.html"
	[ "$(shown "$tmp/dom")" = "50.00 % ;70.00 % ± 1.00;- ;35.00 % ;" ]
	result $? "report: a browser shows the estimates of a span with their errors"
	errors 2000
	span 2 3 "$tmp/errors.html"
	[ "$(shown "$tmp/dom")" = "50.00 % ± 2.12;70.00 % ± 0.71;- ;35.00 % ± 63.53;" ]
	result $? "report: a browser shows the errors of a span"
else
	skip "report: a browser shows the errors of a span whose windows overlap" "no chromium"
	skip "report: a browser shows the estimates of a span with their errors" "no chromium"
	skip "report: a browser shows the errors of a span" "no chromium"
fi

run report --diff "$rec" "$rec"
sed 1,5d "$tmp/out" | grep -Eqv 'within the error|unknown|no number'
[ $? -eq 1 ] && [ "$(sed 1,5d "$tmp/out" | wc -l)" -eq 67 ]
result $? "report --diff: nothing changes from a recording to itself"
# three metrics without a number in both, two of them in two groups; in one only: ipc
made words --cpus 1
sed -i -E '/^(retiring|branch_mpki|dtlb_mpki) /s/=[^ ]*/=idle/' "$made"/*/quality/*
run -r "$made" record -q -o "$tmp/w1.rec" 0.05 2
sed -i 's/=[^ ]*/=stale/' "$made/system/quality/general"
run -r "$made" record -q -o "$tmp/w2.rec" 0.05 2
run report --diff "$tmp/w1.rec" "$tmp/w2.rec"
grep -Eq '^ipc .* stale .* no number to compare$' "$tmp/out" &&
	! grep -Eq '^(retiring|branch_mpki|dtlb_mpki) ' "$tmp/out" &&
	[ "$(tail -n 1 "$tmp/out")" = "3 metrics are excluded: no value in A or in B." ]
result $? "report --diff: excludes metrics without a value in A and in B"
made load3 --cpus 5 --lean frontend_bound --seed 3
run -r "$made" record -q -o "$tmp/c.rec" 0.05 3
run report --diff "$rec" "$tmp/c.rec"
grep -Eq '^frontend_bound .* more$' "$tmp/out" && grep -Eq '^backend_bound .* less$' "$tmp/out"
result $? "report --diff: says what changed by more than the error"
awk '/^(frontend|backend)_bound / { d = $3 - $2 - $4; bad += d * d > 0.0003; n++ } END { exit bad || n != 2 }' "$tmp/out"
result $? "report --diff: the change is B less A"
run report --diff --place cpu3 "$rec" "$tmp/c.rec"
matches 'A: .*, cpu3, 3 snapshots' "report --diff --place: compares one CPU"
refuses 4 "cpu77 was not recorded" "report --diff: names a place that was not recorded" report \
	--diff --place cpu77 "$rec" "$tmp/c.rec"
run -r "$made" record -q -C 3 -o "$tmp/cpu.rec" 0.05 1
refuses 4 "has system first, $tmp/cpu.rec has cpu3" "report --diff: does not compare the system with a CPU" \
	report --diff "$rec" "$tmp/cpu.rec"
run report --diff --place cpu3 "$rec" "$tmp/cpu.rec"
matches 'B: .*, cpu3, 1 snapshot' "report --diff --place: compares a CPU that is the only place of one"
run report --diff "$tmp/cpu.rec" "$tmp/cpu.rec"
matches 'A: .*, cpu3, 1 snapshot' "report --diff: compares the first place where neither has the system"
refuses 2 "takes no -o" "report --diff: refuses -o" report --diff -o "$tmp/diff.html" "$rec" "$rec"
refuses 2 "--place is for --diff" "report: refuses --place without --diff" report --place cpu3 -o - "$rec"
refuses 2 "two recordings" "report --diff: refuses one recording" report --diff "$rec"
