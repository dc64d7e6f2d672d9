# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat record and report: contents, truncated files, differences.

# has REGEX FILE: a line of the recording matches
has()
{
	text "$2" >"$tmp/text" && grep -q -- "$1" "$tmp/text"
}

made load --cpus 5 --lean backend_bound
rec=$tmp/a.rec
# five windows for --diff
echo 1 >"$made/window_ms"
records_five "$made" "$tmp/five.rec"
run -r "$made" record -q -o "$rec" 0.05 3 && "$shared/make_tree.py" "$made" --cpus 5 --seed 7 &&
	text "$rec" >"$tmp/a.txt" && [ "$(grep -c '^end$' "$tmp/a.txt")" -eq 3 ] &&
	[ "$(grep -c '^t ' "$tmp/a.txt")" -eq 3 ]
result $? "record: writes COUNT snapshots"
same "record: the file is readable by its owner only" 600 "$(stat -c %a "$rec")"
same "record: unchanged values are not written again" 12 "$(grep -c '^[0-9]* =$' "$tmp/a.txt")"

mkdir "$tmp/cwd"
(cd "$tmp/cwd" && "$n3stat" -r "$made" record -o - 0.05 2) >"$tmp/out" 2>"$tmp/err"
[ "$(head -n 1 "$tmp/out")" = 'n3stat-recording 4' ] &&
	[ "$(text "$tmp/out" | grep -c '^end$')" -eq 2 ] &&
	[ -z "$(ls "$tmp/cwd")" ] && cp "$tmp/out" "$tmp/pipe.rec" &&
	run report -o "$tmp/pipe.html" "$tmp/pipe.rec"
result $? "record: -o - writes to the standard output"
{
	cd "$tmp/cwd" && "$n3stat" -r "$made" record -q -o - 0.05 40 2>"$tmp/err"
	echo $? >"$tmp/out"
} | head -n 1 >"$tmp/line"
[ "$(cat "$tmp/out")" = 0 ] && [ ! -s "$tmp/err" ] &&
	[ "$(cat "$tmp/line")" = 'n3stat-recording 4' ] &&
	[ -z "$(ls "$tmp/cwd")" ]
result $? "record: a closed pipe is not an error"

# values and quality of the last snapshot compared with the files: 22 of a CPU, 89 of the system
made load2 --cpus 2
run -r "$made" record -q -o "$tmp/b.rec" 0.05 1 &&
	"$here/compare_recording.py" "$made" "$tmp/b.rec" $((2 * 22 + 89)) >"$tmp/out" 2>"$tmp/err"
result $? "record: every value with its error and coverage, and its estimate"

run report -o "$tmp/b.html" "$tmp/b.rec"
same "report: the page is readable by its owner only" 600 "$(stat -c %a "$tmp/b.html")"
"$n3stat" -r "$made" record -o "$tmp/stopped.rec" 0.05 2>"$tmp/err" >"$tmp/out" &
pid=$!
within 60 "a snapshot" has_snapshots "$tmp/stopped.rec" 1
kill -INT $pid
ends $pid && grep -Eq ' [0-9]+ snapshots? .* [0-9.]+ ms ' "$tmp/err" &&
	text "$tmp/stopped.rec" >"$tmp/out" 2>"$tmp/err" &&
	[ ! -s "$tmp/err" ] && tail -n 1 "$tmp/out" | grep -q '^end$'
result $? "record: an interrupt ends it with a complete file and a report of its cost"

head -c -5 "$rec" >"$tmp/cut.rec"
run report -o "$tmp/cut.html" "$tmp/cut.rec" &&
	has_message incomplete_recording '2 complete ones ' &&
	grep -q 'id="cut"' "$tmp/cut.html"
result $? "report: a message and the page report a truncated file"
cp "$rec" "$tmp/kept.rec"
ln -s kept.rec "$tmp/link.rec"
ln "$tmp/kept.rec" "$tmp/hard.rec"
for output in kept.rec link.rec hard.rec; do
	refuses 2 "input_is_output $output" "report: does not overwrite its input as $output" \
		report -o "$tmp/$output" "$tmp/kept.rec"
done
for output in "-o -" ""; do
	# shellcheck disable=SC2086 # words
	"$n3stat" report $output "$tmp/kept.rec" >>"$tmp/link.rec" 2>"$tmp/err"
	[ $? -eq 2 ] && has_message input_is_output && cmp "$rec" "$tmp/kept.rec" >"$tmp/out" 2>&1
	result $? "report: a recording that is also the output stays unchanged: $output"
done
refuses 1 not_a_recording "report: reports a file that is not a recording" \
	report -o - "$shared/run.sh"
refuses 1 "cannot_read nothing.rec" "report: reports a missing file" report "$tmp/nothing.rec"
refuses 2 bad_value "report: refuses a span that ends before it starts" \
	report --from 5 --to 2 "$rec"
"$n3stat" report -o - - <"$rec" >"$tmp/stdin.html" 2>"$tmp/err"
[ $? -eq 0 ] && [ ! -s "$tmp/err" ] && grep -q '</html>' "$tmp/stdin.html"
result $? "report: - is the standard input"
refuses 1 "empty_recording 1000 s" "report: reports a span without snapshots" \
	report --from 1000 -o - "$rec"

# the page of a recording by record
made page --cpus 6 --lean frontend_bound
run -r "$made" record -q -o "$tmp/page.rec" 0.05 1
run report -o - "$tmp/page.rec"
cp "$tmp/out" "$tmp/page.html"
same "report: reports simulated counts" 1 "$(grep -c 'id="simulated"' "$tmp/page.html")"

grep -q '<dt>PMU</dt><dd>n3_sim</dd>' "$tmp/page.html"
result $? "report: names the PMU"
made pmu --cpus 1 --lean frontend_bound
sed -i 's/^pmu .*/pmu armv8_test_7/; s/^simulated .*/simulated 0/; s/^named .*/named 1/' \
	"$made/spec"
run -r "$made" record -q -o "$tmp/pmu.rec" 0.05 1
echo 'core Neoverse <V2> (0xd4f): not a Neoverse N3' >>"$made/spec"
run -r "$made" record -q -o "$tmp/core.rec" 0.05 1 &&
	has '^about core Neoverse <V2> (0xd4f): not a Neoverse N3$' "$tmp/core.rec" &&
	run report -o "$tmp/core.html" "$tmp/core.rec" &&
	grep -q 'id="core">Neoverse &lt;V2&gt; (0xd4f): not a Neoverse N3: for rehearsal only' \
		"$tmp/core.html"
result $? "record, report: report a core other than Neoverse N3"
sed -i '/^core /d' "$made/spec"
text "$tmp/pmu.rec" >"$tmp/pmu.txt"
sed -n '/^t /,$p' "$tmp/pmu.txt" | cat "$tmp/pmu.txt" - | pack | head -c -5 >"$tmp/one.rec"
run -r "$made" record -o "$tmp/pmu.rec" 0.05 1
grep -qw '1 snapshot' "$tmp/err" && run report -o "$tmp/one.html" "$tmp/one.rec" &&
	has_message incomplete_recording '\<1 ' &&
	run report --diff "$tmp/pmu.rec" "$tmp/pmu.rec" && grep -q ', 1 snapshot$' "$tmp/out"
result $? "record, report: singular for one snapshot"
run report -o "$tmp/pmu.html" "$tmp/pmu.rec"
has '^about pmu armv8_test_7$' "$tmp/pmu.rec" &&
	grep -q '<dd>armv8_test_7</dd>' "$tmp/pmu.html" &&
	grep -q '<code[^>]*>perf record -e armv8_test_7/' "$tmp/pmu.html"
result $? "record: the PMU's name is recorded, and used in the report's commands"
! has '^about simulated' "$tmp/pmu.rec" && ! grep -q 'id="simulated"' "$tmp/pmu.html"
result $? "record, report: counts of a named PMU are not reported as simulated"
! has '^about \(host\|kernel\) ' "$tmp/pmu.rec" &&
	! grep -Eq '<dt>(Machine|Kernel)' "$tmp/pmu.html" &&
	has '^about interval ' "$tmp/pmu.rec"
result $? "record: this machine's name and kernel are not recorded with a copy of a machine's files"
! has '^about spe ' "$tmp/pmu.rec" && ! grep -q 'n3stat spe' "$tmp/pmu.html"
result $? "record, report: SPE is not recommended if the CPUs lack it"
made spe --cpus 1 --lean backend_bound --spe
run -r "$made" record -q -o "$tmp/spe.rec" 0.05 1
run report -o "$tmp/spe.html" "$tmp/spe.rec"
has '^about spe 1$' "$tmp/spe.rec" &&
	[ "$(grep -o '<code[^>]*>n3stat spe record --seconds 5 --' "$tmp/spe.html" | wc -l)" -eq 5 ] &&
	grep -q '<code[^>]*>perf record -e armv8_pmuv3_0/stall_backend/ -g -a ' "$tmp/spe.html"
result $? "record, report: SPE is recommended if the CPUs have it"

run report --diff "$tmp/five.rec" "$tmp/five.rec"
[ "$(sed 1,5d "$tmp/out" | grep -Ec 'within the error|unknown|no number')" -eq 67 ] &&
	tail -n 1 "$tmp/out" | grep -q '^0 of 67 compared '
result $? "report --diff: no change from a recording to itself"
# three metrics without a number in both, two of them in two groups; only in one: ipc
made words --cpus 1
sed -i -E '/^(retiring|branch_mpki|dtlb_mpki) /s/=[^ ]*/=idle/' "$made"/*/quality/*
run -r "$made" record -q -o "$tmp/w1.rec" 0.05 2
sed -i 's/=[^ ]*/=stale/' "$made/system/quality/general"
run -r "$made" record -q -o "$tmp/w2.rec" 0.05 2
run report --diff "$tmp/w1.rec" "$tmp/w2.rec"
grep -Eq '^ipc .* stale .* no number to compare$' "$tmp/out" &&
	! grep -Eq '^(retiring|branch_mpki|dtlb_mpki) ' "$tmp/out" &&
	grep -qx "3 metrics are excluded: no value in A or in B." "$tmp/out"
result $? "report --diff: excludes metrics without a value in A and in B"
made load3 --cpus 5 --lean frontend_bound --seed 3
echo 1 >"$made/window_ms"
records_five "$made" "$tmp/c.rec"
run report --diff "$tmp/five.rec" "$tmp/c.rec"
grep -Eq '^frontend_bound .* more$' "$tmp/out" && grep -Eq '^backend_bound .* less$' "$tmp/out"
result $? "report --diff: reports changes that exceed the error"
awk '/^(frontend|backend)_bound / { d = $3 - $2 - $4; bad += d * d > 0.0003; n++ }
	END { exit bad || n != 2 }' "$tmp/out"
result $? "report --diff: the change is B minus A"
run report --diff --place cpu3 "$rec" "$tmp/c.rec"
matches 'A: .*, cpu3, 3 snapshots' "report --diff --place: compares one CPU"
run -r "$made" record -q -C 3 -o "$tmp/cpu.rec" 0.05 1
refuses 4 "no_common_place cpu3" "report --diff: does not compare the system with a CPU" \
	report --diff "$rec" "$tmp/cpu.rec"
run report --diff --place cpu3 "$rec" "$tmp/cpu.rec"
matches 'B: .*, cpu3, 1 snapshot' \
	"report --diff --place: compares a CPU that is the only place of one"
run report --diff "$tmp/cpu.rec" "$tmp/cpu.rec"
matches 'A: .*, cpu3, 1 snapshot' \
	"report --diff: compares the first place if neither has the system"
refuses 2 missing_argument "report --diff: refuses one recording" report --diff "$rec"

# --- busy time, frequency and instructions per second

made rates --cpus 1
# simulated counts have no frequency
sed -i 's/^simulated .*/simulated 0/' "$made/spec"
"$shared/make_proc.py" "$tmp/proc-stage/proc" 0
# grow CYCLES INSTRUCTIONS: totals of CPU 0 for another second of sampled time
total=0
grow()
{
	total=$((total + 1))
	{
		printf 'sampled_ns %s000000000\ndropped_ns 0\nyielded_ns 0\noff_ns 0\n' $total
		printf 'start_ns 7\ncycles_total %s\n' $(($1 * total))
	} >"$made/cpu0/counters/time.new"
	printf 'ipc_numerator_total %s\nipc_denominator_total %s\n' $(($2 * total)) $(($1 * total)) \
		>"$made/cpu0/counters/general"
	mv "$made/cpu0/counters/time.new" "$made/cpu0/counters/time"
}
grow 1500000000 900000000
rec=$tmp/rates.rec
begins -r "$made" record --proc "$tmp/proc-stage/proc" -C 0 -g general -q -o "$rec" 0.3
within 60 "two snapshots" has_snapshots "$rec" 2 && holds $pid &&
	"$shared/make_proc.py" "$tmp/proc-stage/proc" 1 && grow 1500000000 900000000 &&
	kill -CONT $pid && within 60 "three more snapshots" has_snapshots "$rec" \
		$(($(snapshots "$rec") + 3))
stops
text "$rec" >"$tmp/out"
"$here/check_recorded_rates.py" "$tmp/out" >"$tmp/err" 2>&1
result $? "record: busy time, frequency and instructions per second; old snapshots have none"
printf '%s\n' 'n3stat-recording 1' 'about window_ms 1000' 'places cpu0 system' \
	'columns general.ipc rates.busy rates.ghz rates.gips' 't 1' '0 1.5 - - -' '1 1.5 - - -' end 't 2' \
	'0 1.5 50.0 3.000 2.2500' '1 1.5 25.0 2.500 0.9375' end \
	't 3' '0 1.5 100.0 2.000 3.0000' '1 1.5 75.0 - -' end | pack >"$tmp/known.rec"
run report "$tmp/known.rec"
# means of what is known: 50, 2.5, 0.9375 of the system
[ "$(awk '$1 ~ /^(busy|ghz|gips)$/ { print $1, $2 }' "$tmp/out" | xargs)" = \
	"busy 50.00 ghz 2.5000 gips 0.9375" ]
result $? "report: means of busy time, frequency and instructions per second"
run report -o "$tmp/known.html" "$tmp/known.rec" &&
	"$here/check_page_rates.py" "$tmp/known.html" >"$tmp/err" 2>&1
result $? "report: busy time, frequency and instructions per second of all places"
made excluded --cpus 2 --nodes 2
printf '%s\n' 'cpus 8' 'included 4' 'excluded 4' >"$made/system/status"
printf '%s\n' 'cpus 4' 'included 0' 'excluded 4' >"$made/node1/status"
run -r "$made" record --per system --per node -q -g topdown_l1 -o "$tmp/excluded.rec" 0.05 1 &&
	text "$tmp/excluded.rec" >"$tmp/out" &&
	run report -o "$tmp/excluded.html" "$tmp/excluded.rec" &&
	has '^about included ' "$tmp/excluded.rec" &&
	[ "$(text "$tmp/excluded.rec" | grep '^about included ' |
		grep -oE '[a-z]+[0-9]* \([0-9]+ of [0-9]+' | sort | tr '\n' ';')" = \
		"node1 (0 of 4;system (4 of 8;" ] &&
	grep -q '<dd>[^<]*system (4 of 8 CPUs)' "$tmp/excluded.html"
result $? "record: excluded CPUs of nodes and the system, in the page as well"
run -r "$many/load2" record -q -o "$tmp/all.rec" 0.05 1 && ! has '^about included ' "$tmp/all.rec"
result $? "record: nothing about excluded CPUs if there are none"
